#include "watch.h"

#include "sampler/sampler.h"
#include "view.h"

#include "cli/output.h"
#include "cli/options.h"
#include "cli/read.h"
#include "cli/say.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define LOOK_NS      SAMPLER_SECOND_NS
#define LOOK_SOON_NS (SAMPLER_SECOND_NS / 10)
enum { KEYS_HZ = 20 /* how often keys are read, where samples are rarer */ };

typedef struct watch {
    const top_options *options;
    uint32_t batch; /* print so many times; 0: use the terminal */
    top_view view;
    top_tables tables;
    pthread_mutex_t lock;      /* of tables; held while it is paused, so that FILE is not read on */
    top_live *live;            /* NULL: follow */
    top_follow *follow;
    sampler_pace pace;
    int64_t away_ns; /* how long processes were not sampled because it was paused: no time of theirs */
    int64_t start_ns, drawn_ns, second_ns, looked_ns, paused_ns; /* by now_ns(), which leaves out away_ns */
    uint32_t printed;
    bool is_idle; /* nothing is sampled at this moment */
    bool has_sampled;
    bool is_over;  /* nothing more comes */
    bool was_over; /* the last time when it was drawn */
    char *source;  /* the name of what is sampled */
    char note[512], saved[512]; /* saved: what became of the last file, until the next key */
} watch;

static volatile sig_atomic_t end_wanted;

static void note_end(int signal_number)
{
    (void)signal_number;
    end_wanted = 1;
}

/* The kernel stops a program in the background that changes its terminal (SIGTTOU), also when that begins or
 * ends. The terminal is that of another program then, so this one ends without touching it. */
static void note_end_of_screen(int signal_number)
{
    note_end(signal_number);
    if (top_screen_is_in_background()) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
}

static int64_t now_ns(const watch *w)
{
    return sampler_now_ns() - w->away_ns;
}

/* Prints what is shown, at most `rows` rows of a table. */
static void print(watch *w, double seconds, size_t rows)
{
    FILE *out = nytp_lines_open(stdout, &w->view.look);
    g_auto(GStrv) lines = top_view_lines(&w->view, &w->tables, seconds, rows);
    for (char **line = lines; *line != NULL; line++)
        fprintf(out, "%s\n", *line);
    fclose(out);
}

/* What the first line and the page of the stack say of processes. */
static void describe(watch *w)
{
    const char *const *whys = top_live_whys(w->live);
    char *name = top_live_name(w->live);
    size_t count = 0;
    if (name != NULL) {
        g_free(w->source);
        w->view.source = w->source = name;
    }
    while (whys[count] != NULL)
        count++;
    if (w->is_over)
        g_strlcpy(w->note, "the process has ended", sizeof w->note);
    else if (count > 1)
        snprintf(w->note, sizeof w->note, "%.400s (and %zu more)", whys[0], count - 1);
    else
        g_strlcpy(w->note, count == 1 ? whys[0] : "", sizeof w->note);
    top_live_show_stack(w->live, &w->tables);
}

/* For showing them: what FILE had before nytp-top began is not of the last seconds. */
static void lock_tables(watch *w)
{
    pthread_mutex_lock(&w->lock);
    if (w->follow != NULL)
        top_follow_forget_old(w->follow);
}

static double seconds_at(const watch *w, int64_t now)
{
    return (double)((w->view.paused ? w->paused_ns : now) - w->start_ns) / 1e9;
}

/* What the screen showed last stays on the terminal, without a page of keys. */
static void print_last(watch *w)
{
    w->view.help = false;
    print(w, seconds_at(w, w->drawn_ns), top_screen_rows());
}

/* Writes all rows of what is shown, with whole names. */
static void save(watch *w)
{
    static const char path[] = "nytp-top.txt";
    g_autoptr(GError) error = NULL;
    top_view all = w->view;
    all.look.columns = all.first = 0;
    lock_tables(w);
    g_auto(GStrv) lines = top_view_lines(&all, &w->tables, seconds_at(w, now_ns(w)), TOP_MOST);
    pthread_mutex_unlock(&w->lock);
    g_autofree char *joined = g_strjoinv("\n", lines), *text = g_strconcat(joined, "\n", NULL);
    if (g_file_set_contents(path, text, -1, &error))
        snprintf(w->saved, sizeof w->saved, "saved as %s", path);
    else
        g_strlcpy(w->saved, error->message, sizeof w->saved);
    w->view.saves = false;
}

