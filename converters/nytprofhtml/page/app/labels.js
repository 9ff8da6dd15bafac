/* What calls were made with: statements of SQL, patterns, files, and the names of spans. profile.labels has a
 * row for each label; null: the profile has none. */

/* By number of the kind, in the order of the tabs. */
const label_kinds = [
    null, {address: 'sql', title: 'Queries', one: 'query'},
    {address: 'regex', title: 'Patterns', one: 'pattern'}, {address: 'file', title: 'Files', one: 'file'},
    {address: 'command', title: 'Commands', one: 'command'}, {address: 'host', title: 'Hosts', one: 'host'},
    {address: 'http', title: 'HTTP', one: 'address'},
    {address: 'template', title: 'Templates', one: 'template'},
    {address: 'call', title: 'Own rules', one: 'label'}, {address: 'span', title: 'Requests', one: 'request'}
];
const sql_kind = 1, span_kind = 9;

function unpack_labels() {
    const {labels, subs} = recorded;
    if (!labels) {
        recorded.labels = null;
        return;
    }
    const numbers = new Map(subs.name.map((name, sub) => [name, sub]));
    add_up(labels.sub);
    labels.count = labels.text.length;
    labels.of_sub = new Int32Array(subs.name.length).fill(-1);
    labels.base_of = new Int32Array(subs.name.length).fill(-1);
    labels.runs_as_of = new Uint8Array(subs.name.length);
    labels.sub.forEach((sub, i) => {
        const base = numbers.get(subs.name[sub].slice(0, subs.name[sub].indexOf(' ')));
        labels.of_sub[sub] = labels.of[i];
        labels.runs_as_of[sub] = labels.runs_as[i];
        labels.base_of[sub] = base === undefined ? -1 : base;
    });
    labels.numbers = new Map(
        labels.text.map((text, label) => [label_kinds[labels.kind[label]].address + ':' + text, label]));
}

/* -1: the sub has no label. */
function label_of(sub) {
    return recorded.labels ? recorded.labels.of_sub[sub] : -1;
}

function label_name(label) {
    return label_kinds[recorded.labels.kind[label]].address + ':' + recorded.labels.text[label];
}

/* -1: there is none of that name. */
function label_at(name) {
    return recorded.labels && recorded.labels.numbers.has(name) ? recorded.labels.numbers.get(name) : -1;
}

function label_text(label) {
    return recorded.labels.whole[label] || recorded.labels.text[label];
}

/* What an address or an item calls a label, without the kind. */
function named_label_text(name) {
    const label = label_at(name);
    return label < 0 ? name.replace(/^\w+:/, '') : label_text(label);
}

function label_route(label) {
    return route_text('label', [label_name(label)]);
}

const others_text = 'Calls of subs that had more labels than the profiler keeps apart (labelmax).';

/* Where there is too little room, paths keep their ends, and what a query selects is less than from where. */
function label_parts(label) {
    const whole = label_text(label), {address} = label_kinds[recorded.labels.kind[label]];
    return address === 'file'
        ? name_parts(whole)
        : make('span.inner',
              address === 'sql' ? whole.replace(/^SELECT .{12,}? FROM /i, 'SELECT … FROM ') : whole);
}

function label_link(label) {
    return make('a', {
        href: label_route(label),
        title: recorded.labels.text[label] === '(others)' ? others_text : label_text(label)
    },
        label_parts(label));
}

function caller_link(sub) {
    return sub_link(sub, is_outside(sub) ? 'outside of subs' : recorded.subs.name[sub]);
}

/* Whether the durations of requests are those of what is shown. */
function has_durations({labels}) {
    return labels.has_times && labels.is_whole && !is_memory();
}

/* The row of the difference; -1: nothing of it is compared. */
function changed_label_row(profile, label) {
    return profile.difference ? profile.difference.row_of_label[label] : -1;
}

/* Whether tables have a label: calls with the label were made, in either side of a difference. */
function is_label_known(profile, label) {
    return profile.labels.called[label] || changed_label_row(profile, label) >= 0;
}

