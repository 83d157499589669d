/* Regular expressions as -ot takes them: ECMAScript, searched for anywhere in a tensor's name
 * (src/llama-model-loader.cpp: std::regex_search). Only whether there is a match is asked. */
#ifndef UL_ENGINE_REGEX_H
#define UL_ENGINE_REGEX_H

#include "base/error.h"

struct ul_regex;

/* Errors: REFUSED, for a pattern that std::regex does not accept. */
int ul_regex_compile(struct ul_regex **re, struct ul_str pattern, struct ul_arena *a,
                     ullage_error *err);

/* 1: found, 0: not found, -1: gave up, the pattern backtracks too much. The matcher keeps its
 * working memory in the compiled pattern, so one pattern serves one thread. */
int ul_regex_search(struct ul_regex *re, struct ul_str text);

#endif
