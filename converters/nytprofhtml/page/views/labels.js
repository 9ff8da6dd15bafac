/* Requests and queries, and other calls by label: which query, pattern, file or request takes the time. */

/* A column of how long calls took. */
function latency_column(key, title, what, drop, value, fine = false) {
    const hint = {p50: `Half of the ${what} take longer`, p95: `One of twenty ${what} takes longer`}[title];
    return time_column(title, value, {key, hint, drop, fine, barred: !fine});
}

/* What the time of requests is made of, also where the work alone is shown. */
function parts_of_spans() {
    const part = chosen_part(state), {labels} = part, {asleep, queued} = labels_in_stacks(part);
    return [
        ['work', label => labels.incl[label] - asleep[label] - queued[label]],
        ['asleep', label => asleep[label]],
        queued.some(ticks => ticks > 0) && ['queued', label => queued[label]]
    ].filter(Boolean)
        .map(([key, value], i) => part_column(key, 3 - i, value));
}

/* What a request did on average, as a bar that is as long as its part of the longest one. */
function mean_column({labels}, parts) {
    const mean = (part, label) => share_of(part.value(label), labels.calls[label]),
          all = label => parts.reduce((sum, part) => sum + mean(part, label), 0),
          most = Math.max(0, ...labels_of_kind(recorded, span_kind).map(all));
    const bar = label =>
        time_bar('span.share-bar.mini', parts.map(part => ({...part, ticks: mean(part, label)})), most);
    return number_column('Each', bar, {
        key: 'mean',
        drop: 8.5,
        width: 9,
        hint: 'What a request did on average: work, asleep, queued',
        value: label => all(label) / recorded.about.ticks_per_s
    });
}

function span_columns(profile) {
    const {labels, about} = profile, parts = profile.stacks.count ? parts_of_spans() : [];
    const of = name => label => labels[name][label];
    const times = [
        latency_column('median', 'p50', 'requests', 6, of('median')),
        latency_column('p95', 'p95', 'requests', 8, of('p95')),
        latency_column('longest', 'Longest', 'requests', 5, of('longest'))
    ];
    const trace = about.trace_url && labels.trace_id &&
        name_column('Trace', trace_link,
            {key: 'trace', drop: 7, hint: 'Of the longest request', value: label => labels.trace_id[label]});
    return [
        ...labels.is_whole ? times : [], ...parts.length ? [mean_column(profile, parts)] : [],
        ...parts.slice(profile.is_work ? 1 : 0), ...labels.is_whole && trace ? [trace] : []
    ];
}

/* How long the runs of a query took: those of its method with most time, and no p95 of less than 20. */
function query_columns(profile) {
    const {runs} = profile.labels;
    const of = (value, least = 1) => label => {
        const durations = durations_of(sub_of_label(profile, label));
        return durations && durations.count >= least ? value(durations) : null;
    };
    const times = [
        latency_column('p50', 'p50', 'runs', 4, of(one => quantile_of(one, 0.5)), true),
        latency_column('p95', 'p95', 'runs', 5, of(one => quantile_of(one, 0.95), 20), true),
        latency_column('longest', 'Longest', 'runs', 3, of(({longest}) => longest), true)
    ];
    return [
        count_column('Runs', label => runs[label], {key: 'runs', drop: 8, hint: 'How often it was executed'}),
        ...has_durations(profile) ? times : []
    ];
}

/* For what calls are made: the routes of requests, with how often each request does, or else subs. */
function caller_columns(profile) {
    const {arcs, labels} = profile, {callers, spans} = labels_in_stacks(profile);
    const known = new Map(), first = label => entry_of(known, label, () => label_arcs(profile, label)[0]);
    const caller = label => callers[label].length ? callers[label][0].sub
        : first(label) === undefined              ? -1
                                                  : arcs.caller[first(label)];
    const file = label => first(label) === undefined ? -1 : arcs.file[first(label)];
    const others = list => list.length > 1 && make('span.tag', '+' + count_text(list.length - 1));
    const route = label => {
        const [of] = spans[label];
        return of && of.calls > 0.5 * labels.calls[of.label] &&
            `${label_text(of.label)} ${count_text(labels.calls[of.label])} × ${
                each_text(of.calls / labels.calls[of.label])}`;
    };
    const link = label => route(label)
        ? [make('a', {href: label_route(spans[label][0].label)}, route(label)), others(spans[label])]
        : caller(label) >= 0 && [caller_link(caller(label)), others(callers[label])];
    const name = label => route(label) || (caller(label) < 0 ? '' : sub_label(caller(label)));
    return [
        name_column(
            'Called for', link, {key: 'by', drop: 5, width: 16, hint: wording('called_for'), value: name}),
        name_column('At', label => file(label) >= 0 && file_link(file(label), arcs.line[first(label)]), {
            key: 'at',
            drop: 3,
            width: 14,
            hint: wording('called_at'),
            value: label => whole_place(file(label), arcs.line[first(label)])
        })
    ];
}

