/* Requests and queries, and other calls by label: which query, pattern, file or request takes the time. */

function span_columns(profile) {
    const {labels, about} = profile;
    const times = [
        ['median', 'p50', 'Half of the requests take longer'],
        ['p95', 'p95', 'One of twenty requests takes longer'],
        ['p99', 'p99', 'One of a hundred requests takes longer'],
        ['longest', 'Longest', 'The longest request']
    ].map(([key, title, hint], i) => ({
        key,
        title,
        hint,
        time: true,
        drop: [6, 8, 4, 5][i],
        value: label => labels[key][label]
    }));
    const all = chosen_part(state), {asleep, queued} = labels_in_stacks(all), parts = [
        ['work', label => all.labels.incl[label] - asleep[label] - queued[label]],
        ['asleep', label => asleep[label]],
        queued.some(ticks => ticks > 0) && ['queued', label => queued[label]]
    ].filter(Boolean).map(([key, value], i) => ({key, ...part_words[key], time: true, drop: 3 - i, value}));
    const trace = about.trace_url && labels.trace_id && {
        key: 'trace',
        title: 'Trace',
        drop: 7,
        hint: 'Of the longest request',
        value: label => labels.trace_id[label],
        cell: label => trace_link(label) || ''
    };
    return [
        ...labels.is_whole ? times : [], ...profile.stacks.count ? parts : [],
        ...labels.is_whole && trace ? [trace] : []
    ];
}

function caller_columns(profile) {
    const {arcs, files} = profile, {callers} = labels_in_stacks(profile);
    const direct = label => label_arcs(profile, label)[0], known = new Map();
    const first = label => known.has(label) ? known.get(label) : known.set(label, direct(label)).get(label);
    const caller = label => callers[label].length ? callers[label][0].sub
        : first(label) === undefined              ? -1
                                                  : arcs.caller[first(label)];
    const file = label => first(label) === undefined ? -1 : arcs.file[first(label)];
    const others = label =>
        callers[label].length > 1 && make('span.tag', '+' + count_text(callers[label].length - 1));
    return [
        {
            key: 'by',
            title: 'Called for',
            drop: 5,
            width: 14,
            hint: wording('called_for'),
            value: label => caller(label) < 0 ? '' : sub_label(caller(label)),
            cell: label => caller(label) < 0 ? '' : [caller_link(caller(label)), others(label)]
        },
        {
            key: 'at',
            title: 'At',
            drop: 3,
            width: 14,
            hint: wording('called_at'),
            value: label => file(label) < 0 ? '' : files.name[file(label)] + ':' + arcs.line[first(label)],
            cell: label => file(label) < 0 ? '' : file_link(file(label), arcs.line[first(label)])
        }
    ];
}

/* Old, new and change in the place of the profile's own numbers. */
function changed_label_columns(profile, kind) {
    const {labels, row_of_label} = recorded.difference, row = label => row_of_label[label];
    return [
        ...measure_columns(
            labels, row, {key: 'time-', title: wording('amount') + ' ', suffix: '_incl', drops: [5, 6, 20]}),
        {
            key: 'percent',
            title: 'Change, %',
            number: true,
            width: 6.6,
            drop: 4,
            value: label => (labels.new_incl[row(label)] - labels.old_incl[row(label)]) /
                Math.max(labels.old_incl[row(label)], 1),
            cell: label => percent_cell(
                ...['old_incl', 'new_incl', 'verdict_incl'].map(name => labels[name][row(label)]))
        },
        ...measure_columns(labels, row, {
            key: 'runs-',
            title: kind === span_kind ? 'Requests ' : 'Runs ',
            suffix: '_calls',
            number: true,
            drops: [1, 2, 3]
        }),
        ...label_columns(profile, kind).filter(one => one.key === 'name')
    ];
}

function label_columns(profile, kind) {
    const {labels} = profile, of = column => label => labels[column][label], {one} = label_kinds[kind];
    return [
        kind === span_kind && !is_memory() &&
            {key: 'calls', title: 'Requests', number: true, drop: 9, value: of('calls')},
        labels.has_times && {
            key: 'time',
            title: wording('amount'),
            time: true,
            drop: 20,
            value: of('incl'),
            hint: wording('of_labels')
        },
        !(kind === span_kind && labels.has_times && profile.stacks.count && !is_memory()) && {
            key: 'self',
            title: 'Self',
            time: true,
            drop: labels.has_times ? 4 : 20,
            value: of('excl'),
            hint: wording('self_of_label')
        },
        kind === sql_kind && labels.has_times && !is_memory() && {
            key: 'runs',
            title: 'Runs',
            number: true,
            drop: 8,
            value: of('runs'),
            hint: 'How often it was executed'
        },
        (kind !== span_kind || is_memory()) && {
            key: 'calls',
            title: count_title('Calls'),
            number: true,
            drop: kind === sql_kind ? 1 : 7,
            value: of('calls'),
            hint: count_title('Calls') + ' of all methods'
        },
        ...kind === span_kind && labels.has_times && !is_memory() ? span_columns(profile) : [], {
            key: 'name',
            title: one[0].toUpperCase() + one.slice(1),
            value: label_text,
            cell: label => kind === span_kind && has_requests() ? [route_glyph(label), label_link(label)]
                                                                : label_link(label)
        },
        ...kind === span_kind ? [] : caller_columns(profile)
    ].filter(Boolean);
}

