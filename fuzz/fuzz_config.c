/* Any bytes as a configuration: a model or one error. The first byte chooses what it is quantised to.
 * A model's tensors have places that follow each other, and its text comes out. */
#include "fuzz.h"
#include "ullage.h"

#include <string.h>

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const quants[] = {NULL, "Q4_K_M", "IQ2_XXS", "MXFP4_MOE", "Q8_0", "F32", "IQ3_XS"};
    ullage_model *model = NULL;
    ullage_error e = {0};
    if (size < 1)
        return 0;
    const char *quant = quants[data[0] % (sizeof quants / sizeof *quants)];
    int code = ullage_open_config(&model, "config.json", data + 1, size - 1, quant, &e);
    CHECK(code == e.code && (code == ULLAGE_OK) == (model != NULL));
    if (model == NULL) {
        CHECK(e.message[0]);
        return 0;
    }
    const ullage_model_info *info = ullage_describe(model);
    CHECK(info->arch && info->weight_bytes > 0); /* drafters may have no layer of their own */
    char *text = ullage_model_render(model, ULLAGE_JSON, 0);
    CHECK(text && text[0]);
    ullage_text_free(text);
    ullage_close(model);
    return 0;
}
