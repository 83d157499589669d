/* The command: picks a subcommand. */
#include "ullage.h"

#include <stdio.h>

int main(void)
{
    printf("ullage %s\n", ULLAGE_VERSION);
    return 0;
}
