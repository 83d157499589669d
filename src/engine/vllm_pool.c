/* How vLLM divides the layers' caches into groups, and what follows: bytes a block, blocks a
 * request, the start-up check, the log's figures.
 *
 * All groups draw their blocks from one pool, so a block must have the same number of bytes for
 * every group. Layers that keep the same are put into groups of equal length, and the i-th layers
 * of all groups share memory. Where layers keep different amounts, small pages get more tokens
 * until all pages are equal. DeepSeek-V4 is the exception: there whole groups of different pages
 * lie over one another.
 *
 * Source: v1/core/kv_cache_utils.py; symbols beside the functions. */
#include "engine/vllm_pool.h"

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* ------------------------------------------------------------------ one request */

/* A window keeps its own tokens and those in flight, and one block more because it need not begin
 * at a block's start. SlidingWindowSpec.max_admission_blocks_per_request. */
static uint64_t window_blocks(const struct ul_vspec *s, const struct ul_vload *load,
                              uint64_t length)
{
    uint64_t kept = ul_add(ul_add(s->window - 1, load->retained), load->in_flight);
    return divide_up(ul_min(kept, length), s->block) + 1;
}

/* MambaSpec.max_memory_usage_bytes: the current state, in `align` mode also the last checkpoint. */
static uint64_t state_blocks(const struct ul_vspec *s, const struct ul_vload *load,
                             uint64_t length)
{
    if (load->mode == UL_V_STATE_ALL)
        return divide_up(length, s->block) + load->draft_tokens;
    return (load->mode == UL_V_STATE_ALIGN ? 2 : 1) + load->draft_tokens;
}

/* kv_cache_interface.py: max_memory_usage_bytes of each spec, in pages. */
uint64_t ul_vspec_blocks(const struct ul_vspec *s, const struct ul_vload *load, uint64_t length)
{
    uint64_t parts = load->dcp * (load->era->prefill_parallel ? load->pcp : 1);
    switch (s->kind) {
    case UL_V_WINDOW:
    case UL_V_WINDOW_MLA:
        return window_blocks(s, load, length);
    case UL_V_CHUNK:
        return divide_up(ul_min(ul_add(s->window, load->in_flight), length), s->block);
    case UL_V_STATE:
        return state_blocks(s, load, length);
    case UL_V_FULL:
    case UL_V_LATENT:
        break;
    }
    return divide_up(divide_up(length, parts), s->block);
}

/* ------------------------------------------------------------------ kinds that go together */

static bool is_full(const struct ul_vspec *s)
{
    return s->kind == UL_V_FULL || s->kind == UL_V_LATENT;
}

/* Specs that one group's block table can serve as one: equal but, for full attention, for a window
 * that only the arithmetic knows. KVCacheSpec.merge. */
static bool mergeable(const struct ul_vspec *a, const struct ul_vspec *b)
{
    return a->kind == b->kind && a->shape == b->shape && a->block == b->block && a->page == b->page
           && (is_full(a) || a->window == b->window);
}

static bool all_mergeable(const struct ul_vspec *specs, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (!mergeable(&specs[0], &specs[i]))
            return false;
    return true;
}

/* Needing the same token slots, though perhaps of different sizes:
 * UniformTypeKVCacheSpecs.is_uniform_type. */
static bool same_type(const struct ul_vspec *a, const struct ul_vspec *b)
{
    if (a->block != b->block)
        return false;
    if (is_full(a))
        return is_full(b);
    if (a->kind == UL_V_STATE)
        return b->kind == UL_V_STATE;
    if (a->kind == UL_V_WINDOW)
        return (b->kind == UL_V_WINDOW || b->kind == UL_V_WINDOW_MLA) && a->window == b->window;
    return a->kind == b->kind && a->window == b->window;
}

static bool all_same_type(const struct ul_vspec *specs, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (!same_type(&specs[0], &specs[i]))
            return false;
    return true;
}

