/* The store. Four tables: a measurement with its conditions, its runs, what each run read at each
 * place, and the figures of each place: a GPU's own, under the measurement's driver and engine.
 * Unknown is NULL. The curve of a run over time is kept as a blob of
 * numbers, for the report of a measurement that was resumed. */
#define _GNU_SOURCE
#include "measure/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct ul_store {
    sqlite3 *db;
};

static const char *const schema =
    "PRAGMA busy_timeout = 3000;"
    "CREATE TABLE IF NOT EXISTS measurement(id INTEGER PRIMARY KEY, started TEXT, status TEXT,"
    " key TEXT, host TEXT, engine TEXT, gpu TEXT, driver TEXT, reader TEXT, model TEXT,"
    " model_bytes INTEGER, flags TEXT, n_ctx INTEGER);"
    "CREATE TABLE IF NOT EXISTS figure(measurement INTEGER, place INTEGER, gpu TEXT, device TEXT,"
    " limit_bytes INTEGER, slope REAL, runtime_bytes INTEGER, pool_bytes INTEGER,"
    " prompt_bytes INTEGER);"
    "CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, measurement INTEGER, is_check INTEGER,"
    " n_ctx INTEGER, attempt INTEGER, prompt_tokens INTEGER, ready_seconds REAL,"
    " prompt_seconds REAL, differs INTEGER, samples BLOB);"
    "CREATE TABLE IF NOT EXISTS reading(run INTEGER, place INTEGER, name TEXT, load INTEGER,"
    " peak INTEGER, logged INTEGER, computed INTEGER);"
    "CREATE TABLE IF NOT EXISTS profile(host TEXT, gpu TEXT, conditions TEXT, bytes INTEGER,"
    " PRIMARY KEY(host, gpu, conditions));"
    "PRAGMA user_version = 2;";

/* ------------------------------------------------------------------ the folder */

bool ul_store_folder(char *path, size_t size, bool make)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int n = data && *data ? snprintf(path, size, "%s/ullage", data)
            : home && *home ? snprintf(path, size, "%s/.local/share/ullage", home)
                            : -1;
    if (n < 0 || (size_t)n >= size)
        return false;
    for (char *p = path + 1; make && (p = strchr(p, '/')); *p++ = '/') {
        *p = '\0';
        mkdir(path, 0777);
    }
    return !make || mkdir(path, 0777) == 0 || errno == EEXIST;
}

int ul_store_lock(const char *folder, int *pid)
{
    char path[4096], text[32];
    *pid = 0;
    if ((size_t)snprintf(path, sizeof path, "%s/measure.lock", folder) >= sizeof path)
        return -1;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        int n = snprintf(text, sizeof text, "%d\n", (int)getpid());
        if (ftruncate(fd, 0) || write(fd, text, (size_t)n) != n)
            *pid = 0; /* a full disk: the lock holds all the same */
        return fd;
    }
    ssize_t n = read(fd, text, sizeof text - 1);
    text[n > 0 ? n : 0] = '\0';
    *pid = atoi(text);
    *pid = *pid > 0 ? *pid : -1;
    close(fd);
    return -1;
}

/* ------------------------------------------------------------------ opening */

static int fail(struct ul_store *s, ullage_error *err)
{
    return ul_fail(err, ULLAGE_ERROR_IO, ULLAGE_NO_POSITION,
                   "cannot save the measurement: %s; make room, or set XDG_DATA_HOME to another "
                   "folder", s && s->db ? sqlite3_errmsg(s->db) : "out of memory");
}

static int open_as(struct ul_store **out, const char *folder, int flags, ullage_error *err)
{
    char path[4096];
    struct ul_store *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s && (size_t)snprintf(path, sizeof path, "%s/measured.sqlite", folder) < sizeof path
        && sqlite3_open_v2(path, &s->db, flags, NULL) == SQLITE_OK
        && ((flags & SQLITE_OPEN_READONLY)
            || sqlite3_exec(s->db, schema, NULL, NULL, NULL) == SQLITE_OK)) {
        *out = s;
        return ULLAGE_OK;
    }
    fail(s, err);
    ul_store_close(s);
    return ULLAGE_ERROR_IO;
}

