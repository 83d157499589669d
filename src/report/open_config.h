/* Between opening (model.c) and the models that are no GGUF file yet (open_config.c). */
#ifndef UL_REPORT_OPEN_CONFIG_H
#define UL_REPORT_OPEN_CONFIG_H

#include "report/handles.h"

/* When `path` is a configuration, a checkpoint's folder or a name of the catalogue: h->file as the
 * converter would write it, *is true. Else nothing, *is false. */
int ul_open_other(struct ullage_model *h, const char *path, const char *quant, bool *is,
                  ullage_error *err);
/* A configuration by its name, with the checkpoint beside it, from a server's files. */
int ul_open_config_with(struct ullage_model *h, const struct ul_opener *opener, const char *name,
                        const char *quant, ullage_error *err);
/* The same from a configuration's text. */
int ul_open_config_text(struct ullage_model *h, const char *name, const char *text, size_t n,
                        const char *quant, ullage_error *err);
/* h->file as llama-quantize would make it; NULL: as it is. */
int ul_open_quantized(struct ullage_model *h, const char *quant, ullage_error *err);

#endif
