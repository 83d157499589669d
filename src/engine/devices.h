/* The catalogue of devices: rows of figures (devices_table.c), and names looked up in it. */
#ifndef UL_ENGINE_DEVICES_H
#define UL_ENGINE_DEVICES_H

#include "base/error.h"

extern const ullage_known_device ul_known_devices[];
extern const size_t ul_n_known_devices;

/* Which total a device reports, as the user's machine decides. */
enum ul_driver { UL_DRIVER_LINUX, UL_DRIVER_WINDOWS, UL_DRIVER_SMI, UL_DRIVER_MACOS15,
                 UL_DRIVER_MACOS26 };

/* What a name came to. */
struct ul_found_device {
    const ullage_known_device *row;
    double memory_gib; /* the size that the name said ("M3 Max 64GB"), or the row's; 0 unknown */
};

/* Letters that are missing, too many, changed or swapped between two words, whatever their case. */
size_t ul_slips(const char *a, const char *b);

/* Finds the device that `name` means: its words in any case, without the maker's name, a part of
 * them when only one device is left. Errors: USAGE, with the nearest names. */
int ul_device_find(struct ul_found_device *found, const char *name, ullage_error *err);

/* The same for a name that a driver printed, which may not be in the catalogue; total_mib tells
 * apart devices that differ in their memory (0: not known). NULL when there is not exactly one. */
const ullage_known_device *ul_device_named(const char *name, double total_mib);

/* The total in bytes that the device reports under a driver, and in *how, of `size` bytes, what it
 * rests on. 0 when nothing is known. */
uint64_t ul_device_total(const struct ul_found_device *found, enum ul_driver driver, char *how,
                         size_t size);

#endif