/* Old, new and change in the place of the profile's own numbers. */
function changed_label_columns(profile, kind) {
    const {labels, row_of_label} = shown_difference(), row = label => row_of_label[label],
                   counts = kind === span_kind ? 'Requests' : 'Runs';
    return [
        ...measure_columns(
            labels, row, {key: 'time-', title: wording('amount') + ' ', suffix: '_incl', drops: [5, 6, 20]}),
        percent_column(labels, row, '_incl', 4),
        ...measure_columns(labels, row,
            {key: 'runs-', title: counts + ' ', suffix: '_calls', is_count: true, drops: [1, 2, 3]}),
        ...label_columns(profile, kind).filter(one => one.key === 'name')
    ];
}

function label_columns(profile, kind) {
    const {labels} = profile, of = column => label => labels[column][label], {one} = label_kinds[kind],
          is_span = kind === span_kind && !is_memory(),
          is_query = kind === sql_kind && labels.has_times && !is_memory();
    return [
        is_span && count_column('Requests', of('calls'), {key: 'calls', drop: 9}),
        labels.has_times &&
            bar_column(is_span && profile.is_work ? 'Work' : wording('amount'), of('incl'),
                {key: 'time', drop: 20, hint: wording('of_labels')}),
        labels.has_times && share_column(of('incl')),
        !is_query && !(is_span && labels.has_times && profile.stacks.count) &&
            bar_column('Self', of('excl'),
                {key: 'self', drop: labels.has_times ? 4 : 20, hint: wording('self_of_label')}),
        !is_span && !is_query &&
            count_column(count_title('Calls'), of('calls'),
                {key: 'calls', drop: 7, hint: count_title('Calls') + ' of all methods'}),
        ...is_span && labels.has_times ? span_columns(profile) : [],
        ...is_query ? query_columns(profile) : [],
        name_column(one[0].toUpperCase() + one.slice(1),
            label => [kind === span_kind && has_requests() && route_choice(label), label_link(label)],
            {key: 'name', value: label_text}),
        ...kind === span_kind ? [] : caller_columns(profile)
    ].filter(Boolean);
}

/* Tabs of the kinds that the profile has besides requests, with the number of labels, if there are several.
 */
function label_tabs(profile, kind) {
    const kinds = [...label_kinds.keys()].filter(one => one !== span_kind && label_kinds[one] &&
            (labels_of_kind(profile, one).length || one === kind));
    return kind !== span_kind && kinds.length > 1 &&
        make('nav.tabs', {'aria-label': 'What calls were made with'},
            kinds.map(one => make('a', {
                href: route_text('labels', [label_kinds[one].address]),
                'aria-current': one === kind ? 'page' : null
            },
                          label_kinds[one].title, ' ',
                          make('small', count_text(labels_of_kind(profile, one).length)))));
}

function labels_of_kind(profile, kind) {
    const {labels} = recorded;
    return labels ? [...labels.kind.keys()].filter(
                        label => labels.kind[label] === kind && is_label_known(profile, label))
                  : [];
}

/* Returns the kind of an address; without one requests, or the first that has calls. */
function label_kind(profile, address) {
    const named = label_kinds.findIndex(one => one && one.address === address);
    return named > 0 ? named
                     : [span_kind, ...label_kinds.keys()].find(
                           kind => label_kinds[kind] && labels_of_kind(profile, kind).length > 0) ||
            span_kind;
}

/* The kind of labels, besides requests, that the bar leads to. */
function other_kind() {
    return [...label_kinds.keys()].find(
               kind => kind > 0 && kind < span_kind && labels_of_kind(recorded, kind).length > 0) ||
        sql_kind;
}

function label_hint({labels, difference}, kind) {
    const is_of_requests = kind === span_kind && !is_memory();
    return (labels.has_times ? wording('of_labels')
                             : 'Without calls one by one the time of the outermost calls is not known') +
        '.' +
        (!is_of_requests          ? ''
                : labels.is_whole ? ' p50 and p95, exact to 1 %, are of the latency, from begin to end.'
                                  : ' They are known of the whole profile only.') +
        (is_of_requests && difference ? ' One by one, they are those of the new profile.' : '');
}

/* The part of the bar that the kind of an address, or the label that it names, belongs to. */
function tab_of_labels({view, arguments: [name = '']}) {
    const label = view === 'label' ? label_at(name) : -1,
          kind = label >= 0 ? recorded.labels.kind[label] : label_kind(recorded, name);
    return kind === span_kind ? 'labels' : 'queries';
}