/* The address of all labels of the kind of a label. */
function label_kind_route(label) {
    return route_text('labels', [label_kinds[recorded.labels.kind[label]].address]);
}

/* Sums up labels. The calls and self times of a label are those of its subs. */
function sum_up_labels({labels, subs, stacks}, is_whole) {
    labels.calls = new Float64Array(labels.count);
    labels.excl = new Float64Array(labels.count);
    labels.called_bases = new Uint8Array(subs.count);
    labels.methods = index_by(labels.of_sub, labels.count);
    labels.sub.forEach((sub, i) => {
        labels.calls[labels.of[i]] += subs.calls[sub];
        labels.excl[labels.of[i]] += subs.excl[sub];
        if (subs.called[sub] && labels.base_of[sub] >= 0)
            labels.called_bases[labels.base_of[sub]] = 1;
    });
    labels.is_whole = is_whole;
    labels.has_times = labels.has_calls && (is_whole || recorded.stacks.count > 0);
    if (!is_whole)
        sum_up_stacks_of_labels(labels, stacks);
    labels.called =
        Uint8Array.from(labels.calls, (calls, label) => calls > 0 || labels.incl[label] > 0 ? 1 : 0);
}

/* The self time of a sub, with that of its calls with labels. */
function self_with_labels({labels, subs}, sub) {
    return labels === null || !labels.called_bases[sub] ? subs.excl[sub]
                                                        : subs.excl[sub] +
            labels.sub.reduce(
                (sum, other) => sum + (labels.base_of[other] === sub ? subs.excl[other] : 0), 0);
}

/* Whether the calls of a sub count as calls of subs with labels. */
function is_called_with_labels(profile, sub) {
    return profile.labels !== null && profile.labels.called_bases[sub] === 1;
}

function is_called(profile, sub) {
    return profile.subs.called[sub] === 1 || is_called_with_labels(profile, sub);
}

/* The labels of a sub's calls, that with most time first. */
function labels_of_base({labels, subs}, base) {
    return labels.sub.filter(sub => labels.base_of[sub] === base && subs.called[sub])
        .sort((a, b) => subs.incl[b] - subs.incl[a])
        .map(label_of);
}

/* Calls visit(label, {node, path, incl, runs}) for each call with a label that has inclusive time or runs:
 * incl is 0 within another call with the same label, and runs as runs_as of DATA.md says; of memory, they are
 * blocks. path has the subs above it, and may be longer than the depth of the node; -1 for what runs outside
 * of subs. */
function each_labelled(labels, stacks, visit) {
    const calls = new Uint32Array(labels.count), runs = new Uint32Array(labels.count), path = [], above = [];
    for (let node = 0; node < stacks.count; node++) {
        const sub = stacks.sub[node], label = labels.of_sub[sub], runs_as = labels.runs_as_of[sub];
        while (path.length > stacks.depth[node]) {
            const left = above.pop();
            path.pop();
            if (left.label >= 0) {
                calls[left.label]--;
                runs[left.label] -= left.runs_as > 0 ? 1 : 0;
            }
        }
        if (label >= 0) {
            const is_outermost = calls[label]++ === 0;
            const is_run = runs_as > 0 && (runs[label]++ === 0 || runs_as === 2);
            const count =
                (stacks.blocks ? is_outermost && stacks.blocks[node] : is_run && stacks.calls[node]) || 0;
            if (is_outermost || count)
                visit(label, {node, path, incl: is_outermost ? stacks.incl[node] : 0, runs: count});
        }
        path.push(stacks.part_of[node]);
        above.push({label, runs_as});
    }
}

function sum_up_stacks_of_labels(labels, stacks) {
    labels.incl = new Float64Array(labels.count);
    labels.runs = new Float64Array(labels.count);
    each_labelled(labels, stacks, (label, {incl, runs}) => {
        labels.incl[label] += incl;
        labels.runs[label] += runs;
    });
}