static bool any_kind(const struct ul_vspec *specs, uint32_t n, enum ul_vkind kind)
{
    for (uint32_t i = 0; i < n; i++)
        if (specs[i].kind == kind)
            return true;
    return false;
}

/* ------------------------------------------------------------------ groups */

static struct ul_vgroup *add_group(struct ul_vpool *pool, struct ul_arena *a, uint32_t most)
{
    struct ul_vgroup *g = &pool->groups[pool->n_groups++];
    g->members = UL_NEWS(a, uint32_t, most ? most : 1);
    return g;
}

static void add_member(const struct ul_vpool *pool, struct ul_vgroup *g, uint32_t i)
{
    if (g->n == 0)
        g->spec = pool->specs[i];
    g->members[g->n++] = i;
}

/* One group of all layers; its page is one layer's, or the sum when pages differ. */
static void one_group(struct ul_vpool *pool, enum ul_vlayout layout, struct ul_arena *a)
{
    struct ul_vgroup *g = add_group(pool, a, pool->n_specs);
    pool->layout = layout;
    for (uint32_t i = 0; i < pool->n_specs; i++) {
        add_member(pool, g, i);
        g->page = layout == UL_V_SUM ? ul_add(g->page, pool->specs[i].page) : pool->specs[i].page;
    }
}

/* The layers that merge with the i-th, from it on; those already taken are marked. */
static uint32_t take_bucket(const struct ul_vpool *pool, uint32_t i, bool *taken, uint32_t *bucket)
{
    uint32_t n = 0;
    for (uint32_t k = i; k < pool->n_specs; k++)
        if (!taken[k] && mergeable(&pool->specs[i], &pool->specs[k])) {
            taken[k] = true;
            bucket[n++] = k;
        }
    return n;
}

/* The length of groups: the shortest bucket's, or the longest's when that pads little. */
static uint32_t group_length(const struct ul_vpool *pool, bool *taken, uint32_t *bucket)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < pool->n_specs; i++) {
        uint32_t n = taken[i] ? 0 : take_bucket(pool, i, taken, bucket);
        if (n) {
            least = n < least ? n : least;
            most = n > most ? n : most;
        }
    }
    return 2 * (uint64_t)most < 3 * (uint64_t)least ? most : least;
}

/* Every n-th layer goes to the same group, so that each pipeline stage has its part of each.
 * _get_kv_cache_groups_uniform_page_size. */
static void even_groups(struct ul_vpool *pool, struct ul_arena *a)
{
    uint32_t *bucket = UL_NEWS(a, uint32_t, pool->n_specs);
    uint32_t length = group_length(pool, UL_NEWS(a, bool, pool->n_specs), bucket);
    bool *taken = UL_NEWS(a, bool, pool->n_specs);
    pool->layout = UL_V_EVEN;
    for (uint32_t i = 0; i < pool->n_specs; i++) {
        uint32_t n = taken[i] ? 0 : take_bucket(pool, i, taken, bucket);
        uint32_t groups = n / length + (n % length != 0);
        for (uint32_t g = 0; g < groups; g++) {
            struct ul_vgroup *group = add_group(pool, a, n);
            for (uint32_t k = g; k < n; k += groups)
                add_member(pool, group, bucket[k]);
            group->page = group->spec.page;
        }
    }
}

/* ------------------------------------------------------------------ pages of one size */

/* A page that divides the largest grows by tokens; a state, and attention whose back-end strides,
 * is padded. unify_kv_cache_spec_page_size. */
static bool unify_one(struct ul_vspec *s, uint64_t largest, const struct ul_vera *era)
{
    bool padded = s->kind == UL_V_STATE;
    if (!padded && largest % s->page == 0)
        s->block = ul_mul(s->block, largest / s->page);
    else if (!padded && !s->strided && !(era->need_by_block && s->kind != UL_V_LATENT))
        return false;
    s->page = largest;
    return true;
}

