/* The school arithmetic of a model's memory, as functions with every assumption an argument:
 * what a plan computes from a header, a person computes from a handful of numbers. The plan uses
 * these same functions where the engine's rule is this simple. Declared in include/ullage.h. */
#ifndef UL_ENGINE_ARITH_H
#define UL_ENGINE_ARITH_H

#include "ullage.h"

/* llama.cpp rounds n_ctx and each sequence's share up to this (llama-context.cpp: GGML_PAD 256). */
#define UL_CTX_PAD 256u

#endif
