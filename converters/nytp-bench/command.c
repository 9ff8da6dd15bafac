#include "bench.h"

#include "cli/options.h"
#include "cli/say.h"
#include "compare/rank_test.h"

#include <glib.h>
#include <string.h>

#define BETWEEN ":::"

static char *set_limit(const nytp_option *option, const char *argument)
{
    double percent;
    char *wrong = nytp_percent_of(argument, &percent);
    *(double *)option->context = percent / 100;
    return wrong;
}

/* With fewer runs of each, chance can never be ruled out. */
static int32_t fewest_runs(void)
{
    int32_t least = 1;
    while (nytp_signed_rank_least((uint32_t)least) >= bench_most_p[0])
        least++;
    return least;
}

static int parse(bench_options *o, int argc, char **argv, nytp_operands *words)
{
    static const nytp_program program = {
        .about = "Runs two versions of a program in turns, and says whether the new one is slower.\n",
        .examples = "  nytp-bench -- perl -Iold/lib bench.pl ::: perl -Inew/lib bench.pl\n"
                    "  nytp-bench --baseline=origin/main --fail-calls -- perl -Ilib bench.pl\n",
        .operands = NYTP_OTHER_OPERANDS,
        .operands_usage = "-- OLD ::: NEW | --baseline=COMMIT ... -- COMMAND",
        .operands_about = "OLD and NEW run perl. Both run under the profiler, which says where the\n"
                          "difference is. The exit status is 3 if NEW is slower by more than the limit.\n",
        .ends_at_operand = true,
    };
    enum { MOST_RUNS = 200 };
    const nytp_option table[] = {
        {'n', "runs", "RUNS", "runs of each that count, or four times as many if in doubt", .count = &o->runs,
         .least = fewest_runs(), .most = MOST_RUNS},
        {0, "limit", "PERCENT", "NEW may take so much more (default 5%)", .call = set_limit,
         .context = &o->limit},
        {0, "wall", NULL, "compare time, not processor time", .flag = &o->wall},
        {0, "fail-calls", NULL, "more calls or statements are a failure, too", .flag = &o->fail_calls},
        {0, "baseline", "COMMIT", "run the command in COMMIT of git for OLD", .text = &o->baseline},
        {0, "bisect", NULL, "exit with 1 if NEW is slower, 125 on errors: for git bisect run",
         .flag = &o->bisect},
        {0, "json", NULL, "print JSON", .flag = &o->json},
        NYTP_TABLE_END,
    };
    return nytp_options_parse(&program, table, argc, argv, words);
}

static char **copy(const char *const *words, int count)
{
    char **command = g_new0(char *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        command[i] = g_strdup(words[i]);
    return command;
}

/* Returns the index of the next BETWEEN; the number of words if there is none. */
static int find_between(const nytp_operands *words, int from)
{
    while (from < words->count && strcmp(words->names[from], BETWEEN) != 0)
        from++;
    return from;
}

static int split(bench_options *o, const nytp_operands *words)
{
    const int at = find_between(words, 0);
    const bool divided = at < words->count;
    if (o->baseline != NULL) {
        if (divided)
            return nytp_wrong_usage("with --baseline there is one command, without " BETWEEN);
        o->commands[NYTP_OLD] = copy(words->names, words->count);
        o->commands[NYTP_NEW] = copy(words->names, words->count);
        return words->count > 0 ? -1 : nytp_wrong_usage("which command? give it after --");
    }
    if (!divided)
        return nytp_wrong_usage("give two commands, -- OLD " BETWEEN " NEW, or --baseline");
    if (find_between(words, at + 1) < words->count)
        return nytp_wrong_usage("there is " BETWEEN " twice, but only two commands can be compared");
    o->commands[NYTP_OLD] = copy(words->names, at);
    o->commands[NYTP_NEW] = copy(words->names + at + 1, words->count - at - 1);
    if (at == 0 || at + 1 == words->count)
        return nytp_wrong_usage("there is no command %s " BETWEEN, at == 0 ? "before" : "after");
    return -1;
}

int bench_command_parse(bench_options *o, int argc, char **argv)
{
    enum { USUAL_RUNS = 10 };
    nytp_operands words;
    *o = (bench_options){.runs = USUAL_RUNS, .limit = 0.05};
    int status = parse(o, argc, argv, &words);
    return status < 0 ? split(o, &words) : status;
}

void bench_command_clear(bench_options *o)
{
    for (int side = 0; side < NYTP_SIDES; side++)
        g_strfreev(o->commands[side]);
}

/* Options can be shortened, and have one dash or two. */
bool bench_command_bisects(int argc, char **argv)
{
    static const char name[] = "bisect", least[] = "bi";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i] + strspn(argv[i], "-");
        if (word > argv[i] && g_str_has_prefix(word, least) && g_str_has_prefix(name, word))
            return true;
    }
    return false;
}
