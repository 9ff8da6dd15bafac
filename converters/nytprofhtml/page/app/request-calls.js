/* What a single request did: the calls and lines of the slowest are in blocks of their own (DATA.md). */

const calls_of_requests = new Map(); /* request: its stacks, the first of which is the request, with lines */

/* Why the lines of a request are not known. */
const lines_unknown = [
    '', 'Its lines are not known: more than a million statements ran before it ended.',
    'Its lines are not known: other coroutines ran meanwhile.'
];

function has_calls_of_request(request) {
    return document.getElementById('request-' + request) !== null;
}

async function load_calls_of_request(request) {
    if (!calls_of_requests.has(request)) {
        const stacks = await load_block('request-' + request);
        link_stacks(stacks);
        calls_of_requests.set(request, stacks);
    }
    return calls_of_requests.get(request);
}

/* {sub, self, incl, calls} of each sub in the stacks. */
function subs_in_stacks(stacks) {
    const sums = new Map(), open = [];
    for (let node = 0; node < stacks.count; node++) {
        const sub = stacks.part_of[node], is_call = sub === stacks.sub[node];
        open.length = stacks.depth[node];
        const sum = entry_of(sums, sub, () => ({sub, self: 0, incl: 0, calls: 0}));
        sum.self += Math.max(0, stacks.excl[node]);
        sum.incl += open.includes(sub) ? 0 : stacks.incl[node];
        sum.calls += is_call ? stacks.calls[node] : 0;
        open.push(sub);
    }
    return [...sums.values()];
}

function labels_of_request(stacks) {
    return labels_within({labels: recorded.labels, stacks}, label_of(stacks.sub[0]));
}

/* "264 ms of 300 ms are 100 runs of one query": what most of it is; empty: no one thing is. */
function answer_of_request({incl: [ticks]}, [most]) {
    return most && most.incl > ticks / 2
        ? `${time_text(most.incl)} of ${time_text(ticks)} ${most.calls === 1 ? 'is' : 'are'} ${
              number_of(most.calls, 'run')} of one ${label_kinds[recorded.labels.kind[most.label]].one}`
        : '';
}

/* How many queries were run; empty: that is not known. */
async function queries_of_request(request) {
    const rows = has_calls_of_request(request) && labels_of_request(await load_calls_of_request(request));
    return rows ? count_text(total_of(
                      rows.map(({label, calls}) => recorded.labels.kind[label] === sql_kind ? calls : 0)))
                : '';
}

/* p50 is that of all runs, where each was timed. */
function labels_table_of_request(rows) {
    const median = label => {
        const durations = durations_of(sub_of_label(recorded, label));
        return durations ? quantile_of(durations, 0.5) : null;
    };
    const columns = [
        bar_column('Time', ({incl}) => incl), count_column('Runs', ({calls}) => calls),
        time_column('Each', ({incl, calls}) => calls > 0 ? incl / calls : null, {fine: true}),
        rows.some(({label}) => median(label) !== null) &&
            time_column('p50 of all', ({label}) => median(label), {fine: true, of: 'wide'}),
        name_column('Kind', ({label}) => label_kinds[recorded.labels.kind[label]].one),
        name_column('Label', ({label}) => make('a', {href: label_route(label)}, label_text(label)))
    ];
    return rows.length > 0 && table_section('Its queries and other labels', columns, rows, {most: 8});
}

function subs_table_of_request(stacks) {
    const columns = [
        bar_column('Self', ({self}) => self), bar_column('Incl.', ({incl}) => incl),
        count_column('Calls', ({calls}) => calls),
        name_column('Sub', ({sub}) => sub_link(sub, sub_label(sub)))
    ];
    return table_section('Its subs', columns,
        subs_in_stacks(stacks).sort((a, b) => b.self - a.self || b.incl - a.incl), {most: 8});
}

/* The last row is of the lines that are not kept. */
function lines_table_of_request({row, runs, ticks, others: [others, rest] = [], unknown, incl: [whole]}) {
    if (unknown)
        return make('p.quiet.hint', lines_unknown[unknown]);
    const rows = [...row.keys(), ...others > 0 ? [-1] : []], own = i => i < 0 ? rest : ticks[i];
    const columns = [
        bar_column('Own', own), number_column('Of it', i => percent_text(share_of(own(i), whole))),
        number_column('Runs', i => i < 0 ? '' : count_text(runs[i])),
        name_column('Line',
            i => i < 0 ? number_of(others, 'other line')
                       : coded_link(file_of_row(row[i]), recorded.lines.line[row[i]]))
    ];
    return rows.length > 0 &&
        table_section(
            'Its lines', columns, rows, {most: 8, attributes: i => ({class: i < 0 ? 'quiet' : null})});
}

/* Fills a place with the flame graph and the tables of a request. Returns a function that stops redrawing. */
function show_calls_of_request(place, stacks) {
    const name_of = key => recorded.subs.name[key], tree = tree_of_stacks(stacks),
          layout = {...lay_out(tree, {name_of, order: 'first'}), name_of};
    const frame = make('div.flame'),
          details = make('p.details', {'aria-live': 'polite'}, 'A click opens a sub.');
    const canvas = sub_flame(frame, layout, {
        label_of_all: 'What the request did; the tables below have the numbers',
        lines: at => [...flame_lines(layout, at), time_text(tree.self[layout.node[at]]) + ' self',
            number_of(tree.calls[layout.node[at]], 'call')],
        details
    });
    const labels = labels_of_request(stacks);
    fill_with(place, frame, details, labels_table_of_request(labels), subs_table_of_request(stacks),
        lines_table_of_request(stacks));
    canvas.show(layout);
    return () => canvas.stop();
}
