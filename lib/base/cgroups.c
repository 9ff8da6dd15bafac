#include "base/cgroups.h"

#include "base/error.h"
#include "base/small_file.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What can be limited: the name that version 1 has for it, and the limit in a directory of either version. */
typedef struct resource {
    const char *controller;
    double (*limit_1)(const char *directory);
    double (*limit_2)(const char *directory);
} resource;

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Reads up to two numbers in a file. Returns how many; "max" is none. */
static int read_numbers(const char *directory, const char *name, long long numbers[2])
{
    char path[PATH_MAX], text[64];
    const int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    if (length >= (int)sizeof path || !nytp_small_file_read(path, text, sizeof text))
        return 0;
    return sscanf(text, "%lld %lld", &numbers[0], &numbers[1]);
}

static double in_processors(long long quota_us, long long period_us)
{
    return quota_us > 0 && period_us > 0 ? (double)quota_us / (double)period_us : HUGE_VAL;
}

static double processors_2(const char *directory)
{
    long long us[2]; /* the quota and the period */
    return read_numbers(directory, "cpu.max", us) == 2 ? in_processors(us[0], us[1]) : HUGE_VAL;
}

static double processors_1(const char *directory)
{
    long long quota_us[2], period_us[2]; /* the quota is -1 if there is none */
    if (read_numbers(directory, "cpu.cfs_quota_us", quota_us) != 1 ||
        read_numbers(directory, "cpu.cfs_period_us", period_us) != 1)
        return HUGE_VAL;
    return in_processors(quota_us[0], period_us[0]);
}

static double bytes_in(const char *directory, const char *name)
{
    long long bytes[2];
    return read_numbers(directory, name, bytes) == 1 && bytes[0] >= 0 ? (double)bytes[0] : HUGE_VAL;
}

static double bytes_2(const char *directory)
{
    return bytes_in(directory, "memory.max");
}

static double bytes_1(const char *directory)
{
    return bytes_in(directory, "memory.limit_in_bytes");
}

/* From the group up to the root. In a container a group may have the name that it has outside, and be mounted
 * as the root. Changes group. */
static double least_upwards(const char *mounted, char *group, double (*limit)(const char *directory))
{
    char directory[PATH_MAX];
    double least = HUGE_VAL;
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        *end = '\0';
        const int length = snprintf(directory, sizeof directory, "%s%s", mounted, group);
        if (length < (int)sizeof directory)
            least = smaller(least, limit(directory));
    }
    return least;
}

static bool has(char *controllers, const char *controller)
{
    char *rest;
    for (char *name = strtok_r(controllers, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest))
        if (strcmp(name, controller) == 0)
            return true;
    return false;
}

/* "NUMBER:CONTROLLERS:GROUP"; version 2 names no controllers. */
static double limit_of_line(const resource *r, char *line, const char *mounted)
{
    char *controllers = strchr(line, ':'), *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    char below[PATH_MAX];
    if (group == NULL)
        return HUGE_VAL;
    *controllers++ = *group++ = '\0';
    if (*controllers == '\0')
        return least_upwards(mounted, group, r->limit_2);
    const int length = snprintf(below, sizeof below, "%s/%s", mounted, r->controller);
    const bool counts = has(controllers, r->controller) && length < (int)sizeof below;
    return counts ? least_upwards(below, group, r->limit_1) : HUGE_VAL;
}

static double limit_of(const resource *r, const char *groups, const char *mounted)
{
    char text[4096], *rest;
    double least = HUGE_VAL;
    if (!nytp_small_file_read(groups, text, sizeof text))
        return least;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        least = smaller(least, limit_of_line(r, line, mounted));
    return least;
}

double nytp_cgroup_processors(const char *groups, const char *mounted)
{
    return limit_of(&(resource){"cpu", processors_1, processors_2}, groups, mounted);
}

double nytp_cgroup_bytes(const char *groups, const char *mounted)
{
    return limit_of(&(resource){"memory", bytes_1, bytes_2}, groups, mounted);
}

enum { MIB = 1 << 20, LEAST_MIB = 16, MOST_MIB = 1 << 30 };

bool nytp_memory_from_env(uint64_t *bytes, nytp_error *err)
{
    const char *value = getenv("NYTP_MEMORY_MIB");
    *bytes = 0;
    if (value == NULL || value[0] == '\0')
        return true;
    char *end;
    errno = 0;
    unsigned long long mib = strtoull(value, &end, 10);
    if (isdigit((unsigned char)value[0]) && *end == '\0' && errno == 0 && mib >= LEAST_MIB &&
        mib <= MOST_MIB) {
        *bytes = mib * MIB;
        return true;
    }
    nytp_fail(err, NYTP_ERR_UNSUPPORTED, "NYTP_MEMORY_MIB=%.64s: expected a whole number from %d to %d",
              value, LEAST_MIB, MOST_MIB);
    return false;
}

double nytp_processors_of(pid_t pid)
{
    char groups[32];
    cpu_set_t allowed;
    snprintf(groups, sizeof groups, "/proc/%ld/cgroup", (long)pid);
    return sched_getaffinity(pid, sizeof allowed, &allowed) == 0
               ? smaller(CPU_COUNT(&allowed), nytp_cgroup_processors(groups, "/sys/fs/cgroup"))
               : 0;
}
