/* The commands that start a planned vLLM server on one machine or several, for engines as they are:
 * vLLM's own multi-machine start, Ray, a LeaderWorkerSet on Kubernetes, and llama.cpp with RPC
 * servers for the same work.
 *
 * What the plan does not know is a placeholder in capitals: MODEL, LEADER, WORKER1 and so on.
 * Source: vLLM's docs/serving/parallelism_scaling.md; kubernetes-sigs/lws, docs/examples/vllm;
 * llama.cpp's tools/rpc/README.md. */
#include "engine/vllm_server.h"
#include "report/text.h"

#include <inttypes.h>

struct job {
    const struct ullage_vllm *plan;
    const ullage_vllm_info *i;
    uint32_t nodes, per_node; /* machines of one engine, and GPUs of each */
    const char *model;
};

/* A pipeline's stages are spread over machines; each holds whole stages. */
static bool divide(struct job *j, ullage_error *err)
{
    uint32_t engine = j->i->tp * j->i->pp;
    j->per_node = j->plan->goal.per_node ? j->plan->goal.per_node : engine;
    if (j->per_node > engine)
        j->per_node = engine;
    j->nodes = engine / j->per_node;
    if (engine % j->per_node == 0 && j->per_node % j->i->tp == 0)
        return true;
    ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
            "%u GPUs of an engine do not divide into machines of %u with whole pipeline stages",
            engine, j->per_node);
    return false;
}

/* Whether engines beside one another take more than one machine. */
static bool spread(const struct job *j)
{
    uint32_t node = j->plan->goal.per_node;
    return j->i->dp > 1 && node && j->i->tp * j->i->pp * j->i->dp > node;
}

/* ------------------------------------------------------------------ words of a line */

static bool plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || strchr("-_./=:,+@%", c) != NULL;
}

/* A word for a shell, quoted when it must be. */
static void word(struct ul_text *out, const char *w)
{
    bool safe = *w != '\0';
    for (const char *p = w; *p; p++)
        safe &= plain(*p);
    ul_text_puts(out, safe ? w : "'");
    for (const char *p = w; !safe && *p; p++) {
        if (*p == '\'')
            ul_text_puts(out, "'\\''");
        else
            ul_text_add(out, p, 1);
    }
    if (!safe)
        ul_text_puts(out, "'");
}

static void model_word(struct ul_text *out, const struct job *j)
{
    word(out, j->model);
}

/* What decides the size, alike on every machine. */
static void sizing(struct ul_text *out, const struct job *j)
{
    const struct ul_vsettings *s = &j->plan->v.s;
    ul_text_printf(out, " --tensor-parallel-size %u", j->i->tp);
    if (j->i->dp > 1)
        ul_text_printf(out, " --data-parallel-size %u", j->i->dp);
    if (j->i->known && j->i->low.max_len)
        ul_text_printf(out, " --max-model-len %" PRIu64, j->i->low.max_len);
    ul_text_printf(out, " --max-num-seqs %" PRIu64 " --max-num-batched-tokens %" PRIu64,
                   j->i->max_seqs, j->i->batched_tokens);
    if (s->cache_dtype) {
        ul_text_puts(out, " --kv-cache-dtype ");
        word(out, s->cache_dtype);
    }
    if (s->quant) {
        ul_text_puts(out, " --quantization ");
        word(out, s->quant);
    }
    if (s->share > 0)
        ul_text_printf(out, " --gpu-memory-utilization %g", s->share);
    if (s->kv_bytes)
        ul_text_printf(out, " --kv-cache-memory-bytes %" PRIu64, s->kv_bytes);
    if (s->ep == 1)
        ul_text_puts(out, " --enable-expert-parallel");
    if (s->dcp > 1)
        ul_text_printf(out, " --decode-context-parallel-size %" PRIu64, s->dcp);
}

static void serve(struct ul_text *out, const struct job *j)
{
    ul_text_puts(out, "vllm serve ");
    model_word(out, j);
    sizing(out, j);
    if (j->i->pp > 1)
        ul_text_printf(out, " --pipeline-parallel-size %u", j->i->pp);
}

/* ------------------------------------------------------------------ shells */

/* Whole engines on each of several machines: the first is asked, the others serve it. */
static void native_engines(struct ul_text *out, const struct job *j)
{
    uint32_t local = j->plan->goal.per_node / (j->i->tp * j->i->pp);
    for (uint32_t k = 0; k * local < j->i->dp; k++) {
        ul_text_printf(out, "# on machine %u\n", k);
        serve(out, j);
        ul_text_printf(out, " --data-parallel-size-local %u --data-parallel-address LEADER "
                            "--data-parallel-rpc-port 13345", local);
        if (k)
            ul_text_printf(out, " --headless --data-parallel-start-rank %u", k * local);
        ul_text_puts(out, "\n");
    }
}

static void native(struct ul_text *out, const struct job *j)
{
    if (spread(j)) {
        native_engines(out, j);
        return;
    }
    for (uint32_t k = 0; k < j->nodes; k++) {
        if (j->nodes > 1)
            ul_text_printf(out, "# on machine %u\n", k);
        serve(out, j);
        if (j->nodes > 1)
            ul_text_printf(out, " --nnodes %u --node-rank %u --master-addr LEADER "
                                "--distributed-executor-backend mp%s", j->nodes, k,
                           k ? " --headless" : "");
        ul_text_puts(out, "\n");
    }
}

static void ray(struct ul_text *out, const struct job *j)
{
    ul_text_puts(out, "# on the leader\nray start --head --port=6379\n");
    if (j->nodes > 1)
        ul_text_printf(out, "# on each of the %u others\nray start --address=LEADER:6379 --block\n",
                       j->nodes - 1);
    ul_text_puts(out, "# once, on the leader\n");
    serve(out, j);
    ul_text_puts(out, " --distributed-executor-backend ray\n");
}

