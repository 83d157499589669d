/* A log set beside what was computed, and how that is printed. The command fills it. */
#ifndef UL_MEASURE_CHECK_H
#define UL_MEASURE_CHECK_H

#include "measure/evidence.h"

#define UL_CHECK_ROWS 256
#define UL_CHECK_NOTES 48

enum ul_check_verdict { UL_CHECK_UNCHECKED, UL_CHECK_AGREES, UL_CHECK_DIFFERS };

struct ul_check_row {
    char buffer[64], kind[48];   /* "CUDA0", "kv"; of a cache's own line "cache", "keys" */
    int model, context;          /* both 0: the server's own */
    double logged, computed;     /* MiB; < 0: not there */
    int lines;                   /* rounded ones that `logged` sums; 0: a whole number, exact */
    bool table;                  /* of the engine's own table: it repeats what the buffers are */
    char unit[12];               /* "" is MiB */
    enum ul_check_verdict verdict;
    char why[200];               /* the likely cause, or why it was not checked */
};

struct ul_check {
    const struct ul_evidence *e;
    char flags[4096];            /* those that the log shows */
    bool vllm;                   /* a log of vLLM's, not of llama.cpp's */
    char model[256];             /* as a vLLM log names it */
    bool by_plan; /* computed from the model's file; else from what the log says of it */
    struct ul_check_row row[UL_CHECK_ROWS];
    int n_rows;
    char note[UL_CHECK_NOTES][256];
    int n_notes;
};

/* A row; logged and computed in MiB, < 0 for none, `lines` how many rounded lines `logged` sums. */
struct ul_check_row *ul_check_row(struct ul_check *c, const char *buffer, const char *kind,
                                  double logged, double computed, int lines);
/* Whether a sum of rounded lines is that figure. */
bool ul_check_same(double logged, double computed, int lines);
void ul_check_note(struct ul_check *c, const char *fmt, ...) UL_PRINTF(2, 3);
int ul_check_count(const struct ul_check *c, enum ul_check_verdict verdict);

/* The text is the caller's to free; NULL when memory is out. */
char *ul_check_table(const struct ul_check *c);
char *ul_check_json(const struct ul_check *c);

#endif
