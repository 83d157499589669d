/* The forms in which a plan is printed. Each writes to a text in an arena. */
#ifndef UL_REPORT_RENDER_H
#define UL_REPORT_RENDER_H

#include "report/columns.h"
#include "report/handles.h"
#include "report/text.h"

void ul_plan_table(struct ul_text *out, const struct ullage_plan *plan, int by, bool color);
void ul_plan_json(struct ul_text *out, const struct ullage_plan *plan);
void ul_plan_csv(struct ul_text *out, const struct ullage_plan *plan, int by);
void ul_fit_table(struct ul_text *out, const ullage_fit *fit, bool color);
void ul_fit_json(struct ul_text *out, const ullage_fit *fit, const char *line);
void ul_model_table(struct ul_text *out, const struct ullage_model *model, bool color);
void ul_speed_lines(struct ul_text *out, const struct ullage_plan *plan);
void ul_speed_table(struct ul_text *out, const struct ullage_plan *plan);
void ul_speed_json(struct ul_json *j, const struct ullage_plan *plan);
/* What llama-server's own --fit did before the plan. */
void ul_engine_fit_json(struct ul_json *j, const struct ullage_plan *plan);
void ul_devices_table(struct ul_text *out, const char *pattern);
void ul_devices_json(struct ul_text *out, const char *pattern);
void ul_model_json(struct ul_text *out, const struct ullage_model *model);

/* "engine", "user", "fit" */
const char *ul_chosen_name(int by);
/* "full", "window", "latent" ... */
const char *ul_layer_kind_name(int kind);

/* The engine that the rules follow. */
#define UL_ENGINE_NAME "llama.cpp"
#define UL_ENGINE_VERSION "0.7.0"

#endif
