/* What the reports share. */
#ifndef UL_MEASURE_REPORT_H
#define UL_MEASURE_REPORT_H

#include "measure/measure.h"

/* Renders into an arena and hands out a copy; NULL when memory is out. */
char *ul_measure_render(const struct ul_measurement *m,
                        void (*render)(struct ul_text *t, const struct ul_measurement *m));

#endif
