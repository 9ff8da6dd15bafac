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
    const {labels} = shown_difference(), is_span = recorded.labels.kind[label] === span_kind;
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

function show_label(stage, {profile, route}) {
    const label = label_at(route.arguments[0]), {labels} = profile;
    if (label < 0)
        return not_found(stage, 'label', route.arguments[0], route_text('labels', [], {}));
    stage.append(make('h1.label-text', label_text(label)), label_whereabouts(profile, label),
        labels.text[label] === '(others)' ? make('p.explanation', others_text) : '',
        label_facts(profile, label), queued_note(route) || '');
    return show_label_parts(stage, profile, label);
}
