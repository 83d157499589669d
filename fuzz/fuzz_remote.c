/* Any bytes as each kind of a server's answer about a repository: what comes out of it can stand in
 * an address and in a path, and is chosen among what is there. The first byte is the kind. */
#include "fuzz.h"
#include "ullage.h"

#include <stdbool.h>
#include <string.h>

#define CHECK(x) ((x) ? (void)0 : fuzz_failed(#x, __FILE__, __LINE__))

static void check_path(const char *path)
{
    CHECK(path[0] && path[0] != '/' && !strstr(path, "//") && path[strlen(path) - 1] != '/');
    CHECK(strncmp(path, "../", 3) != 0 && !strstr(path, "/../") && strcmp(path, "..") != 0);
    for (; *path; path++)
        CHECK((unsigned char)*path >= 0x20 && *path != '\\');
}

static bool listed(const ullage_repo *repo, const char *path)
{
    ullage_repo_file f;
    for (size_t i = 0; ullage_repo_at(repo, i, &f); i++)
        if (f.path == path)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const what[] = {"mmproj", "mtp-", "eagle3-"};
    ullage_repo *repo = NULL;
    ullage_repo_file f;
    ullage_error err = {0};
    if (size < 1)
        return 0;
    int code = ullage_repo_read(&repo, data[0] % 4, data + 1, size - 1, &err);
    CHECK(code == err.code && (code == ULLAGE_OK) == (repo != NULL));
    if (repo == NULL) {
        CHECK(err.message[0]);
        return 0;
    }
    for (size_t i = 0; ullage_repo_at(repo, i, &f); i++)
        check_path(f.path);
    const char *commit = ullage_repo_commit(repo);
    CHECK(!commit || strspn(commit, "0123456789abcdefABCDEF") == 40);
    static const char *const tags[] = {NULL, "Q4_K_M", "8"};
    for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
        const char *model = ullage_repo_model(repo, tags[t]);
        CHECK(!model || listed(repo, model));
        for (size_t k = 0; k < sizeof what / sizeof *what; k++) {
            const char *beside = ullage_repo_beside(repo, model ? model : "", what[k], tags[t]);
            CHECK(!beside || listed(repo, beside));
        }
    }
    ullage_repo_free(repo);
    return 0;
}
