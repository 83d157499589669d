/* Writes GGUF files in memory, good ones and bad ones, for tests, fuzz seeds and benchmarks.
 *
 *     struct mkgguf m = {.version = 3};
 *     mk_begin(&m);
 *     mk_kv_u32(&m, "llama.block_count", 2);
 *     mk_tensor2(&m, "output.weight", UL_Q4_K, 256, 1000);
 *     mk_end(&m);              -> m.p, m.n: the header; the data that it promises is not there
 *
 * Everything can be written wrong: the pieces (mk_32, mk_str, mk_key ...) are there to be combined
 * freely, and counts and offsets can be overwritten with mk_patch. */
#ifndef MKGGUF_H
#define MKGGUF_H

#include "source/gguf.h"

#include <stdio.h>
#include <stdlib.h>

struct mkgguf {
    uint32_t version;
    bool big;           /* big-endian */
    uint32_t alignment; /* 0: 32, the default; set it beside the key */
    unsigned char *p;
    size_t n, cap;
    uint64_t n_kv, n_tensors;
    uint64_t data; /* padded bytes of tensor data so far */
};

static inline void mk_raw(struct mkgguf *m, const void *p, size_t n)
{
    if (m->n + n > m->cap) {
        m->cap = (m->n + n) * 2 + 256;
        m->p = realloc(m->p, m->cap);
        if (!m->p)
            abort();
    }
    if (n)
        memcpy(m->p + m->n, p, n);
    m->n += n;
}

static inline void mk_number(struct mkgguf *m, uint64_t v, size_t n)
{
    unsigned char b[8];
    for (size_t i = 0; i < n; i++)
        b[m->big ? n - 1 - i : i] = (unsigned char)(v >> 8 * i);
    mk_raw(m, b, n);
}

static inline void mk_8(struct mkgguf *m, uint64_t v) { mk_number(m, v, 1); }
static inline void mk_16(struct mkgguf *m, uint64_t v) { mk_number(m, v, 2); }
static inline void mk_32(struct mkgguf *m, uint64_t v) { mk_number(m, v, 4); }
static inline void mk_64(struct mkgguf *m, uint64_t v) { mk_number(m, v, 8); }

static inline void mk_f32(struct mkgguf *m, float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    mk_32(m, u);
}

static inline void mk_f64(struct mkgguf *m, double f)
{
    uint64_t u;
    memcpy(&u, &f, sizeof u);
    mk_64(m, u);
}

static inline void mk_strn(struct mkgguf *m, const char *s, size_t n)
{
    mk_64(m, n);
    mk_raw(m, s, n);
}

static inline void mk_str(struct mkgguf *m, const char *s) { mk_strn(m, s, strlen(s)); }

/* Overwrites n bytes at `at`. */
static inline void mk_patch(struct mkgguf *m, size_t at, uint64_t v, size_t n)
{
    size_t end = m->n;
    m->n = at;
    mk_number(m, v, n);
    m->n = end;
}

static inline void mk_begin(struct mkgguf *m)
{
    m->n = 0;
    m->n_kv = m->n_tensors = m->data = 0;
    mk_raw(m, "GGUF", 4);
    mk_32(m, m->version);
    mk_64(m, 0);
    mk_64(m, 0);
}

#define MK_AT_VERSION 4
#define MK_AT_TENSORS 8
#define MK_AT_KVS 16
#define MK_AT_FIRST 24

/* A key and its value's type; the value must follow. */
static inline void mk_key(struct mkgguf *m, const char *key, uint32_t type)
{
    mk_str(m, key);
    mk_32(m, type);
    m->n_kv++;
}

static inline void mk_kv_u32(struct mkgguf *m, const char *key, uint32_t v)
{
    mk_key(m, key, UL_GGUF_U32);
    mk_32(m, v);
}

static inline void mk_kv_u16(struct mkgguf *m, const char *key, uint16_t v)
{
    mk_key(m, key, UL_GGUF_U16);
    mk_16(m, v);
}

