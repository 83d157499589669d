/* A line of a log without what carried it: terminals colour it, containers and journals write whose
 * line it is and when, and the engine itself writes a time and a level before its words. */
#ifndef UL_MEASURE_LOGLINE_H
#define UL_MEASURE_LOGLINE_H

#include <stddef.h>

#define UL_LOG_SOURCE 64

/* Takes colours and other control sequences out of the line, in place. */
void ul_log_plain(char *line);

/* The line's own text, and in `source` (which may be NULL) whose line it is where several programs
 * write to one log: a container's or unit's name, a router's child by its port; "": not said. */
const char *ul_log_carried(const char *line, char source[UL_LOG_SOURCE]);

/* The text of a line without its time, level and all that carried it. */
const char *ul_log_text(const char *line);

#endif
