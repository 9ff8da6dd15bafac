/* One of several processes: its stacks are in a block of their own. */

const process_stacks = new Map(); /* process: {calls, excl, incl, any}, columns with a row for each stack */

function has_stacks(process) {
    return document.getElementById('process-' + process) !== null;
}

/* How an address names a process: by its pid, with its number where that is not enough. */
function process_name(process) {
    const {pid} = profile.processes, own = String(pid[process]);
    return pid.indexOf(pid[process]) === pid.lastIndexOf(pid[process]) ? own : own + '.' + process;
}

/* -1: all processes. */
function process_named(text) {
    return text ? profile.processes.pid.findIndex(
                      (pid, process) => has_stacks(process) && process_name(process) === text)
                : -1;
}

/* null: it is there. Otherwise a promise of that. */
function loading_process(query) {
    const process = process_named(query.process);
    return process < 0 || process_stacks.has(process) ? null : load_process(process);
}

/* -1 calls: the process has all of the stack. */
async function load_process(process) {
    const {stack, calls, excl} = JSON.parse(new TextDecoder().decode(await inflated('process-' + process)));
    const {stacks} = recorded, column = () => new Float64Array(stacks.count);
    const made = {calls: column(), excl: column(), incl: column(), any: new Uint8Array(stacks.count)};
    let next = 0;
    add_up(stack);
    stack.forEach((node, i) => {
        made.calls[node] = calls[i] < 0 ? stacks.calls[node] : calls[i];
        made.excl[node] = calls[i] < 0 ? stacks.excl[node] : excl[next++];
        made.any[node] = 1;
    });
    for (let node = stacks.count - 1; node >= 0; node--) {
        const parent = stacks.parent[node];
        made.incl[node] += Math.max(0, made.excl[node]);
        if (parent >= 0) {
            made.incl[parent] += made.incl[node];
            made.any[parent] |= made.any[node];
        }
    }
    process_stacks.set(process, made);
}

function process_columns(process) {
    return process_stacks.get(process);
}

function process_title(process, {pid, program} = profile.processes) {
    return pid[process] + (program[process] ? ' ' + program[process] : '');
}

/* null: there is one process, or nothing is known of the stacks of each. */
function process_control() {
    const {pid, ticks} = profile.processes, all = [...pid.keys()], known = all.filter(has_stacks);
    if (!known.length)
        return null;
    known.sort((a, b) => ticks[b] - ticks[a] || a - b);
    const option = process =>
        make('option', {value: process_name(process), selected: process === selection.process},
            process_title(process) + ', ' + time_text(ticks[process]));
    const select =
        make('select', {change: () => change_selection({process: select.value || null, zoom: null})},
            make('option', {value: ''}, 'all ' + count_text(all.length)), known.map(option),
            known.length < all.length &&
                make('option', {disabled: true},
                    count_text(all.length - known.length) +
                        ' shorter ones are not kept: the report would be more than a fifth larger'));
    return make('label', {class: 'control'}, 'Process ', select);
}
