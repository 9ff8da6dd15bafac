/* The view of one label: its numbers, what it is within and called for and called from. */

function span_facts({labels}, label) {
    return [
        fact('p50', time_text(labels.median[label])), fact('p95', time_text(labels.p95[label])),
        fact('p99', time_text(labels.p99[label])),
        fact('Longest', [time_text(labels.longest[label]), trace_link(label)])
    ];
}

function own_label_facts({labels}, label, is_query) {
    return [
        labels.has_times &&
            fact(wording('amount'), time_text(labels.incl[label]), share_text(labels.incl[label])),
        fact('Self', time_text(labels.excl[label]), share_text(labels.excl[label])),
        is_query && fact('Runs', count_text(labels.runs[label]))
    ];
}

function changed_label_facts(label, row) {
    const {labels} = recorded.difference, is_span = recorded.labels.kind[label] === span_kind;
    return [
        fact(wording('amount') + ', old and new', old_and_new(labels, row, '_incl')),
        fact(
            (is_span ? 'Requests' : 'Runs') + ', old and new', old_and_new(labels, row, '_calls', count_text))
    ];
}

function label_facts(profile, label) {
    const {labels} = profile, row = changed_label_row(profile, label),
          is_query = labels.kind[label] === sql_kind && labels.has_times && !is_memory(),
          is_span = labels.kind[label] === span_kind && has_durations(profile);
    return make('dl.facts',
        ...row < 0 ? own_label_facts(profile, label, is_query) : changed_label_facts(label, row),
        fact(count_title('Calls'), count_text(labels.calls[label])), is_span && span_facts(profile, label));
}

function label_whereabouts(profile, label) {
    const {labels} = profile, {address, title, one} = label_kinds[labels.kind[label]],
          name = label_name(label);
    return make('p.quiet', one[0].toUpperCase() + one.slice(1) + ', one of ',
        make('a', {href: route_text('labels', [address])}, title), '. ',
        labels.kind[label] === span_kind && has_requests() &&
            [make('a', {href: route_text('labels', [address], {route: name})}, 'One by one'), '. '],
        profile.stacks.count > 0 &&
            [make('a', {href: route_text('flame', [], {only: 'label:' + name})}, 'Flame graph of it'), '. '],
        leave_out_link(profile, 'Leave it out', item_text('label', name)), '.');
}

/* A section of rows {incl, calls} with links. per: how many calls the label or sub has that the rows are in;
 * 0 if it has none. */
function label_neighbours(title, rows, head, link, per = 0) {
    if (!rows.length)
        return null;
    const unit = unit_for(rows[0].incl), each = row => per ? row.calls / per : 0;
    return table_section(title,
        [
            ['Incl., ' + unit.name, true], [count_title('Calls'), per > 0 ? 'wide' : true],
            per > 0 && ['Each', true], [head, false]
        ].filter(Boolean),
        rows,
        row => make('tr', time_cell(row.incl, unit),
            make('td', {class: per > 0 ? 'n wide' : 'n'}, count_text(row.calls)),
            per > 0 &&
                make('td.n',
                    each(row) >= 10 || each(row) % 1 === 0 ? count_text(each(row)) : each(row).toFixed(1)),
            name_cell(link(row))));
}

function label_places(profile, label) {
    const {arcs, labels} = profile, list = label_arcs(profile, label);
    if (!list.length)
        return null;
    const unit = unit_for(arcs.incl[list[0]]);
    return table_section('Called from',
        [
            ['Incl., ' + unit.name, true], [count_title('Calls'), true], ['Place', false],
            ['In', false, 'wide']
        ],
        list,
        arc => make('tr', time_cell(arcs.incl[arc], unit), count_cell(arcs.calls[arc]),
            name_cell(file_link(arcs.file[arc], arcs.line[arc]),
                labels.kind[label] !== span_kind && make('span.tag', method_name(arcs.callee[arc]))),
            make('td.name.wide', sub_link(arcs.caller[arc], sub_label(arcs.caller[arc])))));
}

/* The sub by which it ran, of that with most time; -1: there is none. */
function sub_of_label({subs}, label) {
    return subs.incl.reduce(
        (most, ticks, sub) => label_of(sub) === label && !(subs.incl[most] >= ticks) ? sub : most, -1);
}

function show_label(stage, {profile, route}) {
    const label = label_at(route.arguments[0]), {labels} = profile;
    if (label < 0)
        return not_found(stage, 'label', route.arguments[0], route_text('labels', [], {}));
    const inside = labels_within(profile, label), by_sub = ({sub}) => caller_link(sub),
          of_label = ({label: other}) => label_link(other);
    stage.append(make('h1.label-text', label_text(label)), label_whereabouts(profile, label),
        labels.text[label] === '(others)' ? make('p.explanation', others_text) : '',
        label_facts(profile, label), queued_note(route) || '',
        label_neighbours('Within it', inside, 'Label', of_label, is_memory() ? 0 : labels.calls[label]) || '',
        label_neighbours('Called for', labels_in_stacks(profile).callers[label].filter(({sub}) => sub >= 0),
            'Sub', by_sub) ||
            '',
        label_places(profile, label) || '');
    const timed = make('section.durations'), stops = [], sub = sub_of_label(profile, label);
    stage.append(timed);
    const ready = labels.kind[label] === span_kind ? null : add_durations(profile, timed, sub, stops);
    return {ready, stop: () => stops.forEach(stop => stop())};
}
