/* What the lanes of the strip show. A view of one thing has one lane, on which it is lit when that ran. */

const full_views = ['', 'labels', 'time'];

const no_ticks = () => new Float64Array(recorded.slices.count);

function sum_of_columns(columns) {
    return columns.reduce(
        (all, column) => all.map((sum, slice) => sum + Math.max(0, column[slice])), no_ticks());
}

const highest = column => column.reduce(most_of, 0) * 1.05 || 1;

/* By row of stacks or of lines: whether it is of what a view is about. null: the view is about nothing. */
function rows_of_view({view, arguments: [address]}) {
    const {stacks, lines} = recorded, named = {sub: sub_at, label: label_at}[view];
    const wanted = named ? named(address) : -1;
    if (wanted >= 0) {
        const within = new Uint8Array(stacks.count);
        stacks.sub.forEach((sub, node) => {
            within[node] = (view === 'sub' ? sub : label_of(sub)) === wanted ||
                stacks.parent[node] >= 0 && within[stacks.parent[node]];
        });
        return {table: 'stacks', rows: within};
    }
    const {file, line} = view === 'file' ? place_at(address) : {file: -1};
    return file < 0 ? null : {
        table: 'lines',
        rows: Uint8Array.from(lines.line,
            (one, row) => row >= recorded.files.first_row[file] && row < recorded.files.first_row[file + 1] &&
                (!line || one === line))
    };
}

/* Ticks of what a view is about in each slice. Its cells must be there. */
function lit_ticks({table, rows}, process) {
    const lit = no_ticks(), {row, ticks, asleep, queued} = blocks.cells[table];
    each_cell(blocks.cells[table], process, null, (cell, slice) => {
        if (rows[row[cell]])
            lit[slice] += ticks[cell] - asleep[cell] - queued[cell];
    });
    return lit;
}

/* Says that much of the time of what a view is about is the scheduler's, if it is. */
function queued_note(route) {
    const {stacks} = recorded, {rows} = rows_of_view(route);
    const sum = column => column.reduce((all, ticks, node) => all + (rows[node] ? ticks : 0), 0),
          queued = sum(stacks.queued), all = sum(stacks.excl);
    return queued > 0.3 * all &&
        make('p', make('strong', 'The scheduler, not the code: '),
            `its calls were queued in ${time_text(queued)} of ${time_text(all)}: long ones say little.`);
}

function areas_lane({process, query}, text, height) {
    const all = process >= 0 ? areas_of_process(process) : recorded.slices.by_area,
          columns = query.all ? all : all.slice(0, asleep_area);
    return {text, height, columns, top: highest(sum_of_columns(columns)), draw: draw_areas};
}

function lit_lane(selection, about) {
    const lane = areas_lane(selection, 'when it ran', 26);
    return {
        ...lane,
        columns: [lit_ticks(about, selection.process), sum_of_columns(lane.columns)],
        draw: draw_lit
    };
}

function busy_lane() {
    const {by_area, width} = recorded.slices, processors = Number(setting_of('processors')),
                    columns = by_area.filter((column, area) => area !== asleep_area),
                    wanted = sum_of_columns(columns).map(ticks => ticks / width);
    return {
        color: blocks.requests ? 'area-2' : 'work',
        text: 'run or queue',
        height: 34,
        wanted,
        processors,
        top: Math.max(highest(wanted), processors * 1.05),
        draw: draw_busy
    };
}

function requests_in(process) {
    return blocks.requests ? requests_of([...new Set(blocks.requests.label)], {process, range: null}) : [];
}

/* Its work, as far as that is known, stands at its right. */
function process_lane(process, work) {
    const {start_s, end_s, pid, ticks, asleep, queued} = recorded.processes;
    const at = s => (s - first_start_s()) * recorded.about.ticks_per_s,
          note = time_text(ticks[process] - Math.max(0, asleep[process]) - Math.max(0, queued[process]));
    return {
        text: String(pid[process]),
        title: process_title(process) + ': ' + note + ' of work',
        href: has_stacks(process) && route_text('', [], {process: process_name(process)}),
        height: 14,
        work,
        from: at(start_s[process]),
        to: end_s[process] > 0 ? at(end_s[process]) : recorded.slices.length,
        requests: requests_in(process),
        note,
        draw: draw_process
    };
}

/* Where the work forks, each part from its first call that is known; or the requests. */
function phase_lane(requests) {
    if (requests.length)
        return {text: 'requests', height: 14, requests, draw: draw_requests};
    const {sub, begin} = recorded.calls, phases = (fork_of(recorded) || []).flatMap(part => {
        const first =
            sub.reduce((least, one, i) => one === part.sub ? Math.min(least, begin[i]) : least, Infinity);
        return first < Infinity ? [{begin: first, text: part.text || short_sub(part.sub)}] : [];
    });
    phases.sort((a, b) => a.begin - b.begin);
    return phases.length > 1 && {text: 'phase', height: 14, phases, draw: draw_phases};
}

/* Only where it changes by more than a tenth. Pages that processes share count for each of them. */
function memory_lane(process) {
    const memory = memory_in_slices(process), most = memory ? Math.max(...memory) : 0;
    if (!memory || !(most > 1.1 * Math.min(...memory.filter(bytes => bytes > 0))))
        return false;
    return {
        text: 'memory',
        title: `RSS ${bytes_text(most)} at most` +
            (process < 0 && recorded.processes.pid.length > 1 ? ' of all processes' : ''),
        height: 20,
        memory,
        note: bytes_text(most),
        draw: draw_memory
    };
}

/* Those of processes with most work first. */
function process_lanes({process: of, work}) {
    const lanes = of.map((process, i) => process_lane(process, work[i])),
          more = recorded.processes.pid.length - of.length;
    return more > 0 ? [...lanes, {text: count_text(more) + ' more', height: 14, draw() {}}] : lanes;
}

function strip_lanes(profile, route) {
    const {selection} = profile, about = rows_of_view(route), {lanes} = recorded.slices;
    if (!full_views.includes(route.view))
        return [about && blocks.cells ? lit_lane(selection, about) : areas_lane(selection, 'what ran', 26)];
    return (lanes && selection.process < 0
            ? [busy_lane(), ...process_lanes(lanes)]
            : [phase_lane(requests_in(selection.process)), areas_lane(selection, 'what ran', 44)])
        .concat(memory_lane(selection.process))
        .filter(Boolean);
}

/* What the colours of the lanes mean. */
function strip_legend(lanes) {
    const item = (color, text) => legend_item(`var(--${color})`, text);
    const [{processors, wanted = [], color}] = lanes, {label} = blocks.requests || {};
    const routes = [...new Set(lanes.flatMap(({requests = []}) => requests.map(request => label[request])))];
    routes.sort((a, b) => rank_of_route(a) - rank_of_route(b));
    return [
        wanted.length &&
            item(color,
                'processes that work' +
                    (processors ? ` (dashes: ${processors} processor${processors === 1 ? '' : 's'})` : '')),
        processors && Math.max(...wanted) > processors &&
            item('queued-too', 'more than the processors can run'),
        ...routes.slice(0, 5).map(one => item(route_mark(one).color, label_text(one)))
    ].filter(Boolean);
}