/* The answer: what one query takes, if it is much, or all of them. */
function queries_answer(profile, list) {
    const {labels} = profile, sum = of => list.reduce((all, label) => all + of[label], 0),
          [most] = [...list].sort(most_first(labels.incl)), [span] = labels_in_stacks(profile).spans[most];
    if (share_of_all(labels.incl[most]) > 0.3)
        return `One query takes ${share_text(labels.incl[most])}: ${number_of(labels.runs[most], 'run')}` +
            (span ? `, ${each_text(span.calls / labels.calls[span.label])} in each ${label_text(span.label)}`
                  : '');
    return `${queries_text(list)} ran ${count_text(sum(labels.runs))} times: ${
        time_text(sum(labels.incl))}, ${share_text(sum(labels.incl))}`;
}

const how_to_record = {
    [span_kind]: [
        'No request was recorded: ', 'NYTProf::Span::Plack', ' or ', 'NYTProf::Span::Mojolicious',
        ' makes a span of each.'
    ],
    [sql_kind]: ['No query was recorded: ', 'NYTPROF=labels=sql', ' records them.']
};

/* Queries have the durations of their runs, which are unpacked first. */
function show_labels(stage, context) {
    const {profile, route} = context, kind = label_kind(profile, route.arguments[0]),
                    rows = labels_of_kind(profile, kind);
    stage.append(make('h1', label_kinds[kind].title), label_tabs(profile, kind) || '');
    const how = how_to_record[kind] || !profile.labels && how_to_record[sql_kind];
    if (!rows.length && how) {
        stage.append(make('p.empty', how.map((text, i) => i % 2 ? make('code', text) : text)));
        return null;
    }
    const show = () => show_label_table(stage, context, kind);
    return kind === sql_kind && !blocks.durations ? shown_later(load_durations(), show) : show();
}

function show_label_table(stage, {profile, route}, kind) {
    const {query} = route, {labels} = profile, {address, title, one} = label_kinds[kind];
    const problems = [], pattern = new Pattern(query.q || '', problems);
    const compared = profile.difference && query.compare !== '0' &&
        labels.kind.some((of, label) => of === kind && changed_label_row(profile, label) >= 0);
    const list =
        labels_of_kind(profile, kind)
            .filter(label => (compared ? changed_label_row(profile, label) >= 0 : labels.called[label]) &&
                    pattern.test(label_text(label)));
    const folded = compared
        ? folded_rows(list, profile.difference.labels, label => changed_label_row(profile, label),
              ['verdict_incl', 'verdict_calls'])
        : {rows: list};
    const many = kind === sql_kind && list.length
        ? queries_text(list)
        : number_of(list.length, one,
              kind === span_kind ? 'kinds of requests' : one + (one === 'address' ? 'es' : 's'));
    const one_by_one = make('div.requests');
    const table = table_view(stage, {
        problems,
        filter: {placeholder: 'filter', 'aria-label': 'Filter labels'},
        controls: [compare_control(profile), folded.control, make('span.quiet', many)],
        parts: place => {
            one_by_one.append(make('section', kind === span_kind && make('h2', 'Routes'), place,
                make('p.quiet.hint', label_hint(profile, kind))));
            return one_by_one;
        },
        columns: compared ? changed_label_columns(profile, kind) : label_columns(profile, kind),
        rows: folded.rows,
        label: title,
        sort: compared         ? '-time-change'
            : labels.has_times ? '-time'
                               : '-self',
        after_sort: kind === sql_kind ? connects_last : null,
        name: address
    });
    const shown = kind === span_kind
        ? show_requests(profile, one_by_one, list.filter(label => labels.called[label]),
              {query, keep: () => replace_route('labels', [address], query, true)})
        : kind === sql_kind && labels.has_times && list.length && !is_memory()
        ? show_first_query(stage, profile, table.rows)
        : {stop: () => {}};
    return {
        ready: shown.ready,
        name: table.name,
        csv: () => table.csv(),
        key: event => !!shown.key && shown.key(event),
        stop: () => {
            shown.stop();
            table.stop();
        }
    };
}

function is_connect(label) {
    return /^dbi:/i.test(recorded.labels.text[label]);
}

function connects_last(rows) {
    return [...rows.filter(label => !is_connect(label)), ...rows.filter(is_connect)];
}

/* "4 queries and 1 connect" */
function queries_text(list) {
    const connects = list.filter(is_connect).length, queries = list.length - connects;
    return [queries && number_of(queries, 'query', 'queries'), connects && number_of(connects, 'connect')]
        .filter(Boolean)
        .join(' and ');
}

/* The query of the first row, opened. */
function show_first_query(stage, profile, [label]) {
    stage.querySelector('h1').textContent = queries_answer(profile, labels_of_kind(profile, sql_kind));
    const parts =
        make('section', make('h2', make('a.label-text', {href: label_route(label)}, label_text(label))));
    stage.append(parts);
    return show_label_parts(parts, profile, label);
}