/* llama.cpp puts RPC devices before its own, and without -ts divides the layers by what is free on
 * each, which RPC servers report too. */
static void llama_rpc(struct ul_text *out, const struct job *j)
{
    const ullage_vllm_goal *g = &j->plan->goal;
    uint64_t slots = g->requests ? g->requests : 1;
    uint64_t length = g->tokens ? g->tokens : j->i->low.max_len ? j->i->low.max_len : 4096;
    if (j->nodes > 1)
        ul_text_printf(out, "# on each of the %u workers; no password: a private network only\n"
                            "ggml-rpc-server -H 0.0.0.0 -p 50052\n", j->nodes - 1);
    ul_text_printf(out, "# on the leader\nllama-server -m MODEL.gguf -c %" PRIu64 " -np %" PRIu64
                        " -ngl all -fa on", ul_mul(slots, length), slots);
    for (uint32_t k = 1; k < j->nodes; k++)
        ul_text_printf(out, "%sWORKER%u:50052", k == 1 ? " --rpc " : ",", k);
    ul_text_puts(out, " --host 0.0.0.0 --port 8080\n");
}

/* ------------------------------------------------------------------ Kubernetes */

/* A shell line inside a YAML string in double quotes. */
static void yaml_line(struct ul_text *out, const char *line)
{
    for (; *line; line++) {
        if (*line == '"' || *line == '\\')
            ul_text_puts(out, "\\");
        ul_text_add(out, line, 1);
    }
}

static void container(struct ul_text *out, const struct job *j, const char *name, bool leader)
{
    struct ul_text line = {.arena = out->arena};
    serve(&line, j);
    if (leader)
        ul_text_puts(&line, " --port 8080");
    if (j->nodes > 1)
        ul_text_printf(&line, " --nnodes $(LWS_GROUP_SIZE) --node-rank $(LWS_WORKER_INDEX) "
                              "--master-addr $(LWS_LEADER_ADDRESS) "
                              "--distributed-executor-backend mp%s", leader ? "" : " --headless");
    ul_text_printf(out, "        - name: %s\n          image: vllm/vllm-openai:v%s.0\n"
                        "          command: [sh, -c, \"", name, j->i->version);
    yaml_line(out, line.p);
    ul_text_printf(out,
                   "\"]\n          resources:\n            limits: {nvidia.com/gpu: \"%u\"}\n"
                   "            requests: {nvidia.com/gpu: \"%u\"}\n",
                   j->per_node, j->per_node);
    if (leader)
        ul_text_puts(out, "          ports: [{containerPort: 8080}]\n"
                          "          readinessProbe:\n            tcpSocket: {port: 8080}\n"
                          "            initialDelaySeconds: 15\n            periodSeconds: 10\n");
    ul_text_puts(out, "          volumeMounts: [{mountPath: /dev/shm, name: dshm}]\n"
                      "        volumes:\n"
                      "        - {name: dshm, emptyDir: {medium: Memory, sizeLimit: 15Gi}}\n");
}

static void lws(struct ul_text *out, const struct job *j)
{
    ul_text_printf(out, "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\n"
                        "metadata: {name: vllm}\nspec:\n  replicas: 1\n  leaderWorkerTemplate:\n"
                        "    size: %u\n    restartPolicy: RecreateGroupOnPodRestart\n"
                        "    leaderTemplate:\n      metadata: {labels: {role: leader}}\n"
                        "      spec:\n        containers:\n", j->nodes);
    container(out, j, "vllm-leader", true);
    ul_text_puts(out, "    workerTemplate:\n      spec:\n        containers:\n");
    container(out, j, "vllm-worker", false);
    ul_text_puts(out, "---\napiVersion: v1\nkind: Service\nmetadata: {name: vllm-leader}\nspec:\n"
                      "  type: ClusterIP\n  ports: [{name: http, port: 8080, targetPort: 8080}]\n"
                      "  selector: {leaderworkerset.sigs.k8s.io/name: vllm, role: leader}\n");
}

/* ------------------------------------------------------------------ the entry point */

/* Engines beside one another over several machines: vLLM's own way only, and each on one. */
static bool can(const struct job *j, int how, ullage_error *err)
{
    if (how == ULLAGE_LAUNCH_LLAMA_RPC || !spread(j)
        || (how == ULLAGE_LAUNCH_NATIVE && j->nodes == 1))
        return true;
    ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
            "data parallelism over several machines is written for 'native' only, with whole "
            "engines on each machine");
    return false;
}

char *ullage_vllm_launch(const ullage_vllm *plan, int how, ullage_error *err)
{
    struct ul_arena a = {0};
    struct job j = {.plan = plan, .i = &plan->v.info,
                    .model = plan->v.s.model ? plan->v.s.model : "MODEL"};
    jmp_buf oom;
    char *volatile result = NULL;
    if (!divide(&j, err) || !can(&j, how, err))
        return NULL;
    if (setjmp(oom) == 0) {
        a.oom = &oom;
        struct ul_text out = {.arena = &a};
        void (*const writers[])(struct ul_text *, const struct job *) = {
            [ULLAGE_LAUNCH_NATIVE] = native, [ULLAGE_LAUNCH_RAY] = ray,
            [ULLAGE_LAUNCH_LWS] = lws, [ULLAGE_LAUNCH_LLAMA_RPC] = llama_rpc};
        writers[how](&out, &j);
        result = ul_text_take(&out);
    }
    ul_arena_free(&a);
    return result;
}