static inline void mk_kv_i32(struct mkgguf *m, const char *key, int32_t v)
{
    mk_key(m, key, UL_GGUF_I32);
    mk_32(m, (uint32_t)v);
}

static inline void mk_kv_f32(struct mkgguf *m, const char *key, float v)
{
    mk_key(m, key, UL_GGUF_F32);
    mk_f32(m, v);
}

static inline void mk_kv_str(struct mkgguf *m, const char *key, const char *v)
{
    mk_key(m, key, UL_GGUF_STRING);
    mk_str(m, v);
}

/* An array's head; its n items must follow. */
static inline void mk_array(struct mkgguf *m, const char *key, uint32_t item, uint64_t n)
{
    mk_key(m, key, UL_GGUF_ARRAY);
    mk_32(m, item);
    mk_64(m, n);
}

static inline void mk_kv_u32s(struct mkgguf *m, const char *key, const uint32_t *v, size_t n)
{
    mk_array(m, key, UL_GGUF_U32, n);
    for (size_t i = 0; i < n; i++)
        mk_32(m, v[i]);
}

/* One tensor's record. `offset` UINT64_MAX: the right one. */
static inline void mk_tensor_at(struct mkgguf *m, const char *name, uint32_t type, uint32_t n_dims,
                                const uint64_t *ne, uint64_t offset)
{
    const struct ul_type_info *t = ul_type_info(type);
    uint64_t align = m->alignment ? m->alignment : 32, bytes = 0;
    mk_str(m, name);
    mk_32(m, n_dims);
    for (uint32_t i = 0; i < n_dims && i < 8; i++)
        mk_64(m, ne[i]);
    mk_32(m, type);
    mk_64(m, offset == UINT64_MAX ? m->data : offset);
    if (t && t->block) {
        bytes = n_dims ? ne[0] / t->block * t->bytes : t->bytes;
        for (uint32_t i = 1; i < n_dims && i < 4; i++)
            bytes *= ne[i];
    }
    m->data += (bytes + align - 1) / align * align;
    m->n_tensors++;
}

static inline void mk_tensor(struct mkgguf *m, const char *name, uint32_t type, uint32_t n_dims,
                             const uint64_t *ne)
{
    mk_tensor_at(m, name, type, n_dims, ne, UINT64_MAX);
}

static inline void mk_tensor1(struct mkgguf *m, const char *name, uint32_t type, uint64_t a)
{
    mk_tensor(m, name, type, 1, (uint64_t[]){a});
}

static inline void mk_tensor2(struct mkgguf *m, const char *name, uint32_t type, uint64_t a,
                              uint64_t b)
{
    mk_tensor(m, name, type, 2, (uint64_t[]){a, b});
}

/* Where the data would start, and the whole file's size. */
static inline uint64_t mk_data_start(const struct mkgguf *m)
{
    uint64_t align = m->alignment ? m->alignment : 32;
    return m->n_tensors ? (m->n + align - 1) / align * align : m->n;
}

static inline uint64_t mk_full_size(const struct mkgguf *m) { return mk_data_start(m) + m->data; }

/* Writes the counts into the head. */
static inline void mk_end(struct mkgguf *m)
{
    mk_patch(m, MK_AT_TENSORS, m->n_tensors, 8);
    mk_patch(m, MK_AT_KVS, m->n_kv, 8);
}

/* Appends zeros where the data would be (small files only). */
static inline void mk_zeros(struct mkgguf *m, uint64_t size)
{
    while (m->n < size)
        mk_8(m, 0);
}

static inline void mk_write(const struct mkgguf *m, const char *path)
{
    FILE *f = fopen(path, "wb");
    if (!f || (m->n && fwrite(m->p, m->n, 1, f) != 1) || fclose(f) != 0) {
        perror(path);
        abort();
    }
}

static inline void mk_free(struct mkgguf *m)
{
    free(m->p);
    *m = (struct mkgguf){.version = m->version, .big = m->big};
}

#endif
