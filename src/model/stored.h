/* What a checkpoint's own headers tell a conversion beyond its configuration. */
#ifndef UL_MODEL_STORED_H
#define UL_MODEL_STORED_H

#include "model/convert.h"
#include "source/safetensors.h"

/* From the tensors of a checkpoint: whether it has an output matrix, how many rows its embedding
 * has, and the type that the converter would choose for matrices (--outtype auto). */
struct ul_conv_hints ul_stored_hints(const struct ul_st *st);

#endif