/* The arcs of calls with a label by what has another, the heaviest first. */
function label_arcs({labels, arcs}, label) {
    return [...labels.methods.of(label)]
        .flatMap(sub => [...arcs.by_callee.of(sub)])
        .filter(arc => labels.of_sub[arcs.caller[arc]] !== label)
        .sort((a, b) => arcs.incl[b] - arcs.incl[a] || arcs.calls[b] - arcs.calls[a]);
}

/* Adds to sums, {[name]: key, incl, calls} by key. */
function add_runs(sums, name, key, incl, runs) {
    const sum = entry_of(sums, key, () => ({[name]: key, incl: 0, calls: 0}));
    sum.incl += incl;
    sum.calls += runs;
}

function most_incl_first(sums) {
    return [...sums.values()].sort((a, b) => b.incl - a.incl || a.sub - b.sub || a.label - b.label);
}

/* What the stacks of a profile say of labels: {asleep, queued, callers, spans}. The first two: ticks within
 * requests. callers: for whom calls are made, {sub, incl, calls}, the heaviest first: the innermost sub of
 * the program's own code, or the caller if there is none; calls are runs. spans: the same by the route of the
 * request, {label, incl, calls}. */
const labels_in_stacks = once_for(({labels, subs, stacks}) => {
    const sums = Array.from({length: labels.count}, () => new Map()), asleep = new Float64Array(labels.count),
          queued = new Float64Array(labels.count),
          in_spans = Array.from({length: labels.count}, () => new Map());

    const outside = subs.name.indexOf('main::RUNTIME');
    each_labelled(labels, stacks, (label, {node, path, incl, runs}) => {
        let at = path.length - 1;
        for (let of = node; labels.kind[label] === span_kind && incl && of < stacks.end[node]; of++) {
            asleep[label] += stacks.asleep[of];
            queued[label] += stacks.queued[of];
        }
        while (at >= 0 && (subs.origin[path[at]] !== 0 || labels.of_sub[path[at]] >= 0))
            at--;
        const last = path.length ? path[path.length - 1] : -1;
        add_runs(sums[label], 'sub', at >= 0 ? path[at] : last >= 0 ? last : outside, incl, runs);
        const span = path.map(label_of).find(one => one >= 0 && labels.kind[one] === span_kind);
        if (span !== undefined && labels.kind[label] !== span_kind)
            add_runs(in_spans[label], 'label', span, incl, runs);
    });
    return {asleep, queued, callers: sums.map(most_incl_first), spans: in_spans.map(most_incl_first)};
});

/* The labels of calls within calls with a label: {label, incl, calls}, the heaviest first. */
function labels_within({labels, stacks}, outer) {
    const sums = new Map();
    each_labelled(labels, stacks, (label, {path, incl, runs}) => {
        if (label !== outer && path.some(sub => labels.of_sub[sub] === outer))
            add_runs(sums, 'label', label, incl, runs);
    });
    return most_incl_first(sums);
}

/* "execute", of "DBI::st::execute SELECT ..." */
function method_name(sub) {
    const name = recorded.subs.name[sub], base = name.slice(0, name.indexOf(' '));
    return base.slice(base.lastIndexOf(':') + 1);
}

/* A note about the label of a sub, or about the labels of its calls. */
function label_note(profile, sub) {
    const {labels} = recorded, label = label_of(sub);
    if (label >= 0)
        return make('p', 'Its label: ', make('a', {href: label_route(label)}, label_text(label)));
    if (!is_called_with_labels(profile, sub))
        return '';
    const of = labels_of_base(profile, sub);
    return make('p', 'Calls were recorded by label, ',
        make('a', {href: label_kind_route(of[0])}, 'one of ' + label_kinds[labels.kind[of[0]]].title),
        of.length === 1 ? ': ' : ', as ' + count_text(of.length) + ' subs: ',
        of.slice(0, 5).map((one, i) => [i ? ', ' : '', make('a', {href: label_route(one)}, label_text(one))]),
        of.length > 5 ? ', ...' : '');
}
