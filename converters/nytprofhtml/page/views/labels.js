/* Requests and queries, and other calls by label: which query, pattern, file or request takes the time. */

const others_text = 'Calls of subs that had more labels than the profiler keeps apart (labelmax).';

/* Where there is too little room, paths keep their ends, and what a query selects is less than from where. */
function label_parts(label) {
    const whole = label_text(label), {address} = label_kinds[profile.labels.kind[label]];
    return address === 'file'
        ? name_parts(whole)
        : make('span', {class: 'inner'},
              address === 'sql' ? whole.replace(/^SELECT .{12,}? FROM /i, 'SELECT … FROM ') : whole);
}

function label_link(label) {
    return make('a', {
        href: label_route(label),
        title: profile.labels.text[label] === '(others)' ? others_text : label_text(label)
    },
        label_parts(label));
}

function span_columns() {
    const {labels, about} = profile;
    const times = [
        ['median', 'Median', 'Half of the requests take longer'],
        ['p95', '95 %', 'One of twenty requests takes longer'],
        ['p99', '99 %', 'One of a hundred requests takes longer'],
        ['longest', 'Longest', 'The longest request']
    ].map(([key, title, hint], i) => ({
        key,
        title,
        hint,
        time: true,
        drop: [6, 8, 4, 5][i],
        value: label => labels[key][label]
    }));
    const {waiting} = labels_in_stacks(profile), parts = [
        ['work', 'Work', 'Time in which it did not wait', label => labels.incl[label] - waiting[label]],
        [
            'waiting', 'Waiting', 'For other programs, other machines, disks and clocks',
            label => waiting[label]
        ]
    ].map(([key, title, hint, value], i) => ({key, title, hint, time: true, drop: 3 - i, value}));
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

const requests_column = {
    key: 'calls',
    title: 'Requests',
    number: true,
    drop: 9,
    value: label => profile.labels.calls[label]
};

function caller_link(sub) {
    return sub_link(sub, is_outside(sub) ? 'outside of subs' : profile.subs.name[sub]);
}

function caller_columns() {
    const {arcs, files} = profile, {callers} = labels_in_stacks(profile);
    const direct = label => label_arcs(label)[0], known = new Map();
    const first = label => known.has(label) ? known.get(label) : known.set(label, direct(label)).get(label);
    const caller = label => callers[label].length ? callers[label][0].sub
        : first(label) === undefined              ? -1
                                                  : arcs.caller[first(label)];
    const file = label => first(label) === undefined ? -1 : arcs.file[first(label)];
    const others = label => callers[label].length > 1 &&
        make('span', {class: 'tag'}, '+' + count_text(callers[label].length - 1));
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

/* Whether the durations of requests are those of what is shown. */
function has_durations() {
    const {labels} = profile;
    return labels.has_times && labels.is_whole && !is_memory();
}

function label_columns(kind) {
    const {labels} = profile, of = column => label => labels[column][label], {one} = label_kinds[kind];
    const {runs} = labels_in_stacks(profile);
    return [
        kind === span_kind && !is_memory() && requests_column, labels.has_times && {
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
        kind === sql_kind && profile.stacks.count > 0 && !is_memory() && {
            key: 'runs',
            title: 'Runs',
            number: true,
            drop: 8,
            value: label => runs[label],
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
        ...kind === span_kind && labels.has_times && !is_memory() ? span_columns() : [], {
            key: 'name',
            title: one[0].toUpperCase() + one.slice(1),
            value: label_text,
            cell: label => kind === span_kind && has_requests() ? [route_glyph(label), label_link(label)]
                                                                : label_link(label)
        },
        kind !== span_kind && {
            key: 'methods',
            title: 'Methods',
            drop: 2,
            width: 14,
            value: methods_text,
            hint: 'What was called with it, and ' + (is_memory() ? 'its blocks' : 'how often')
        },
        ...kind === span_kind ? [] : caller_columns()
    ].filter(Boolean);
}

/* The kinds that the profile has, with the number of labels. */
function label_tabs(kind) {
    const {labels} = profile, counts = label_kinds.map(() => 0);
    labels.kind.forEach((of, label) => { counts[of] += labels.called[label]; });
    return make('nav', {class: 'tabs', 'aria-label': 'What calls were made with'},
        [span_kind, ...label_kinds.keys()]
            .filter((i, at, all) => label_kinds[i] && all.indexOf(i) === at && counts[i] + (i === kind) > 0)
            .map(i => make('a', {
                href: route_text('labels', [label_kinds[i].address]),
                'aria-current': i === kind ? 'page' : null
            },
                     label_kinds[i].title, ' ', make('small', null, count_text(counts[i])))));
}

/* Returns the kind of an address; without one requests, or the first that has calls. */
function label_kind(address) {
    const {labels} = profile, named = label_kinds.findIndex(one => one && one.address === address);
    const has_spans = labels.kind.some((kind, label) => kind === span_kind && labels.called[label]);
    return named > 0 ? named
        : has_spans
        ? span_kind
        : labels.kind.reduce(
              (least, kind, label) => labels.called[label] ? Math.min(least, kind) : least, span_kind);
}

function label_hint(kind) {
    const {labels} = profile;
    return [
        labels.has_times ? wording('of_labels') + '.'
                         : 'There are no calls one by one (calls=0) or no stacks, ' +
                'so the time of the outermost calls is not known.',
        kind === span_kind &&
            (is_memory() ? ' A request is a part of the program with a name.'
                    : labels.is_whole
                    ? ' A request is a part of the program with a name, and its time is that in Perl, ' +
                        'without what runs later in callbacks. ' +
                        'Medians, 95 % and 99 % are exact to 1 %.'
                    : ' Medians are known of the whole profile only.'),
        profile.difference && ' The numbers are those of the new profile.'
    ].filter(Boolean)
        .join('');
}

function show_labels(stage, route) {
    const {query} = route, {labels} = profile;
    stage.append(make('h1', null, 'Requests and queries'));
    if (!labels) {
        stage.append(make('p', {class: 'empty'},
            'No call has a label: ', make('code', null, 'NYTPROF=labels=all'), ' records them.'));
        return null;
    }
    const kind = label_kind(route.arguments[0]), {address, title, one} = label_kinds[kind];
    const change = changes => go_to('labels', [address], {...query, ...changes});
    const problems = [], pattern = new Pattern(query.q || '', problems);
    const list = [...labels.kind.keys()].filter(
        label => labels.kind[label] === kind && labels.called[label] && pattern.test(label_text(label)));
    const filter = filter_field(
        'labels', query, {placeholder: 'filter', 'aria-label': 'Filter labels'}, problems, [address]);
    const many = list.length === 1 ? one
        : kind === span_kind       ? 'kinds of requests'
                                   : one.replace(/y$/, 'ie') + (one === 'address' ? 'es' : 's');
    const controls = make('div', {class: 'controls'}, filter, waiting_control(),
        make('span', {class: 'quiet'}, count_text(list.length) + ' ' + many));
    const place = make('div', {class: 'table-place'}), one_by_one = make('div', {class: 'requests'});
    stage.append(label_tabs(kind), controls, filter_problems(problems), one_by_one,
        kind === span_kind ? make('h2', null, 'By route') : '',
        make('p', {class: 'quiet hint'}, label_hint(kind)), place);
    const table = new DataTable(place, {
        columns: label_columns(kind),
        rows: list,
        label: title,
        query,
        change,
        sort: labels.has_times ? '-time' : '-self',
        name: address
    });
    controls.append(table.copy_button());
    if (kind !== span_kind)
        return table;
    const requests = show_requests(
        one_by_one, list, {query, change, keep: () => replace_route('labels', [address], query, true)});
    return {
        ready: requests.ready,
        csv: () => table.csv(),
        stop: () => {
            requests.stop();
            table.stop();
        }
    };
}

function span_facts(label) {
    const {labels} = profile;
    return [
        fact('Median', time_text(labels.median[label])), fact('95 %', time_text(labels.p95[label])),
        fact('99 %', time_text(labels.p99[label])),
        fact('Longest', [time_text(labels.longest[label]), trace_link(label)])
    ];
}

function label_facts(label) {
    const {labels, stacks} = profile,
                   is_query = labels.kind[label] === sql_kind && stacks.count > 0 && !is_memory(),
                   is_span = labels.kind[label] === span_kind && has_durations();
    return make('dl', {class: 'facts'},
        labels.has_times &&
            fact(wording('amount'), time_text(labels.incl[label]), share_text(labels.incl[label])),
        fact('Self', time_text(labels.excl[label]), share_text(labels.excl[label])),
        is_query && fact('Runs', count_text(labels_in_stacks(profile).runs[label])),
        fact(count_title('Calls'), count_text(labels.calls[label])), is_span && span_facts(label));
}

function label_whereabouts(label) {
    const {labels} = profile, {address, title, one} = label_kinds[labels.kind[label]],
          name = label_name(label);
    return make('p', {class: 'quiet'}, one[0].toUpperCase() + one.slice(1) + ', one of ',
        make('a', {href: route_text('labels', [address])}, title), '. ',
        labels.kind[label] === span_kind && has_requests() &&
            [make('a', {href: route_text('labels', [address], {route: name})}, 'One by one'), '. '],
        profile.stacks.count > 0 &&
            [make('a', {href: route_text('flame', [], {only: 'label:' + name})}, 'Flame graph of it'), '. '],
        leave_out_link('Leave it out', item_text('label', name)), '.');
}

function label_methods(label) {
    const {labels, subs} = profile;
    const list = [...labels.methods.of(label)]
                     .filter(sub => subs.called[sub])
                     .sort((a, b) => subs.incl[b] - subs.incl[a] || a - b);
    const unit = unit_for(Math.max(0, ...list.map(sub => subs.incl[sub])));
    return table_section('Methods',
        [
            ['Incl., ' + unit.name, true], ['Self, ' + unit.name, 'wide'], [count_title('Calls'), true],
            ['Sub', false]
        ],
        list,
        sub => make('tr', null, time_cell(subs.incl[sub], unit),
            make('td', {class: 'n wide'}, in_unit(subs.excl[sub], unit)), count_cell(subs.calls[sub]),
            name_cell(sub_link(sub, subs.name[sub].slice(0, subs.name[sub].indexOf(' '))))),
        'None was called.');
}

/* Rows of {incl, calls} with a link. per: how many calls there are of what they are in; 0: it is nothing that
 * has calls. */
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
        row => make('tr', null, time_cell(row.incl, unit),
            make('td', {class: per > 0 ? 'n wide' : 'n'}, count_text(row.calls)),
            per > 0 &&
                make('td', {class: 'n'},
                    each(row) >= 10 || each(row) % 1 === 0 ? count_text(each(row)) : each(row).toFixed(1)),
            name_cell(link(row))));
}

function label_places(label) {
    const {arcs, labels} = profile, list = label_arcs(label);
    if (!list.length)
        return null;
    const unit = unit_for(arcs.incl[list[0]]);
    return table_section('Called from',
        [
            ['Incl., ' + unit.name, true], [count_title('Calls'), true], ['Place', false],
            ['In', false, 'wide']
        ],
        list,
        arc => make('tr', null, time_cell(arcs.incl[arc], unit), count_cell(arcs.calls[arc]),
            name_cell(file_link(arcs.file[arc], arcs.line[arc]),
                labels.kind[label] !== span_kind &&
                    make('span', {class: 'tag'}, method_name(arcs.callee[arc]))),
            make('td', {class: 'name wide'}, sub_link(arcs.caller[arc], sub_label(arcs.caller[arc])))));
}

function show_label(stage, route) {
    const label = label_at(route.arguments[0]), {labels} = profile;
    if (label < 0)
        return not_found(stage, 'label', route.arguments[0], route_text('labels', [], {}));
    const inside = labels_within(label), by_sub = ({sub}) => caller_link(sub),
          of_label = ({label: other}) => label_link(other);
    stage.append(make('h1', {class: 'label-text'}, label_text(label)), label_whereabouts(label),
        labels.text[label] === '(others)' ? make('p', {class: 'explanation'}, others_text) : '',
        label_facts(label),
        label_neighbours('Within it', inside, 'Label', of_label, is_memory() ? 0 : labels.calls[label]) || '',
        make('div', {class: 'columns'}, labels.kind[label] === span_kind ? '' : label_methods(label),
            label_neighbours('Called for',
                labels_in_stacks(profile).callers[label].filter(({sub}) => sub >= 0), 'Sub', by_sub)),
        label_places(label) || '');
    return null;
}
