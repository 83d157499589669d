/* The name of a file's kind of quantisation, as the engine prints it. */
#ifndef UL_MODEL_FTYPE_H
#define UL_MODEL_FTYPE_H

#include "model/keys.h"

const char *ul_file_type(const struct ul_model *m, struct ul_keys *k);

#endif
