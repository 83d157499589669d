#include <stdio.h>
#include <ullage.h>

int main(void)
{
    ullage_error err = {0};
    ullage_settings *settings = ullage_settings_new();
    const char *const flags[] = {"-c", "32768", "-np", "1", "-ngl", "99"};
    if (ullage_settings_parse(settings, 6, flags, &err))
        return fprintf(stderr, "%s\n", err.message), 2;
    printf("ullage %s reads these flags\n", ullage_version());
    ullage_settings_free(settings);
    return 0;
}