static void show(watch *w, int64_t now)
{
    const double seconds = seconds_at(w, now);
    if (w->live != NULL && !w->view.paused)
        describe(w);
    lock_tables(w);
    w->view.note = w->saved[0] != '\0' ? w->saved : w->note[0] != '\0' ? w->note : NULL;
    if (w->batch > 0) {
        print(w, seconds, w->options->rows > 0 ? w->options->rows : TOP_MOST);
        puts("");
        fflush(stdout);
        w->printed++;
    } else {
        top_screen_draw(&w->view, &w->tables, seconds);
    }
    pthread_mutex_unlock(&w->lock);
    w->drawn_ns = now;
}

static void pass_time(watch *w, int64_t now)
{
    const char *why;
    if (w->view.paused)
        return;
    pthread_mutex_lock(&w->lock);
    top_tables_advance(&w->tables, &w->second_ns, now);
    if (w->follow != NULL && !w->is_over) {
        w->is_over = top_follow_ended(w->follow, &why);
        if (w->is_over)
            g_strlcpy(w->note, why[0] != '\0' ? why : "the profile is complete", sizeof w->note);
    }
    pthread_mutex_unlock(&w->lock);
}

static void sample(watch *w, int64_t now)
{
    if (w->live == NULL || w->view.paused)
        return;
    if (now - w->looked_ns >= (w->is_idle ? LOOK_SOON_NS : LOOK_NS)) {
        top_live_look(w->live);
        w->looked_ns = now;
    }
    w->is_idle = top_live_sample(w->live, &w->tables) == 0;
    w->has_sampled |= !w->is_idle;
    w->is_over = w->is_idle && !top_live_may_come(w->live);
}

static void pause_or_go_on(watch *w, int64_t now)
{
    if (w->view.paused) {
        if (w->live != NULL)
            describe(w);
        lock_tables(w);
        w->paused_ns = now;
        return;
    }
    if (w->live != NULL) {
        w->away_ns += now - w->paused_ns;
        top_live_skip(w->live);
    } else {
        top_follow_fall_behind(w->follow);
    }
    pthread_mutex_unlock(&w->lock);
}

static void restart(watch *w)
{
    pthread_mutex_lock(&w->lock);
    top_tables_clear(&w->tables);
    top_tables_init(&w->tables);
    w->start_ns = w->second_ns = w->view.paused ? w->paused_ns : now_ns(w);
    w->view.restarts = false;
    pthread_mutex_unlock(&w->lock);
}

/* What was read of FILE is shown, also if an error ends it. */
static bool has_nothing_of_file(const watch *w)
{
    return w->is_over && w->follow != NULL && top_follow_failed(w->follow);
}

/* false: the user wants the end. */
static bool handle_keys(watch *w, bool *changed)
{
    bool was_paused = w->view.paused, goes_on = top_screen_keys(&w->view, changed);
    if (w->view.paused != was_paused)
        pause_or_go_on(w, now_ns(w));
    if (*changed)
        w->saved[0] = '\0';
    if (w->view.restarts)
        restart(w);
    if (w->view.saves)
        save(w);
    return goes_on;
}

/* Handles keys, and draws or prints when that is due. Returns false if nothing is to be drawn any more. */
static bool react(watch *w)
{
    bool changed = false;
    const bool ended = w->is_over && !w->was_over;
    w->was_over = w->is_over;
    if (w->batch == 0 && !handle_keys(w, &changed))
        return false;
    if (w->batch > 0 && has_nothing_of_file(w))
        return false;
    int64_t now = now_ns(w);
    bool is_due = !w->view.paused && (double)(now - w->drawn_ns) >= w->options->delay_s * SAMPLER_SECOND_NS;
    if (changed || ended || is_due)
        show(w, now);
    return w->batch == 0 || (w->printed < w->batch && !w->is_over);
}

/* Waits for the next sample, and reacts meanwhile: with a low rate, that may be seconds away. */
static bool wait_for_sample(watch *w)
{
    const int64_t at = sampler_pace_next(&w->pace), step_ns = SAMPLER_SECOND_NS / KEYS_HZ;
    for (int64_t now = sampler_now_ns(); at - now > step_ns && !end_wanted; now = sampler_now_ns()) {
        sampler_pace_sleep(now + step_ns);
        pass_time(w, now_ns(w));
        if (!react(w))
            return false;
    }
    if (!end_wanted)
        sampler_pace_sleep(at);
    return true;
}

