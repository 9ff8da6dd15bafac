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

/* {self, incl, calls} of each sub in the stacks, by sub. */
function subs_in_stacks(stacks) {
    const sums = new Map(), open = [];
    for (let node = 0; node < stacks.count; node++) {
        const sub = stacks.part_of[node], is_call = sub === stacks.sub[node];
        open.length = stacks.depth[node];
        const sum = sums.get(sub) || {self: 0, incl: 0, calls: 0};
        sum.self += Math.max(0, stacks.excl[node]);
        sum.incl += open.includes(sub) ? 0 : stacks.incl[node];
        sum.calls += is_call ? stacks.calls[node] : 0;
        sums.set(sub, sum);
        open.push(sub);
    }
    return sums;
}

/* {label, runs, incl} of each label in the stacks but the request's own, that with most time first. */
function labels_of_request(stacks) {
    const sums = new Map(), own = label_of(stacks.sub[0]);
    each_labelled(recorded.labels, stacks, (label, {incl, runs}) => {
        const sum = sums.get(label) || {label, runs: 0, incl: 0};
        sum.runs += runs;
        sum.incl += incl;
        sums.set(label, sum);
    });
    sums.delete(own);
    return [...sums.values()].sort((a, b) => b.incl - a.incl || a.label - b.label);
}

/* "264 ms of 300 ms are 100 runs of one query": what most of it is; empty: no one thing is. */
function answer_of_request({incl: [ticks]}, [most]) {
    return most && most.incl > ticks / 2
        ? `${time_text(most.incl)} of ${time_text(ticks)} ${most.runs === 1 ? 'is' : 'are'} ${
              number_of(most.runs, 'run')} of one ${label_kinds[recorded.labels.kind[most.label]].one}`
        : '';
}

function labels_table_of_request(rows) {
    const unit = unit_for(rows.length ? rows[0].incl : 0);
    return rows.length > 0 &&
        table_section('Its queries and other labels',
            [['Time, ' + unit.name, true], ['Runs', true], ['Kind', false], ['Label', false]], rows,
            ({label, runs, incl}) => make('tr', time_cell(incl, unit), count_cell(runs),
                make('td', label_kinds[recorded.labels.kind[label]].one),
                name_cell(make('a', {href: label_route(label)}, label_text(label)))),
            '', 8);
}

function subs_table_of_request(stacks) {
    const rows = [...subs_in_stacks(stacks)].sort(([, a], [, b]) => b.self - a.self || b.incl - a.incl);
    const unit = unit_for(rows[0][1].self);
    return table_section('Its subs',
        [['Self, ' + unit.name, true], ['Incl., ' + unit.name, true], ['Calls', true], ['Sub', false]], rows,
        ([sub, {self, incl, calls}]) => make('tr', time_cell(self, unit), time_cell(incl, unit),
            count_cell(calls), name_cell(sub_link(sub, sub_label(sub)))),
        '', 8);
}

function line_row({row, runs, ticks, incl}, i, unit) {
    const link = line_link(file_of_row(row[i]), recorded.lines.line[row[i]]);
    const cells = [
        time_cell(ticks[i], unit), make('td.n', percent_text(share_of(ticks[i], incl[0]))),
        count_cell(runs[i]), name_cell(link)
    ];
    add_code(link);
    return make('tr', cells);
}

/* The row of the lines that are not kept: how many there are, and their time. */
function row_of_others([count, ticks], whole, unit) {
    return make('tr.quiet', time_cell(ticks, unit), make('td.n', percent_text(share_of(ticks, whole))),
        make('td.n'), name_cell(number_of(count, 'other line')));
}

function lines_table_of_request(block) {
    const {row, ticks, others, unknown, incl} = block;
    if (unknown)
        return make('p.quiet.hint', lines_unknown[unknown]);
    const unit = unit_for(ticks[0] || 0), rows = [...row.keys()];
    return (rows.length > 0 || others[0] > 0) &&
        table_section('Its lines',
            [['Own, ' + unit.name, true], ['Of it', true], ['Runs', true], ['Line', false]],
            others[0] > 0 ? [...rows, -1] : rows,
            i => i >= 0 ? line_row(block, i, unit) : row_of_others(others, incl[0], unit), '', 8);
}

/* Fills a place with the flame graph and the tables of a request. Returns a function that stops redrawing. */
function show_calls_of_request(place, stacks) {
    const name_of = key => recorded.subs.name[key], tree = tree_of_stacks(stacks),
          layout = {...lay_out(tree, {name_of, order: 'first'}), name_of};
    const frame = make('div.flame'),
          details = make('p.details', {'aria-live': 'polite'}, 'A click opens a sub.');
    const canvas = sub_flame(frame, layout, {
        label_of_all: 'What the request did; the tables below have the numbers',
        text: at => flame_details(layout, at) + ' · ' + time_text(tree.self[layout.node[at]]) + ' self · ' +
            number_of(tree.calls[layout.node[at]], 'call'),
        say: text => { details.textContent = text; }
    });
    const labels = labels_of_request(stacks);
    place.replaceChildren(...[frame, details, labels_table_of_request(labels), subs_table_of_request(stacks),
        lines_table_of_request(stacks)]
                              .filter(Boolean));
    canvas.show(layout);
    return () => canvas.stop();
}