int ul_store_open(struct ul_store **s, const char *folder, ullage_error *err)
{
    return open_as(s, folder, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
}

int ul_store_open_read(struct ul_store **s, const char *folder, ullage_error *err)
{
    char path[4096];
    *s = NULL;
    snprintf(path, sizeof path, "%s/measured.sqlite", folder);
    return access(path, F_OK) ? ULLAGE_OK : open_as(s, folder, SQLITE_OPEN_READONLY, err);
}

void ul_store_close(struct ul_store *s)
{
    if (s)
        sqlite3_close(s->db);
    free(s);
}

/* ------------------------------------------------------------------ statements */

/* Binds by letter: t text, i integer, a amount (NULL when unknown), f number, b blob. */
static sqlite3_stmt *prepare(struct ul_store *s, const char *sql, const char *kinds, ...)
{
    sqlite3_stmt *q = NULL;
    va_list args;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
        return NULL;
    va_start(args, kinds);
    for (int i = 1; kinds[i - 1]; i++) {
        struct ul_amount a;
        const void *blob;
        switch (kinds[i - 1]) {
        case 't': sqlite3_bind_text(q, i, va_arg(args, const char *), -1, SQLITE_TRANSIENT); break;
        case 'i': sqlite3_bind_int64(q, i, va_arg(args, int64_t)); break;
        case 'f': sqlite3_bind_double(q, i, va_arg(args, double)); break;
        case 'b':
            blob = va_arg(args, const void *);
            sqlite3_bind_blob64(q, i, blob, va_arg(args, size_t), SQLITE_TRANSIENT);
            break;
        default:
            a = va_arg(args, struct ul_amount);
            if (a.known)
                sqlite3_bind_int64(q, i, (int64_t)a.bytes);
        }
    }
    va_end(args);
    return q;
}

/* Runs a statement that gives no rows. */
static bool finish(sqlite3_stmt *q)
{
    bool ok = q && sqlite3_step(q) == SQLITE_DONE;
    sqlite3_finalize(q);
    return ok;
}

static struct ul_amount amount(sqlite3_stmt *q, int column)
{
    bool known = sqlite3_column_type(q, column) != SQLITE_NULL;
    return (struct ul_amount){known ? (uint64_t)sqlite3_column_int64(q, column) : 0, known};
}

/* ------------------------------------------------------------------ measuring */

static int64_t unfinished(struct ul_store *s, const char *key)
{
    sqlite3_stmt *q = prepare(s, "SELECT id FROM measurement WHERE key = ? AND status = 'running'"
                                 " AND started > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 day')"
                                 " ORDER BY id DESC LIMIT 1", "t", key);
    int64_t id = q && sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int64(q, 0) : 0;
    sqlite3_finalize(q);
    return id;
}

int ul_store_begin(struct ul_store *s, const struct ul_measurement *m, const char *key, int64_t *id,
                   ullage_error *err)
{
    *id = unfinished(s, key);
    if (*id)
        return ULLAGE_OK;
    if (!finish(prepare(s, "INSERT INTO measurement(started, status, key, host, gpu, driver,"
                           " reader, model, model_bytes, flags)"
                           " VALUES(?,'running',?,?,?,?,?,?,?,?)",
                        "ttttttt" "i" "t", m->started, key, m->host, m->gpu, m->driver, m->reader,
                        m->model, (int64_t)m->model_bytes, m->flags)))
        return fail(s, err);
    *id = sqlite3_last_insert_rowid(s->db);
    return ULLAGE_OK;
}

static bool save_run(struct ul_store *s, int64_t id, const struct ul_measurement *m,
                     const struct ul_measure_run *run)
{
    if (!finish(prepare(s, "INSERT INTO run(measurement, is_check, n_ctx, attempt, prompt_tokens,"
                           " ready_seconds, prompt_seconds, differs, samples)"
                           " VALUES(?,?,?,?,?,?,?,?,?)", "iiiiiffib", id, (int64_t)run->check,
                        (int64_t)run->n_ctx, (int64_t)run->attempt, (int64_t)run->prompt_tokens,
                        run->ready_seconds, run->prompt_seconds, (int64_t)run->differs,
                        (const void *)run->samples, run->n_samples * sizeof *run->samples)))
        return false;
    int64_t row = sqlite3_last_insert_rowid(s->db);
    for (int i = 0; i < m->n_places; i++)
        if (!finish(prepare(s, "INSERT INTO reading VALUES(?,?,?,?,?,?,?)", "iitaaaa", row,
                            (int64_t)i, m->place[i].name, run->at[i].load, run->at[i].peak,
                            run->at[i].logged, run->at[i].computed)))
            return false;
    return true;
}

int ul_store_save_run(struct ul_store *s, int64_t id, const struct ul_measurement *m,
                      const struct ul_measure_run *run, ullage_error *err)
{
    sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
    if (save_run(s, id, m, run) && sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return ULLAGE_OK;
    fail(s, err);
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return ULLAGE_ERROR_IO;
}

static void load_readings(struct ul_store *s, int64_t row, struct ul_measure_run *run)
{
    sqlite3_stmt *q = prepare(s, "SELECT place, load, peak, logged, computed FROM reading"
                                 " WHERE run = ?", "i", row);
    while (q && sqlite3_step(q) == SQLITE_ROW) {
        int i = sqlite3_column_int(q, 0);
        if (i >= 0 && i < UL_PLACES)
            run->at[i] = (struct ul_figure){amount(q, 1), amount(q, 2), amount(q, 3), amount(q, 4)};
    }
    sqlite3_finalize(q);
}

bool ul_store_load_run(struct ul_store *s, int64_t id, struct ul_measure_run *run)
{
    sqlite3_stmt *q = prepare(s, "SELECT id, prompt_tokens, ready_seconds, prompt_seconds, differs,"
                                 " samples FROM run WHERE measurement = ? AND is_check = ? AND"
                                 " n_ctx = ? AND attempt = ? ORDER BY id DESC LIMIT 1", "iiii", id,
                              (int64_t)run->check, (int64_t)run->n_ctx, (int64_t)run->attempt);
    bool found = q && sqlite3_step(q) == SQLITE_ROW;
    if (found) {
        run->prompt_tokens = (uint32_t)sqlite3_column_int64(q, 1);
        run->ready_seconds = sqlite3_column_double(q, 2);
        run->prompt_seconds = sqlite3_column_double(q, 3);
        run->differs = sqlite3_column_int(q, 4);
        size_t n = (size_t)sqlite3_column_bytes(q, 5) / sizeof *run->samples;
        run->samples = n ? malloc(n * sizeof *run->samples) : NULL;
        run->n_samples = run->samples ? n : 0;
        if (run->samples)
            memcpy(run->samples, sqlite3_column_blob(q, 5), n * sizeof *run->samples);
        load_readings(s, sqlite3_column_int64(q, 0), run);
        run->resumed = true;
    }
    sqlite3_finalize(q);
    return found;
}

static bool save_figures(struct ul_store *s, int64_t id, const struct ul_measurement *m)
{
    for (int i = 0; i < m->n_places; i++) {
        const struct ul_measure_place *p = &m->place[i];
        if (p->counts && !finish(prepare(s, "INSERT INTO figure VALUES(?,?,?,?,?,?,?,?,?)",
                                         "iittifaaa", id, (int64_t)i, p->name, p->device,
                                         (int64_t)p->limit, p->line.slope, p->runtime, p->pool,
                                         p->added)))
            return false;
    }
    return finish(prepare(s, "UPDATE measurement SET status = 'done', engine = ?, n_ctx = ?"
                             " WHERE id = ?", "tii", m->engine, (int64_t)m->n_ctx, id));
}

int ul_store_finish(struct ul_store *s, int64_t id, const struct ul_measurement *m,
                    ullage_error *err)
{
    sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
    if (save_figures(s, id, m) && sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return ULLAGE_OK;
    fail(s, err);
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return ULLAGE_ERROR_IO;
}

/* ------------------------------------------------------------------ afterwards */

static struct ul_amount one(sqlite3_stmt *q)
{
    struct ul_amount a = {0};
    if (q && sqlite3_step(q) == SQLITE_ROW)
        a = amount(q, 0);
    sqlite3_finalize(q);
    return a;
}

#define JOINED                                                                          \
    " FROM figure JOIN measurement ON measurement = id WHERE status = 'done' AND host = ?" \
    " AND figure.gpu = ? AND driver = ? AND runtime_bytes IS NOT NULL"

void ul_store_figures(struct ul_store *s, const char *host, const char *gpu, const char *driver,
                      const char *model, uint64_t model_bytes, const char *flags,
                      struct ul_amount *runtime, struct ul_amount *prompt)
{
    sqlite3_stmt *q = prepare(s, "SELECT runtime_bytes, prompt_bytes + ifnull(pool_bytes, 0)" JOINED
                                 " AND model = ? AND model_bytes = ? AND flags = ?"
                                 " AND prompt_bytes IS NOT NULL ORDER BY id DESC LIMIT 1",
                              "ttttit", host, gpu, driver, model, (int64_t)model_bytes, flags);
    bool same = q && sqlite3_step(q) == SQLITE_ROW;
    *runtime = same ? amount(q, 0) : (struct ul_amount){0};
    *prompt = same ? amount(q, 1) : (struct ul_amount){0};
    sqlite3_finalize(q);
    if (same)
        return; /* the two are of one measurement: what one lacks the other has */
    *runtime = one(prepare(s, "SELECT runtime_bytes" JOINED " ORDER BY pool_bytes IS NULL, id DESC"
                              " LIMIT 1", "ttt", host, gpu, driver));
}

int ul_store_keep_profile(struct ul_store *s, const char *host, const char *gpu,
                          const char *conditions, uint64_t bytes, ullage_error *err)
{
    bool ok = finish(prepare(s, "INSERT OR REPLACE INTO profile VALUES(?, ?, ?, ?)", "ttti", host,
                             gpu, conditions, (int64_t)bytes));
    if (!ok)
        fail(s, err);
    return ok ? ULLAGE_OK : ULLAGE_ERROR_IO;
}

struct ul_amount ul_store_profile(struct ul_store *s, const char *host, const char *gpu,
                                  const char *conditions)
{
    return one(prepare(s, "SELECT bytes FROM profile WHERE host = ? AND gpu = ? AND conditions = ?",
                       "ttt", host, gpu, conditions));
}

static const char *text(sqlite3_stmt *q, int column)
{
    const unsigned char *p = sqlite3_column_text(q, column);
    return p ? (const char *)p : "";
}

static void list_figures(struct ul_store *s, struct ul_store_row *r)
{
    sqlite3_stmt *q = prepare(s,
                              "SELECT gpu, device, limit_bytes, slope, runtime_bytes, pool_bytes,"
                              " prompt_bytes FROM figure WHERE measurement = ? ORDER BY place",
                              "i", r->id);
    while (q && r->n_figures < UL_PLACES && sqlite3_step(q) == SQLITE_ROW) {
        struct ul_store_figure *f = &r->figure[r->n_figures++];
        snprintf(f->gpu, sizeof f->gpu, "%s", text(q, 0));
        snprintf(f->device, sizeof f->device, "%s", text(q, 1));
        f->limit = amount(q, 2);
        f->slope = sqlite3_column_double(q, 3);
        f->runtime = amount(q, 4);
        f->pool = amount(q, 5);
        f->prompt = amount(q, 6);
    }
    sqlite3_finalize(q);
}

void ul_store_list(struct ul_store *s, void (*row)(void *context, const struct ul_store_row *r),
                   void *context)
{
    sqlite3_stmt *q = prepare(
        s, "SELECT id, started, status, host, engine, driver, reader, model, flags, n_ctx,"
           " (SELECT count(*) FROM run WHERE run.measurement = measurement.id)"
           " FROM measurement ORDER BY id DESC", "");
    while (q && sqlite3_step(q) == SQLITE_ROW) {
        struct ul_store_row r = {
            .id = sqlite3_column_int64(q, 0), .started = text(q, 1), .status = text(q, 2),
            .host = text(q, 3), .engine = text(q, 4), .driver = text(q, 5), .reader = text(q, 6),
            .model = text(q, 7), .flags = text(q, 8),
            .n_ctx = (uint32_t)sqlite3_column_int64(q, 9),
            .runs = (uint32_t)sqlite3_column_int64(q, 10)};
        list_figures(s, &r);
        row(context, &r);
    }
    sqlite3_finalize(q);
}