static void run(watch *w)
{
    sampler_pace_begin(&w->pace, w->live != NULL ? w->options->live.rate_hz : KEYS_HZ);
    if (w->live != NULL)
        sampler_priority_begin();
    do {
        pass_time(w, now_ns(w));
        sample(w, now_ns(w));
        sampler_priority_check();
    } while (!end_wanted && react(w) && wait_for_sample(w));
}

static void say_why_not(const watch *w)
{
    const char *const *whys = top_live_whys(w->live);
    for (size_t n = 0; whys[n] != NULL; n++)
        nytp_say("%s", whys[n]);
}

static bool begin_live(watch *w)
{
    const top_options *o = w->options;
    w->live = top_live_new(o->pids, o->pid_count, &o->live);
    const bool found = top_live_look(w->live) > 0;
    if (found || (o->live.children && top_live_may_come(w->live))) {
        w->view.source = w->source =
            found ? top_live_name(w->live) : g_strdup_printf("process %ld", (long)o->pids[0]);
        return true;
    }
    say_why_not(w);
    return false;
}

static bool begin_follow(watch *w)
{
    const char *path = w->options->file;
    FILE *readable = fopen(path, "re");
    if (readable == NULL) {
        nytp_say("%s: cannot open: %s", path, strerror(errno));
        if (nytp_pid_is_meant(path))
            nytp_advise("to watch process %s: nytp-top -p %s", path, path);
        return false;
    }
    fclose(readable);
    if (nytp_read_is_memory(path, &(nytp_common_options){0})) {
        nytp_read_refuse_memory(path);
        return false;
    }
    w->follow = top_follow_new(path, &w->tables, &w->lock);
    if (w->follow == NULL)
        nytp_say("cannot start a thread: %s", strerror(errno));
    return w->follow != NULL;
}

static int watch_until_end(watch *w)
{
    if (w->batch == 0 && !top_screen_begin())
        w->batch = 1; /* standard output is not a terminal that can be used */
    void (*note)(int) = w->batch > 0 ? note_end : note_end_of_screen;
    signal(SIGINT, note);
    signal(SIGTERM, note);
    signal(SIGHUP, note);
    run(w);
    if (w->batch == 0) {
        top_screen_end();
        print_last(w);
        return nytp_flush_stdout();
    }
    if (w->live != NULL && !w->has_sampled) {
        if (top_live_whys(w->live)[0] == NULL)
            nytp_say("no perl was found that could be sampled");
        say_why_not(w);
        return NYTP_EXIT_FAILED;
    }
    if (has_nothing_of_file(w)) {
        nytp_say("%s", w->note);
        return NYTP_EXIT_FAILED;
    }
    return nytp_flush_stdout();
}

int top_watch(const top_options *options)
{
    watch w = {.options = options, .batch = options->batch, .view = options->view};
    pthread_mutexattr_t recursive; /* what is paused is drawn */
    w.view.look = nytp_look_of(NULL, NYTP_COLOR_NEVER);
    w.view.source = options->file; /* or NULL: what is sampled gets a name when it is found */
    w.view.has_both = options->pid_count > 0 && !options->live.cpu;
    w.view.counted[TOP_ALL] = options->pid_count == 0 ? "in calls that ended"
                              : options->live.cpu     ? "on a processor"
                                                      : "sampled";
    w.view.counted[TOP_WORK] = "on a processor";
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&w.lock, &recursive);
    top_tables_init(&w.tables);
    w.start_ns = w.drawn_ns = w.second_ns = w.looked_ns = sampler_now_ns();
    bool begun = options->pid_count > 0 ? begin_live(&w) : begin_follow(&w);
    int status = begun ? watch_until_end(&w) : NYTP_EXIT_FAILED;
    if (w.view.paused)
        pthread_mutex_unlock(&w.lock);
    if (w.follow != NULL)
        top_follow_free(w.follow);
    if (w.live != NULL)
        top_live_free(w.live);
    top_tables_clear(&w.tables);
    pthread_mutex_destroy(&w.lock);
    g_free(w.source);
    return status;
}
