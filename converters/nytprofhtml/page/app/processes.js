/* One of several processes: its stacks are in a block of their own. */

function has_stacks(process) {
    return document.getElementById('process-' + process) !== null;
}

/* How an address names a process: by its pid, with its number where that is not enough. null: all. */
function process_name(process) {
    if (process < 0)
        return null;
    const {pid} = recorded.processes, own = String(pid[process]);
    return pid.indexOf(pid[process]) === pid.lastIndexOf(pid[process]) ? own : own + '.' + process;
}

/* -1: all processes. */
function process_named(text) {
    return text ? recorded.processes.pid.findIndex(
                      (pid, process) => has_stacks(process) && process_name(process) === text)
                : -1;
}

/* {calls, excl, asleep, queued, any}: columns with a row for each stack. -1 calls: the process has all of the
 * stack. */
async function load_process(process) {
    const {stack, calls, ...times} = await load_block('process-' + process);
    const {stacks} = recorded,
          made = {calls: new Float64Array(stacks.count), any: new Uint8Array(stacks.count)};
    for (const name in times)
        made[name] = new Float64Array(stacks.count);
    let next = 0;
    add_up(stack);
    stack.forEach((node, i) => {
        made.calls[node] = calls[i] < 0 ? stacks.calls[node] : calls[i];
        for (const name in times)
            made[name][node] = calls[i] < 0 ? stacks[name][node] : times[name][next];
        next += calls[i] >= 0 ? 1 : 0;
        made.any[node] = 1;
    });
    for (let node = stacks.count - 1; node >= 0; node--)
        if (stacks.parent[node] >= 0)
            made.any[stacks.parent[node]] |= made.any[node];
    blocks.processes.set(process, made);
}

function process_columns(process) {
    return blocks.processes.get(process);
}

function process_title(process, {pid, program} = recorded.processes) {
    return pid[process] + (program[process] ? ' ' + program[process] : '');
}

function lane_title(processes, process) {
    return 'process ' +
        (processes.pid[process] === undefined ? process + 1 : process_title(process, processes));
}

/* null: there is one process, or nothing is known of the stacks of each. */
function process_control(profile) {
    const {pid, ticks} = recorded.processes, all = [...pid.keys()], known = all.filter(has_stacks);
    if (!known.length)
        return null;
    known.sort(most_first(ticks));
    const {process: chosen} = profile.selection, less = is_memory() ? ' smaller' : ' shorter';
    return select_control('Process', process_name(chosen) || '',
        [
            ['', 'all ' + count_text(all.length)],
            ...known.map(one => [process_name(one), process_title(one) + ', ' + time_text(ticks[one])]),
            ...known.length < all.length ? [[
                '-',
                count_text(all.length - known.length) + less +
                    ' ones are not kept: the report would be more than a fifth larger',
                true
            ]]
                                         : []
        ],
        value => change_query({process: value || null, zoom: null}));
}

/* How a shell takes a name. */
function shell_word(text) {
    return /^[\w.,:@%+=/-]+$/.test(text) ? text : '\'' + text.replace(/'/g, '\'\\\'\'') + '\'';
}

/* When the first process began, in seconds since 1970. */
function first_start_s() {
    return recorded.processes.start_s.reduce((a, b) => Math.min(a, b), Infinity);
}

/* Which profiles the report is of, as a command names them. */
function profile_words() {
    const {about, difference} = recorded, most = 3, names = difference ? [difference.shown[1]] : about.inputs;
    return names.length > most ? 'FILE ...' : names.map(shell_word).join(' ');
}

/* The program that prints what a view shows. */
function program_of({view, arguments: [about]}) {
    const kind = (about || 'span').replace(/:.*/s, ''), lines = 'nytp lines',
          labels = {span: 'nytp requests', sql: 'nytp queries'}[kind] || 'nytp table --by=' + kind;
    return {
        labels,
        label: labels,
        flame: 'nytp tree',
        time: 'nytp trace -o run.json',
        memory: 'nytp subs',
        kinds: 'nytp csv --table=kinds -o -',
        subs: 'nytp subs',
        sub: sub_at(about) >= 0 && 'nytp tree --to=' + shell_word(recorded.subs.name[sub_at(about)]),
        files: lines,
        file: lines,
        map: lines,
        modules: 'nytp findings'
    }[view] ||
        'nytp summary';
}

/* The command line of a view, or of what else is shown of a process (-1: of all) and a range. */
function command_of(route, program = program_of(route), {process, query} = shown_profile(state).selection) {
    const is_over_time = route.view === 'memory', {at} = route.query,
          of_moment = query.range ? 'grown=' + query.range
        : at                      ? 'at=' + at
                                  : 'peak',
          view_of_memory = is_over_time ? of_moment : setting_of('memory_of'),
          has_wait = !is_over_time && !/ (trace|csv|findings)/.test(program);
    return [
        program, process >= 0 && '--process=' + recorded.processes.pid[process],
        query.range && !is_over_time && '--range=' + shell_word(query.range),
        query.all && has_wait && '--wait', view_of_memory && '--memory=' + shell_word(view_of_memory),
        profile_words()
    ].filter(Boolean)
        .join(' ');
}

/* What prints the calls of a request. */
function command_of_request(request) {
    const {begin, ticks, label, process} = blocks.requests, {pid} = recorded.processes,
                                point = at => (at / recorded.about.ticks_per_s).toFixed(6) + 's',
                                range = point(begin[request]) + '..' + point(begin[request] + ticks[request]);
    return command_of(state.route, 'nytp tree --span=' + shell_word(recorded.labels.text[label[request]]), {
        process: pid.length > 1 && process[request] < pid.length ? process[request] : -1,
        query: {all: '1', range}
    });
}