static bool unify(struct ul_vpool *pool, const struct ul_vera *era)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < pool->n_specs; i++)
        largest = ul_max(largest, pool->specs[i].page);
    for (uint32_t i = 0; i < pool->n_specs; i++)
        if (pool->specs[i].page != largest && !unify_one(&pool->specs[i], largest, era))
            return false;
    return true;
}

/* ------------------------------------------------------------------ windows kept whole */

/* The one block size of the full-attention layers; 0 when they have several or there are none. */
static uint64_t full_block(const struct ul_vpool *pool)
{
    uint64_t block = 0;
    for (uint32_t i = 0; i < pool->n_specs; i++)
        if (is_full(&pool->specs[i])) {
            if (block && block != pool->specs[i].block)
                return 0;
            block = pool->specs[i].block;
        }
    return block;
}

/* Windows and chunks are kept as full attention. _promote_local_kv_cache_specs. */
static void promote(struct ul_vpool *pool)
{
    uint64_t full = full_block(pool);
    bool any_full = any_kind(pool->specs, pool->n_specs, UL_V_FULL)
                    || any_kind(pool->specs, pool->n_specs, UL_V_LATENT);
    for (uint32_t i = 0; any_full && i < pool->n_specs; i++) {
        struct ul_vspec *s = &pool->specs[i];
        if (is_full(s) || s->kind == UL_V_STATE)
            continue;
        uint64_t block = full ? full : s->block;
        s->page = ul_mul(s->page / s->block, block);
        s->block = block;
        s->kind = s->kind == UL_V_WINDOW_MLA ? UL_V_LATENT : UL_V_FULL;
    }
}

/* Latents with plain windows: the windows may be kept whole when pages cannot be unified.
 * _try_get_full_allocation_fallback_groups. */
static bool fall_back(struct ul_vpool *pool, struct ul_arena *a)
{
    const struct ul_vspec *s = pool->specs;
    uint32_t n = pool->n_specs;
    if (any_kind(s, n, UL_V_WINDOW_MLA) || any_kind(s, n, UL_V_CHUNK)
        || !any_kind(s, n, UL_V_LATENT) || !any_kind(s, n, UL_V_WINDOW))
        return false;
    promote(pool);
    if (!all_same_type(s, n))
        return false;
    pool->promoted = true;
    one_group(pool, UL_V_SUM, a);
    return true;
}

/* ------------------------------------------------------------------ packed pools */

static bool same_window_group(const struct ul_vspec *a, const struct ul_vspec *b)
{
    return a->kind == UL_V_WINDOW_MLA && b->kind == UL_V_WINDOW_MLA && a->block == b->block
           && a->window == b->window;
}

/* How many layers of the most frequent page size a list of specs has. */
static uint32_t most_of_a_size(const struct ul_vpool *pool, const uint32_t *members, uint32_t n)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < n; k++)
            same += pool->specs[members[k]].page == pool->specs[members[i]].page;
        most = same > most ? same : most;
    }
    return most;
}

/* The length into which lists are cut with the least padding, at least `least`; the longer of
 * equals. _approximate_gcd. */
static uint32_t common_length(const uint32_t *lengths, uint32_t n, uint32_t least)
{
    uint32_t most = 0, best = least;
    uint64_t best_pad = UINT64_MAX;
    for (uint32_t i = 0; i < n; i++)
        most = lengths[i] > most ? lengths[i] : most;
    for (uint32_t d = least; d && d <= most; d++) {
        uint64_t pad = 0;
        for (uint32_t i = 0; i < n; i++)
            pad += (d - lengths[i] % d) % d;
        if (pad <= best_pad) {
            best_pad = pad;
            best = d;
        }
    }
    return best;
}

static void close_packed(const struct ul_vpool *pool, struct ul_vgroup *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        g->page = ul_add(g->page, pool->specs[g->members[i]].page);
    g->tuples = most_of_a_size(pool, g->members, g->n);
}

