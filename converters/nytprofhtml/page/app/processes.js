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
    const option = process =>
        make('option', {value: process_name(process), selected: process === profile.selection.process},
            process_title(process) + ', ' + time_text(ticks[process]));
    const select =
        make('select', {change: () => change_selection({process: select.value || null, zoom: null})},
            make('option', {value: ''}, 'all ' + count_text(all.length)), known.map(option),
            known.length < all.length &&
                make('option', {disabled: true},
                    count_text(all.length - known.length) + (is_memory() ? ' smaller' : ' shorter') +
                        ' ones are not kept: the report would be more than a fifth larger'));
    return make('label.control', 'Process ', select);
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

/* The columns of the table of processes: {title, class, ticks(process): a time of the profile,
 * clock(process): seconds, cell(process), hint}. -1: not known. */
function columns_of_processes() {
    const {pid, parent, program, ticks, asleep, queued, start_s, end_s, cpu_s, lost_s, end} =
        recorded.processes;
    const first_s = first_start_s(), words = profile_words();
    const link = process =>
        make('a', {href: route_text('', [], {process: process_name(process)}), title: 'This process alone'},
            pid[process]);
    const of_time = [
        {title: 'Began', class: 'n began', clock: process => start_s[process] - first_s}, {
            title: 'Lasted',
            class: 'n extra',
            clock: process => end_s[process] ? Math.max(0, end_s[process] - start_s[process]) : -1
        },
        {title: wording('amount'), class: 'n time', ticks: process => ticks[process]}, {
            title: 'Work',
            class: 'n',
            ticks: process =>
                asleep[process] < 0 ? -1 : ticks[process] - asleep[process] - Math.max(0, queued[process])
        },
        {title: asleep_title(), class: 'n asleep', ticks: process => asleep[process]},
        {title: 'Queued', class: 'n', ticks: process => queued[process]}, {
            title: 'Lost',
            hint: 'Time without samples, of which nothing is known: they came too late',
            class: 'n lost',
            clock: process => lost_s[process]
        },
        {title: 'Processor', class: 'n cpu extra', clock: process => cpu_s[process]}
    ];
    return [
        {title: 'Program', class: 'name', cell: process => program[process]},
        {title: 'Pid', class: 'n pid', cell: process => has_stacks(process) ? link(process) : pid[process]},
        {title: 'Parent', class: 'n pid extra', cell: process => parent[process]},
        ...is_memory() ? [{title: wording('amount'), class: 'n', ticks: process => ticks[process]}] : of_time,
        {title: 'End', class: 'end', cell: process => end[process]}, {
            title: 'A report of it alone',
            class: 'command',
            cell: process => make('code', `nytprofhtml --process=${pid[process]} ${words}`)
        }
    ].filter(column => {
        const number = column.clock || column.ticks;
        return column.cell || pid.some((one, process) => number(process) >= 0);
    });
}

/* Numbers are those of whole processes, whatever is selected. */
function process_table(profile) {
    const {ticks, pid} = recorded.processes, columns = columns_of_processes(), {ticks_per_s} = recorded.about;
    const order = [...pid.keys()].sort(most_first(ticks));
    const unit =
        unit_for_columns(columns.filter(one => one.ticks)
                             .map(one => order.reduce((most, i) => Math.max(most, one.ticks(i)), 0)));
    const by_clock = unit.name === '%' ? {name: 's', per_tick: 1 / ticks_per_s, step: 0, decimals: 3} : unit;
    const unit_of = one => one.ticks ? unit : one.clock ? by_clock : null;
    const heads = columns.map(one => [one.title + (unit_of(one) ? ', ' + unit_of(one).name : ''), '',
                                  one.class, one.hint && {title: one.hint}]);
    const cell = (one, process) => {
        if (one.cell)
            return one.cell(process);
        const time = one.ticks ? one.ticks(process) : one.clock(process) * ticks_per_s;
        return time < 0 ? '' : in_unit(time, unit_of(one));
    };
    return short_table('Processes', heads, order,
        process => make('tr', {class: process === profile.selection.process && 'here'},
            columns.map(one => make('td', {class: one.class}, cell(one, process)))));
}

/* In place of the plain table, if there is one. */
function fill_processes(profile, section) {
    if (section)
        section.replaceChildren(make('h2', 'Processes'), process_table(profile));
}
