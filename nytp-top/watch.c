#include "watch.h"

#include "follow.h"
#include "live.h"
#include "screen.h"

#include "cli/output.h"
#include "cli/say.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define LOOK_S 1.0

typedef struct watch {
    const top_options *options;
    top_view view;
    top_tables tables;
    pthread_mutex_t lock; /* of tables */
    top_live *live;       /* NULL: follow */
    top_follow *follow;
    double start_s, drawn_s, second_s, looked_s;
    uint32_t printed;
    bool is_over; /* nothing more comes */
    char note[512];
} watch;

static volatile sig_atomic_t end_wanted;

static void note_end(int signal_number)
{
    (void)signal_number;
    end_wanted = 1;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void print_line(void *context, int line, const char *text)
{
    (void)context;
    (void)line;
    puts(text);
}

static void show(watch *w, double now)
{
    pthread_mutex_lock(&w->lock);
    w->view.note = w->note[0] != '\0' ? w->note : NULL;
    if (w->options->batch > 0) {
        top_view_lines(&w->view, &w->tables, now - w->start_s, w->options->rows, print_line, NULL);
        puts("");
        fflush(stdout);
        w->printed++;
    } else {
        top_screen_draw(&w->view, &w->tables, now - w->start_s);
    }
    pthread_mutex_unlock(&w->lock);
    w->drawn_s = now;
}

static void advance(watch *w, double now)
{
    const char *why = NULL;
    if (now - w->second_s >= 1) {
        pthread_mutex_lock(&w->lock);
        top_tables_next_second(&w->tables);
        pthread_mutex_unlock(&w->lock);
        w->second_s = now;
    }
    if (w->follow != NULL && !w->is_over) {
        pthread_mutex_lock(&w->lock);
        w->is_over = top_follow_ended(w->follow, &why);
        if (w->is_over)
            g_strlcpy(w->note, why[0] != '\0' ? why : "the profile is complete", sizeof w->note);
        pthread_mutex_unlock(&w->lock);
    }
    if (w->live == NULL || w->view.paused)
        return;
    if (now - w->looked_s >= LOOK_S) {
        top_live_look(w->live, &why);
        w->looked_s = now;
    }
    w->is_over = top_live_sample(w->live, &w->tables, 1 / w->options->rate_hz) == 0;
    g_strlcpy(w->note, w->is_over ? "the process has ended" : "", sizeof w->note);
}

static void wait_for_next(const watch *w)
{
    long ns = (long)(1e9 / (w->live != NULL ? w->options->rate_hz : 20));
    nanosleep(&(struct timespec){ns / 1000000000, ns % 1000000000}, NULL);
}

static void run(watch *w)
{
    bool changed = false, was_over = false;
    while (!end_wanted) {
        double now = now_s();
        advance(w, now);
        bool ended = w->is_over && !was_over;
        was_over = w->is_over;
        if (w->options->batch == 0 && !top_screen_keys(&w->view, &changed))
            return;
        if (changed || ended || now - w->drawn_s >= w->options->delay_s)
            show(w, now);
        if (w->options->batch > 0 && (w->printed >= w->options->batch || w->is_over))
            return;
        wait_for_next(w);
    }
}

static bool begin(watch *w)
{
    const char *why = NULL;
    const top_options *o = w->options;
    if (o->pid_count > 0) {
        w->live = top_live_new(o->pids, o->pid_count, o->offsets, o->children);
        if (top_live_look(w->live, &why) > 0)
            return true;
        nytp_say("%s", why != NULL ? why : "there is no perl");
        return false;
    }
    FILE *readable = fopen(o->file, "re");
    if (readable == NULL) {
        nytp_say("%s: cannot open: %s", o->file, strerror(errno));
        return false;
    }
    fclose(readable);
    w->follow = top_follow_new(o->file, &w->tables, &w->lock);
    if (w->follow == NULL)
        nytp_say("cannot start a thread: %s", strerror(errno));
    return w->follow != NULL;
}

static int watch_until_end(watch *w)
{
    signal(SIGINT, note_end);
    signal(SIGTERM, note_end);
    signal(SIGHUP, note_end);
    if (w->options->batch == 0 && !top_screen_begin()) {
        nytp_say("standard output is not a terminal that can be used; --batch=N prints the table N times");
        return NYTP_EXIT_FAILED;
    }
    run(w);
    if (w->options->batch == 0)
        top_screen_end();
    return w->options->batch > 0 ? nytp_flush_stdout() : NYTP_EXIT_DONE;
}

int top_watch(const top_options *options)
{
    watch w = {.options = options, .view = options->view};
    char *source = options->pid_count > 0
                       ? g_strdup_printf("%s", nytp_counted((uint64_t)options->pid_count, "process").text)
                       : g_strdup(options->file);
    if (options->pid_count == 1) {
        g_free(source);
        source = g_strdup_printf("process %ld", (long)options->pids[0]);
    }
    w.view.source = source;
    w.view.exact = options->pid_count == 0;
    pthread_mutex_init(&w.lock, NULL);
    top_tables_init(&w.tables);
    w.start_s = w.drawn_s = w.second_s = w.looked_s = now_s();
    int status = begin(&w) ? watch_until_end(&w) : NYTP_EXIT_FAILED;
    if (w.follow != NULL)
        top_follow_free(w.follow);
    if (w.live != NULL)
        top_live_free(w.live);
    top_tables_clear(&w.tables);
    pthread_mutex_destroy(&w.lock);
    g_free(source);
    return status;
}
