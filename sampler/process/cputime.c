#include "sampler/process/cputime.h"

#include "sampler/process/clock.h"
#include "sampler/process/process.h"

#include <stdlib.h>
#include <unistd.h>

struct sampler_cputime {
    int fd;
    bool exists;
    uint64_t first_ticks, ticks; /* processor time, in clock ticks: at first, and as read last */
    double counted_s;            /* the sum of what sampler_cputime_scale() returned */
    double raw_s;                /* what it was given since the scale was set */
    double scale;
    double cpu_s;      /* processor time when the scale was set */
    int64_t scaled_ns; /* when that was */
};

sampler_cputime *sampler_cputime_new(pid_t pid)
{
    sampler_process p;
    sampler_cputime *cpu = calloc(1, sizeof *cpu);
    if (cpu == NULL)
        return NULL;
    cpu->fd = sampler_process_open_thread(pid);
    cpu->scale = 1;
    if (cpu->fd < 0 || !sampler_process_read_thread(&p, cpu->fd)) {
        sampler_cputime_free(cpu);
        return NULL;
    }
    cpu->exists = true;
    cpu->first_ticks = cpu->ticks = p.cpu_ticks;
    return cpu;
}

void sampler_cputime_free(sampler_cputime *cpu)
{
    if (cpu == NULL)
        return;
    if (cpu->fd >= 0)
        close(cpu->fd);
    free(cpu);
}

bool sampler_cputime_is_running(sampler_cputime *cpu)
{
    sampler_process p;
    cpu->exists = sampler_process_read_thread(&p, cpu->fd) && !sampler_process_has_ended(&p);
    if (cpu->exists)
        cpu->ticks = p.cpu_ticks;
    return cpu->exists && p.state == 'R';
}

bool sampler_cputime_exists(const sampler_cputime *cpu)
{
    return cpu->exists;
}

/* Once a second. Expects as much processor time as the last second had, adds what is not counted yet, and
 * spreads that over as many samples. */
static void set_scale(sampler_cputime *cpu, int64_t now_ns)
{
    enum { MOST = 10 };
    double cpu_s = (double)(cpu->ticks - cpu->first_ticks) / (double)sysconf(_SC_CLK_TCK);
    if (cpu->scaled_ns != 0 && cpu->raw_s > 0) {
        double wanted_s = cpu_s - cpu->counted_s + (cpu_s - cpu->cpu_s);
        cpu->scale = wanted_s / cpu->raw_s;
        cpu->scale = cpu->scale < 0 ? 0 : cpu->scale > MOST ? MOST : cpu->scale;
    }
    cpu->scaled_ns = now_ns;
    cpu->cpu_s = cpu_s;
    cpu->raw_s = 0;
}

double sampler_cputime_scale(sampler_cputime *cpu, double passed_s, int64_t now_ns)
{
    if (now_ns - cpu->scaled_ns >= SAMPLER_SECOND_NS)
        set_scale(cpu, now_ns);
    cpu->raw_s += passed_s;
    cpu->counted_s += passed_s * cpu->scale;
    return passed_s * cpu->scale;
}
