/* Files that are loaded beside a model, opened as one (companions.c). */
#ifndef UL_REPORT_COMPANIONS_H
#define UL_REPORT_COMPANIONS_H

#include "report/handles.h"

/* What the file is beside a model: enum ullage_companion_kind; 0: a model itself. */
int ul_companion_role(const struct ul_gguf *g);
/* Fills what is told of such a file. Returns ULLAGE_OK. */
int ul_companion_describe(struct ullage_model *h);
/* USAGE for a file that is no model, where one is needed. */
int ul_companion_refuse(const struct ullage_model *h, ullage_error *err);
/* The flag that takes a file of this role; *what: how it is called, with its article. */
const char *ul_companion_flag(int role, const char **what);

#endif
