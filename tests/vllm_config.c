/* Prints a configuration of vllm_configs.h by its name, for the tests that drive the command. */
#include "vllm_configs.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const struct {
        const char *name, *text;
    } all[] = {{"qwen25-1.5b", QWEN25_1_5B}, {"llama-8b", LLAMA_8B},
               {"qwen3-14b", QWEN3(5120, 40, 40)}, {"qwen3-8b", QWEN3(4096, 36, 32)},
               {"qwen3-0.6b", QWEN3(1024, 28, 16)}, {"kimi-k2", KIMI_K2}, {"glm-5.2", GLM_52},
               {"qwen36-35b", QWEN36_35B}, {"qwen36-27b", QWEN36_27B},
               {"qwen35-122b", QWEN35_122B}, {"qwen35-9b", QWEN35_9B},
               {"gemma4-26b", GEMMA4_26B}, {"gemma4-31b", GEMMA4_31B},
               {"gemma4-e2b", GEMMA4_E2B}, {"dsv4-flash", DSV4_FLASH},
               {"qwen3-235b", QWEN3_235B}, {"minimax-m2", MINIMAX_M2}};
    for (size_t i = 0; argc == 2 && i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, argv[1]) == 0)
            return puts(all[i].text) < 0;
    return 2;
}
