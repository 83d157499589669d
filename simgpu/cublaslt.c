/* libcublasLt: loaded beside cuBLAS, and asked nothing. */
#include <stdlib.h>

#define SIM_TABLE "cublaslt.def"
#define SIM_REFUSAL(name) (sim_refuse(name), 15) /* CUBLAS_STATUS_NOT_SUPPORTED */
#include "entry.h"

SIM_API int cublasLtCreate(void **handle)
{
    *handle = malloc(16);
    return *handle ? SIM_OK : 3; /* CUBLAS_STATUS_ALLOC_FAILED */
}

SIM_API int cublasLtDestroy(void *handle)
{
    free(handle);
    return SIM_OK;
}

SIM_API size_t cublasLtGetVersion(void) { return SIM_MAJOR * 10000; }