/* The layers of the i-th spec's list: all history, or all of one window. */
static uint32_t packed_list(const struct ul_vpool *pool, uint32_t i, bool *taken, uint32_t *list)
{
    uint32_t n = 0;
    for (uint32_t k = i; k < pool->n_specs; k++)
        if (!taken[k] && (is_full(&pool->specs[i])
                              ? is_full(&pool->specs[k])
                              : same_window_group(&pool->specs[i], &pool->specs[k]))) {
            taken[k] = true;
            list[n++] = k;
        }
    return n;
}

/* How many layers of the same page size come before the k-th of a list. */
static uint32_t rank_in_size(const struct ul_vpool *pool, const uint32_t *list, uint32_t k)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < k; i++)
        rank += pool->specs[list[i]].page == pool->specs[list[k]].page;
    return rank;
}

/* History in one group, windows cut to about its length: every n-th tuple to the same group. */
static void split_list(struct ul_vpool *pool, const uint32_t *list, uint32_t n, uint32_t length,
                       struct ul_arena *a)
{
    uint32_t most = most_of_a_size(pool, list, n);
    bool history = is_full(&pool->specs[list[0]]);
    uint32_t groups = history || !length ? 1 : most / length + (most % length != 0);
    for (uint32_t g = 0; g < groups; g++) {
        struct ul_vgroup *group = add_group(pool, a, n);
        for (uint32_t k = 0; k < n; k++)
            if (history || rank_in_size(pool, list, k) % groups == g)
                add_member(pool, group, list[k]);
        close_packed(pool, group);
    }
}

/* Until 0.26 a state's page was padded to the next page size that the history has. */
static void pad_states(struct ul_vpool *pool)
{
    for (uint32_t i = 0; i < pool->n_specs; i++) {
        uint64_t next = UINT64_MAX;
        for (uint32_t k = 0; k < pool->n_specs; k++)
            if (is_full(&pool->specs[k]) && pool->specs[k].page >= pool->specs[i].page)
                next = ul_min(next, pool->specs[k].page);
        if (pool->specs[i].kind == UL_V_WINDOW_MLA && next != UINT64_MAX)
            pool->specs[i].page = next;
    }
}

/* group_and_unify_kv_cache_specs, _get_kv_cache_groups_uniform_groups; from 0.30 on
 * kv_cache_planning.py: _get_packed_kv_cache_groups, which cuts these specs alike. The lists are
 * walked twice: for the lengths, then to cut them. The history's list comes first. */
static void packed_groups(struct ul_vpool *pool, const struct ul_vera *era, struct ul_arena *a)
{
    uint32_t n = pool->n_specs, n_lists = 0, history = 0;
    uint32_t *list = UL_NEWS(a, uint32_t, n), *lengths = UL_NEWS(a, uint32_t, n);
    bool *taken = UL_NEWS(a, bool, n);
    pool->layout = UL_V_PACKED;
    if (era->v4 != UL_V4_WIDEST)
        pad_states(pool);
    while (history < n && !is_full(&pool->specs[history]))
        history++;
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t at = i ? i - 1 : history;
        uint32_t k = taken[at] ? 0 : packed_list(pool, at, taken, list);
        if (k)
            lengths[n_lists++] = most_of_a_size(pool, list, k);
    }
    uint32_t length = common_length(lengths, n_lists, lengths[0]);
    taken = UL_NEWS(a, bool, n);
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t at = i ? i - 1 : history;
        uint32_t k = taken[at] ? 0 : packed_list(pool, at, taken, list);
        if (k)
            split_list(pool, list, k, length, a);
    }
}

static bool pages_differ(const struct ul_vpool *pool)
{
    for (uint32_t i = 1; i < pool->n_specs; i++)
        if (pool->specs[i].page != pool->specs[0].page)
            return true;
    return false;
}

/* Whether packing applies: windows in latent form beside history, with several page sizes. */
static bool is_packed(const struct ul_vpool *pool)
{
    bool history = any_kind(pool->specs, pool->n_specs, UL_V_LATENT);
    return history && any_kind(pool->specs, pool->n_specs, UL_V_WINDOW_MLA) && pages_differ(pool);
}

