/* Settings become the context's parameters, as llama-server and llama_context resolve them: slots
 * and rounding, batches, outputs, flash attention, pooling, and what the engine refuses.
 * Source: tools/server/server.cpp, tools/server/server-context.cpp (server_output_limits),
 * src/llama-context.cpp (llama_init_from_model, llama_context::llama_context). */
#ifndef UL_ENGINE_CONTEXT_H
#define UL_ENGINE_CONTEXT_H

#include "arch/arch.h"
#include "engine/machine.h"
#include "engine/notes.h"
#include "engine/place.h"
#include "engine/settings.h"

#define UL_MAX_SEQ 256 /* LLAMA_MAX_SEQ (src/llama-cparams.h) */

/* Resolves the settings. What the engine would warn about goes to the notes.
 * Errors: REFUSED, with the engine's reason. */
int ul_context_resolve(struct ul_cparams *c, const struct ul_model *m, const struct ul_settings *s,
                       const struct ul_place *place, const struct ul_machine *machine,
                       struct ul_notes *notes, ullage_error *err);
/* Flash attention on auto turns out not to run on the device of layer il: it is off, and noted. */
void ul_context_no_flash_attn(struct ul_cparams *c, uint32_t il, struct ul_notes *notes);

/* Whether a layer attends (and so has a flash attention operation), by its memory kind. */
bool ul_layer_attends(const struct ul_model *m, uint32_t il);

#endif
