/* What the files that read evidence share. Each function looks at one line's text. */
#ifndef UL_MEASURE_EVIDENCE_LINES_H
#define UL_MEASURE_EVIDENCE_LINES_H

#include "measure/evidence.h"

#include <string.h>

/* What follows `word` in the text, without blanks; NULL when it is not there. */
const char *ul_ev_after(const char *text, const char *word);
/* Copies up to any of `ends`. */
void ul_ev_copy(char *out, size_t size, const char *p, const char *ends);
bool ul_ev_number_after(const char *text, const char *word, uint32_t *value);

/* Those that return true had something to say. */
bool ul_ev_info_line(struct ul_evidence *e, const char *text);
bool ul_ev_metadata_line(struct ul_evidence *e, const char *text);
bool ul_ev_context_line(struct ul_evidence *e, const char *text);
bool ul_ev_table_line(struct ul_evidence *e, const char *text);
bool ul_ev_fit_line(struct ul_evidence *e, const char *text);
bool ul_ev_command_line(struct ul_evidence *e, const char *text);

/* Another load or context than the server's own begins: what it is for was said before. */
void ul_ev_begin_part(struct ul_evidence *e);

#endif