/* ------------------------------------------------------------------ making a pool */

static int refuse(ullage_error *err, const char *what)
{
    return ul_fail(err, ULLAGE_ERROR_REFUSED, ULLAGE_NO_POSITION,
                   "vLLM refuses this model's cache: %s", what);
}

/* get_kv_cache_groups. */
int ul_vpool_make(struct ul_vpool *pool, const struct ul_vspec *specs, uint32_t n, bool hybrid,
                  const struct ul_vload *load, struct ul_arena *a, ullage_error *err)
{
    *pool = (struct ul_vpool){.n_specs = n, .specs = UL_NEWS(a, struct ul_vspec, n ? n : 1)};
    pool->groups = UL_NEWS(a, struct ul_vgroup, n ? n : 1);
    if (n == 0)
        return ULLAGE_OK;
    memcpy(pool->specs, specs, n * sizeof *specs);
    if (!hybrid && !all_mergeable(pool->specs, n) && !all_same_type(pool->specs, n)) {
        promote(pool);
        if (!all_mergeable(pool->specs, n) && !all_same_type(pool->specs, n))
            return refuse(err, "its layers cannot be kept as one kind, as "
                               "--disable-hybrid-kv-cache-manager asks");
    }
    if (all_mergeable(pool->specs, n))
        one_group(pool, UL_V_EVEN, a);
    else if (all_same_type(pool->specs, n))
        one_group(pool, UL_V_SUM, a);
    else if (is_packed(pool))
        packed_groups(pool, load->era, a);
    else if (unify(pool, load->era))
        even_groups(pool, a);
    else {
        memcpy(pool->specs, specs, n * sizeof *specs);
        if (!fall_back(pool, a))
            return refuse(err, "the layers' pages do not divide one another");
    }
    return ULLAGE_OK;
}

/* ------------------------------------------------------------------ what a rank holds */

static bool in_stage(const struct ul_vpool *pool, const struct ul_vgroup *g, uint32_t i,
                     struct ul_vstage stage)
{
    uint32_t layer = pool->specs[g->members[i]].layer;
    return layer >= stage.first && layer < stage.end;
}

/* Bytes of one block in a group's layers of this stage. */
static uint64_t group_bytes(const struct ul_vpool *pool, const struct ul_vgroup *g,
                            struct ul_vstage stage)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < g->n; i++)
        if (in_stage(pool, g, i, stage))
            bytes = ul_add(bytes, pool->specs[g->members[i]].page);
    return bytes;
}

static uint64_t widest_group(const struct ul_vpool *pool, struct ul_vstage stage)
{
    uint64_t widest = 0;
    for (uint32_t g = 0; g < pool->n_groups; g++)
        widest = ul_max(widest, group_bytes(pool, &pool->groups[g], stage));
    return widest;
}

/* How many layers of `page` bytes a group has in this stage. */
static uint32_t count_size(const struct ul_vpool *pool, const struct ul_vgroup *g, uint64_t page,
                           struct ul_vstage stage)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++)
        n += in_stage(pool, g, i, stage) && pool->specs[g->members[i]].page == page;
    return n;
}

/* Sums over the page sizes that the history has: once each, or as often as any group has it. */
static uint64_t sizes_bytes(const struct ul_vpool *pool, struct ul_vstage stage, bool as_often)
{
    const struct ul_vgroup *history = &pool->groups[0];
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < history->n; i++) {
        uint64_t page = pool->specs[history->members[i]].page;
        bool seen = false;
        for (uint32_t k = 0; k < i; k++)
            seen |= in_stage(pool, history, k, stage)
                    && pool->specs[history->members[k]].page == page;
        if (seen || !in_stage(pool, history, i, stage))
            continue;
        uint32_t most = as_often ? 0 : 1;
        for (uint32_t g = 0; as_often && g < pool->n_groups; g++) {
            uint32_t n = count_size(pool, &pool->groups[g], page, stage);
            most = n > most ? n : most;
        }
        bytes = ul_add(bytes, ul_mul(page, most));
    }
    return bytes;
}