/* The kinds that the profile has, with the number of labels. */
function label_tabs(profile, kind) {
    const {labels} = recorded, counts = label_kinds.map(() => 0);
    labels.kind.forEach((of, label) => { counts[of] += is_label_known(profile, label) ? 1 : 0; });
    return make('nav.tabs', {'aria-label': 'What calls were made with'},
        [span_kind, ...label_kinds.keys()]
            .filter((i, at, all) => label_kinds[i] && all.indexOf(i) === at && counts[i] + (i === kind) > 0)
            .map(i => make('a', {
                href: route_text('labels', [label_kinds[i].address]),
                'aria-current': i === kind ? 'page' : null
            },
                     label_kinds[i].title, ' ', make('small', count_text(counts[i])))));
}

/* Returns the kind of an address; without one requests, or the first that has calls. */
function label_kind(profile, address) {
    const {labels} = recorded, named = label_kinds.findIndex(one => one && one.address === address);
    const has_spans = labels.kind.some((kind, label) => kind === span_kind && is_label_known(profile, label));
    return named > 0 ? named
        : has_spans  ? span_kind
                     : labels.kind.reduce((least, kind, label) =>
                                             is_label_known(profile, label) ? Math.min(least, kind) : least,
                           span_kind);
}

function label_hint({labels, difference}, kind) {
    const is_of_requests = kind === span_kind && !is_memory();
    return (labels.has_times ? wording('of_labels')
                             : 'Without calls one by one the time of the outermost calls is not known') +
        '.' +
        (!is_of_requests          ? ''
                : labels.is_whole ? ' p50, p95 and p99, exact to 1 %, are of the latency, from begin to end.'
                                  : ' They are known of the whole profile only.') +
        (is_of_requests && difference ? ' One by one, they are those of the new profile.' : '');
}

function show_labels(stage, {profile, route}) {
    const {query} = route, {labels} = profile;
    stage.append(make('h1', 'Requests and queries'));
    if (!labels) {
        stage.append(
            make('p.empty', 'No call has a label: ', make('code', 'NYTPROF=labels=all'), ' records them.'));
        return null;
    }
    const kind = label_kind(profile, route.arguments[0]), {address, title, one} = label_kinds[kind];
    const change = changes => go_to('labels', [address], {...query, ...changes});
    const problems = [], pattern = new Pattern(query.q || '', problems);
    const compared = profile.difference && query.compare !== '0' &&
        labels.kind.some((of, label) => of === kind && changed_label_row(profile, label) >= 0);
    const list = [...labels.kind.keys()].filter(label => labels.kind[label] === kind &&
            (compared ? changed_label_row(profile, label) >= 0 : labels.called[label]) &&
            pattern.test(label_text(label)));
    const folded = compared
        ? folded_rows(list, profile.difference.labels, label => changed_label_row(profile, label),
              ['verdict_incl', 'verdict_calls'], {query, change})
        : {rows: list};
    const filter = filter_field(
        'labels', query, {placeholder: 'filter', 'aria-label': 'Filter labels'}, problems, [address]);
    const many = list.length === 1 ? one
        : kind === span_kind       ? 'kinds of requests'
                                   : one.replace(/y$/, 'ie') + (one === 'address' ? 'es' : 's');
    const controls = make('div.controls', filter,
        compared || query.compare === '0'
            ? check_control('old and new', compared, on => change({compare: on ? null : '0', sort: null}))
            : '',
        folded.control || '', make('span.quiet', count_text(list.length) + ' ' + many));
    const place = make('div.table-place'),
          routes = make('section', kind === span_kind && make('h2', 'Routes'), place,
              make('p.quiet.hint', label_hint(profile, kind))),
          one_by_one = make('div.requests', routes);
    stage.append(label_tabs(profile, kind), controls, filter_problems(problems), one_by_one);
    const table = new DataTable(place, {
        columns: compared ? changed_label_columns(profile, kind) : label_columns(profile, kind),
        rows: folded.rows,
        label: title,
        query,
        change,
        sort: compared         ? '-time-change'
            : labels.has_times ? '-time'
                               : '-self',
        name: address
    });
    controls.append(table.copy_button());
    if (kind !== span_kind)
        return table;
    const requests = show_requests(profile, one_by_one, list.filter(label => labels.called[label]),
        {query, change, keep: () => replace_route('labels', [address], query, true)});
    return {
        ready: requests.ready,
        csv: () => table.csv(),
        stop: () => {
            requests.stop();
            table.stop();
        }
    };
}
