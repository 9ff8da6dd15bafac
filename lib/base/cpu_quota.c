#include "base/cpu_quota.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

typedef double quota_fn(const char *directory);

/* Reads a file, at most size - 1 bytes. Returns whether there is text in it. */
static bool read_text(const char *path, char *text, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd >= 0 ? read(fd, text, size - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool read_file(const char *directory, const char *name, char *text, size_t size)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    return length < (int)sizeof path && read_text(path, text, size);
}

static double in_processors(long long quota_us, long long period_us)
{
    return quota_us > 0 && period_us > 0 ? (double)quota_us / (double)period_us : HUGE_VAL;
}

/* "QUOTA PERIOD"; QUOTA is "max" if there is none. */
static double quota_of_version_2(const char *directory)
{
    char text[64], *end;
    if (!read_file(directory, "cpu.max", text, sizeof text))
        return HUGE_VAL;
    const long long quota_us = strtoll(text, &end, 10);
    return in_processors(quota_us, strtoll(end, NULL, 10));
}

/* -1 if there is none. */
static double quota_of_version_1(const char *directory)
{
    char quota[32], period[32];
    if (!read_file(directory, "cpu.cfs_quota_us", quota, sizeof quota) ||
        !read_file(directory, "cpu.cfs_period_us", period, sizeof period))
        return HUGE_VAL;
    return in_processors(strtoll(quota, NULL, 10), strtoll(period, NULL, 10));
}

/* Those of the groups above it count, too. In a container a group may have the name that it has outside, and
 * be mounted as the root. Changes group. */
static double least_quota(const char *mounted, char *group, quota_fn *quota_of)
{
    char directory[PATH_MAX];
    double least = HUGE_VAL;
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        *end = '\0';
        const int length = snprintf(directory, sizeof directory, "%s%s", mounted, group);
        if (length < (int)sizeof directory)
            least = smaller(least, quota_of(directory));
    }
    return least;
}

static bool has_cpu(char *controllers)
{
    char *rest;
    for (char *name = strtok_r(controllers, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest))
        if (strcmp(name, "cpu") == 0)
            return true;
    return false;
}

/* "NUMBER:CONTROLLERS:GROUP"; version 2 names no controllers. */
static double quota_of_line(char *line, const char *mounted)
{
    char *controllers = strchr(line, ':'), *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    char of_cpu[PATH_MAX];
    if (group == NULL)
        return HUGE_VAL;
    *controllers++ = *group++ = '\0';
    if (*controllers == '\0')
        return least_quota(mounted, group, quota_of_version_2);
    const int length = snprintf(of_cpu, sizeof of_cpu, "%s/cpu", mounted);
    const bool counts = has_cpu(controllers) && length < (int)sizeof of_cpu;
    return counts ? least_quota(of_cpu, group, quota_of_version_1) : HUGE_VAL;
}

double nytp_cpu_quota(const char *groups, const char *mounted)
{
    char text[4096], *rest;
    double least = HUGE_VAL;
    if (!read_text(groups, text, sizeof text))
        return least;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        least = smaller(least, quota_of_line(line, mounted));
    return least;
}