/* The most layers of one page size that a group has here, times one page of each size: the layout
 * of old, which the start-up check kept until 0.29. */
static uint64_t tuple_bytes(const struct ul_vpool *pool, struct ul_vstage stage)
{
    uint32_t most = 0;
    for (uint32_t g = 0; g < pool->n_groups; g++)
        for (uint32_t i = 0; i < pool->groups[g].n; i++) {
            uint64_t page = pool->specs[pool->groups[g].members[i]].page;
            uint32_t n = count_size(pool, &pool->groups[g], page, stage);
            most = n > most ? n : most;
        }
    return ul_mul(sizes_bytes(pool, stage, false), most);
}

/* _pool_bytes_per_block; get_kv_cache_config_from_groups. */
uint64_t ul_vpool_block_bytes(const struct ul_vpool *pool, const struct ul_vload *load,
                              struct ul_vstage stage)
{
    if (pool->layout == UL_V_PACKED && load->era->v4 == UL_V4_TUPLES)
        return tuple_bytes(pool, stage);
    if (pool->layout == UL_V_PACKED && load->era->v4 == UL_V4_BY_SIZE)
        return sizes_bytes(pool, stage, true);
    return widest_group(pool, stage);
}

static uint64_t sum_of_blocks(const struct ul_vpool *pool, const struct ul_vload *load,
                              uint64_t length)
{
    uint64_t blocks = 0;
    for (uint32_t g = 0; g < pool->n_groups; g++)
        blocks = ul_add(blocks, ul_vspec_blocks(&pool->groups[g].spec, load, length));
    return blocks;
}

/* _max_memory_usage_bytes_from_groups. */
uint64_t ul_vpool_need(const struct ul_vpool *pool, const struct ul_vload *load,
                       struct ul_vstage stage, uint64_t length)
{
    bool old = pool->layout == UL_V_PACKED && !load->era->need_by_block;
    uint64_t bytes = old ? tuple_bytes(pool, stage) : ul_vpool_block_bytes(pool, load, stage);
    return ul_mul(bytes, sum_of_blocks(pool, load, length));
}

/* get_max_concurrency_for_kv_cache_config: once rounded over all groups' bytes, then a group. */
uint64_t ul_vpool_request_blocks(const struct ul_vpool *pool, const struct ul_vload *load,
                                 uint64_t length)
{
    uint64_t bytes = 0;
    if (!load->era->request_by_bytes || pool->n_groups == 0)
        return sum_of_blocks(pool, load, length);
    for (uint32_t g = 0; g < pool->n_groups; g++)
        bytes = ul_add(bytes, ul_mul(pool->groups[g].page,
                                     ul_vspec_blocks(&pool->groups[g].spec, load, length)));
    return divide_up(bytes, pool->groups[0].page);
}

/* _estimate_max_model_len_from_groups: what a request needs never falls with its length. */
uint64_t ul_vpool_longest(const struct ul_vpool *pool, const struct ul_vload *load,
                          struct ul_vstage stage, uint64_t available, uint64_t cap)
{
    uint64_t low = 0, high = cap;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (ul_vpool_need(pool, load, stage, middle) <= available)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* _report_kv_cache_config, update_kv_cache_capacity. Doubles as in Python, truncated. */
uint64_t ul_vpool_tokens(const struct ul_vpool *pool, const struct ul_vload *load, uint64_t blocks,
                         uint64_t length)
{
    uint64_t least = UINT64_MAX, request = ul_vpool_request_blocks(pool, load, length);
    if (pool->n_groups == 0 || request == 0)
        return 0;
    for (uint32_t g = 0; g < pool->n_groups; g++)
        least = ul_min(least, pool->groups[g].spec.block);
    if (load->era->tokens_by_blocks)
        return ul_mul(ul_mul(blocks / pool->n_groups, least), load->dcp * load->pcp);
    return (uint64_t)((double)blocks / (double)request * (double)length);
}
