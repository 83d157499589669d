/* The architectures whose caches vLLM lays out by a rule that is known here, by the names that
 * config.json has under "architectures".
 *
 * A new model is a row when one of the ways to read fits it. What the configuration class of
 * transformers fills in by default stands in the row too, because many files leave it out.
 * Source: model_executor/models/registry.py, and the model's own file for what its layers keep. */
#include "engine/vllm_model.h"

#define DENSE(class) {.name = class, .read = UL_VR_DENSE}
#define TYPES(class) {.name = class, .read = UL_VR_TYPES}
#define QWEN(class) {.name = class, .read = UL_VR_DENSE, .window_switch = true}
#define LATENT(class) {.name = class, .read = UL_VR_LATENT}
#define DELTA(class) {.name = class, .read = UL_VR_LINEAR, .state = UL_VS_DELTA, \
                      .conv_grows = true, .own_layout = true}
#define GEMMA3(class)                                                                \
    {                                                                                \
        .name = class, .read = UL_VR_TYPES, .pattern = 6, .heads = 8, .kv_heads = 4, \
        .head_dim = 256, .max_len = 131072, .vocab = 262208                          \
    }

static const struct ul_vclass classes[] = {
    /* all layers alike */
    DENSE("Mistral3ForConditionalGeneration"),
    DENSE("MixtralForCausalLM"), DENSE("Phi3ForCausalLM"), DENSE("PhiMoEForCausalLM"),
    DENSE("PhiForCausalLM"), DENSE("GemmaForCausalLM"), DENSE("GlmForCausalLM"),
    DENSE("Glm4ForCausalLM"), DENSE("Glm4MoeForCausalLM"), DENSE("MiniMaxM2ForCausalLM"),
    DENSE("GraniteForCausalLM"), DENSE("GraniteMoeSharedForCausalLM"),
    {.name = "GraniteMoeForCausalLM", .read = UL_VR_DENSE, .runner2 = true},
    DENSE("Starcoder2ForCausalLM"), DENSE("InternLM2ForCausalLM"), DENSE("InternLM3ForCausalLM"),
    DENSE("SeedOssForCausalLM"), DENSE("Ernie4_5ForCausalLM"), DENSE("Ernie4_5_MoeForCausalLM"),
    DENSE("ArceeForCausalLM"), DENSE("NemotronForCausalLM"), DENSE("OlmoForCausalLM"),
    DENSE("Olmo2ForCausalLM"), DENSE("OlmoeForCausalLM"), DENSE("HunYuanMoEV1ForCausalLM"),
    DENSE("HunYuanDenseV1ForCausalLM"), DENSE("StableLmForCausalLM"), DENSE("SolarForCausalLM"),
    DENSE("CohereForCausalLM"), DENSE("ExaoneForCausalLM"), DENSE("SmolLM3ForCausalLM"),
    DENSE("TeleChat2ForCausalLM"), DENSE("AquilaForCausalLM"), DENSE("OrionForCausalLM"),
    DENSE("BaichuanForCausalLM"), DENSE("BailingMoeForCausalLM"), DENSE("BailingMoeV2ForCausalLM"),
    DENSE("DeepseekForCausalLM"), DENSE("DbrxForCausalLM"), DENSE("MiMoForCausalLM"),
    DENSE("LlavaForConditionalGeneration"), DENSE("InternVLForConditionalGeneration"),
    QWEN("Qwen2ForCausalLM"), QWEN("Qwen3ForCausalLM"), QWEN("Qwen3MoeForCausalLM"),
    {.name = "Qwen2MoeForCausalLM", .read = UL_VR_DENSE, .window_switch = true, .runner2 = true},
    QWEN("Qwen2VLForConditionalGeneration"), QWEN("Qwen2_5_VLForConditionalGeneration"),
    QWEN("Qwen3VLForConditionalGeneration"), QWEN("Qwen3VLMoeForConditionalGeneration"),
    /* windows, in some or all layers */
    TYPES("LlamaForCausalLM"), TYPES("LLaMAForCausalLM"), TYPES("MistralForCausalLM"),
    TYPES("Ministral3ForCausalLM"), TYPES("CwmForCausalLM"),
    {.name = "Gemma2ForCausalLM", .read = UL_VR_TYPES, .pattern = 2, .heads = 8, .kv_heads = 4,
     .head_dim = 256, .max_len = 8192, .vocab = 256000},
    GEMMA3("Gemma3ForCausalLM"), GEMMA3("Gemma3ForConditionalGeneration"),
    {.name = "GptOssForCausalLM", .read = UL_VR_EVEN, .own_layout = true},
    {.name = "Cohere2ForCausalLM", .read = UL_VR_TYPES, .pattern = 4},
    {.name = "Olmo3ForCausalLM", .read = UL_VR_TYPES, .pattern = 4},
    TYPES("Exaone4ForCausalLM"), TYPES("ApertusForCausalLM"),
    {.name = "Gemma4ForCausalLM", .read = UL_VR_GEMMA4, .own_layout = true},
    {.name = "Gemma4ForConditionalGeneration", .read = UL_VR_GEMMA4, .own_layout = true},
    {.name = "Gemma4UnifiedForConditionalGeneration", .read = UL_VR_GEMMA4, .own_layout = true},
    {.name = "Llama4ForCausalLM", .read = UL_VR_LLAMA4, .own_layout = true},
    {.name = "Llama4ForConditionalGeneration", .read = UL_VR_LLAMA4, .own_layout = true},
    /* latents */
    {.name = "DeepseekV2ForCausalLM", .read = UL_VR_LATENT, .runner2 = true},
    LATENT("DeepseekV3ForCausalLM"), LATENT("DeepseekV32ForCausalLM"),
    LATENT("GlmMoeDsaForCausalLM"), LATENT("Glm4MoeLiteForCausalLM"),
    LATENT("KimiK25ForConditionalGeneration"), LATENT("KimiVLForConditionalGeneration"),
    LATENT("LongcatFlashForCausalLM"), LATENT("PanguUltraMoEForCausalLM"),
    LATENT("MistralLarge3ForCausalLM"),
    {.name = "DeepseekV4ForCausalLM", .read = UL_VR_V4, .runner2 = true, .own_layout = true},
    /* states beside attention, or alone */
    DELTA("Qwen3NextForCausalLM"), DELTA("Qwen3_5ForCausalLM"), DELTA("Qwen3_5MoeForCausalLM"),
    DELTA("Qwen3_5ForConditionalGeneration"), DELTA("Qwen3_5MoeForConditionalGeneration"),
    {.name = "KimiLinearForCausalLM", .read = UL_VR_KDA, .state = UL_VS_KDA, .conv_grows = true,
     .own_layout = true},
    {.name = "NemotronHForCausalLM", .read = UL_VR_PATTERN, .state = UL_VS_MAMBA2,
     .keys = UL_VK_NEMOTRON, .state_all = true, .conv_grows = true, .own_layout = true},
    {.name = "GraniteMoeHybridForCausalLM", .read = UL_VR_BLOCKS, .state = UL_VS_MAMBA2,
     .keys = UL_VK_GRANITE, .state_all = true, .own_layout = true},
    {.name = "BambaForCausalLM", .read = UL_VR_BLOCKS, .state = UL_VS_MAMBA2,
     .keys = UL_VK_GRANITE, .state_all = true, .own_layout = true},
    {.name = "FalconH1ForCausalLM", .read = UL_VR_BOTH, .state = UL_VS_MAMBA2,
     .keys = UL_VK_FALCON, .state_all = true, .own_layout = true},
    {.name = "JambaForCausalLM", .read = UL_VR_BLOCKS, .state = UL_VS_MAMBA1,
     .keys = UL_VK_GRANITE, .state_all = true, .own_layout = true},
    {.name = "Lfm2ForCausalLM", .read = UL_VR_BLOCKS, .state = UL_VS_CONV, .own_layout = true},
    {.name = "Lfm2MoeForCausalLM", .read = UL_VR_BLOCKS, .state = UL_VS_CONV, .own_layout = true},
    {.name = "MambaForCausalLM", .read = UL_VR_STATES, .state = UL_VS_MAMBA1,
     .keys = UL_VK_MAMBA, .state_all = true, .own_layout = true},
    {.name = "FalconMambaForCausalLM", .read = UL_VR_STATES, .state = UL_VS_MAMBA1,
     .keys = UL_VK_MAMBA, .state_all = true, .own_layout = true},
    {.name = "Mamba2ForCausalLM", .read = UL_VR_STATES, .state = UL_VS_MAMBA2,
     .keys = UL_VK_MAMBA, .state_all = true, .conv_grows = true, .own_layout = true},
    {.name = "MiniMaxText01ForCausalLM", .read = UL_VR_LIST, .state = UL_VS_LINEAR,
     .own_layout = true},
};

const struct ul_vclass *ul_vclass_at(size_t i)
{
    return i < sizeof classes / sizeof classes[0] ? &classes[i] : NULL;
}

const struct ul_vclass *ul_vclass_find(struct ul_str name)
{
    const struct ul_vclass *c;
    for (size_t i = 0; (c = ul_vclass_at(i)) != NULL; i++)
        if (ul_str_is(name, c->name))
            return c;
    return NULL;
}
