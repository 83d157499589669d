/* libcublas: handles, and products that compute nothing. cublas.def says what becomes of a call. */
#include <stdlib.h>

#define SIM_TABLE "cublas.def"
#define SIM_REFUSAL(name) (sim_refuse(name), CUBLAS_NOT_SUPPORTED)
/* cublas_api.h: cublasStatus_t. */
enum { CUBLAS_NO_MEMORY = 3, CUBLAS_NOT_SUPPORTED = 15 };
#include "entry.h"

SIM_API int cublasCreate_v2(void **handle)
{
    *handle = malloc(16);
    sim_library_handle(sim_current());
    return *handle ? SIM_OK : CUBLAS_NO_MEMORY;
}

SIM_API int cublasDestroy_v2(void *handle)
{
    free(handle);
    return SIM_OK;
}

SIM_API int cublasGetVersion_v2(void *handle, int *version)
{
    (void)handle;
    *version = SIM_MAJOR * 10000;
    return SIM_OK;
}

SIM_API int cublasGetProperty(int part, int *value)
{
    *value = part == 0 ? SIM_MAJOR : 0;
    return SIM_OK;
}

SIM_API int cublasGetMathMode(void *handle, int *mode)
{
    (void)handle;
    *mode = 0;
    return SIM_OK;
}

SIM_API int cublasGetPointerMode_v2(void *handle, int *mode)
{
    return cublasGetMathMode(handle, mode);
}

SIM_API int cublasGetStream_v2(void *handle, void **stream)
{
    (void)handle;
    *stream = NULL;
    return SIM_OK;
}

SIM_API const char *cublasGetStatusName(int status)
{
    switch (status) {
    case SIM_OK: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_NO_MEMORY: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    default: return "CUBLAS_STATUS_UNKNOWN";
    }
}

SIM_API const char *cublasGetStatusString(int status)
{
    switch (status) {
    case SIM_OK: return "the operation completed successfully";
    case CUBLAS_NO_MEMORY: return "the resource allocation failed";
    case CUBLAS_NOT_SUPPORTED: return "the functionality requested is not supported";
    default: return "unknown status";
    }
}
