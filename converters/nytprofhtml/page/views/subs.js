/* All subs: sorting, grouping, and a filter with words for what people look for. */

/* "self>1%", "calls>=100", "incl>20ms": a number with the unit of its measure. */
const measures = {
    self: 'excl',
    excl: 'excl',
    incl: 'incl',
    calls: 'calls',
    samples: 'calls',
    blocks: 'calls',
    depth: 'depth'
};

/* By measure: what is counted of the arcs to a sub. */
const distinct = {
    places: ({file, line}, arc) => line_key(file[arc], line[arc]),
    callers: ({caller}, arc) => caller[arc]
};

function amount_examples() {
    return is_memory() ? '5000, 20KiB, 3MiB or 1%' : '1.5, 20ms, 3us or 1%';
}

/* {test} or {problem}; null: a word without a comparison. */
function measure_test(profile, text) {
    const match = /^(\w+)(>=|<=|>|<|=)([^>].*)?$/.exec(text);
    if (!match)
        return null;
    const name = match[1], names = [...Object.keys(measures), ...Object.keys(distinct)];
    if (!names.includes(name))
        return {problem: `${name} is no measure: there are ${names.join(', ')}.`};
    const {subs, arcs} = profile, column = subs[measures[name]],
                 value = column
        ? sub => column[sub]
        : sub => new Set([...arcs.by_callee.of(sub)].map(arc => distinct[name](arcs, arc))).size,
                 in_ticks = ['self', 'excl', 'incl'].includes(name);
    const number = /^(\d+\.?\d*|\.\d+)(%|\p{L}+)?$/u.exec(match[3] || ''), unit = number && number[2];
    const named = units().find(one => one.in_address === unit || one.name === unit);
    if (!number || (unit && unit !== '%' && !(in_ticks && named)))
        return {
            problem: `${text} is left out: after ${match[2]} comes a number such as ${
                in_ticks ? amount_examples() : '1000 or 1%'}.`
        };
    let limit = Number(number[1]);
    if (unit === '%')
        limit = limit / 100 * (in_ticks ? profile.totals.ticks : profile.totals.calls);
    else if (in_ticks)
        limit *= profile.about.ticks_per_s / (named ? named.per_base : 1);
    const tests = {
        '>': x => x > limit,
        '<': x => x < limit,
        '>=': x => x >= limit,
        '<=': x => x <= limit,
        '=': x => x === limit
    };
    return {test: sub => tests[match[2]](value(sub))};
}

function word_test(profile, text, problems) {
    const {subs, files} = recorded;
    const [, what, name] = /^(pkg|file|kind):(.*)$/s.exec(text) || [null, null, text];
    if (what === 'kind')
        return sub_kinds.some(kind => kind.startsWith(name))
            ? {test: sub => sub_kinds[subs.kind[sub]].startsWith(name)}
            : {problem: `${text} is left out: the kinds are ${sub_kinds.join(', ')}.`};
    if (what === 'pkg' && recorded.packages.number.has(name)) {
        const exact = recorded.packages.number.get(name);
        return {test: sub => subs.package[sub] === exact};
    }
    const measure = what ? null : measure_test(profile, text);
    if (measure)
        return measure;
    const pattern = new Pattern(name, problems);
    if (what === 'pkg')
        return {test: sub => pattern.test(recorded.packages.name[subs.package[sub]])};
    if (what === 'file')
        return {test: sub => subs.file[sub] >= 0 && pattern.test(files.name[subs.file[sub]])};
    return {test: sub => pattern.test(subs.name[sub])};
}

/* All words must hold; "-" before one: must not. problems: what is wrong with some, also while they are
 * tested. */
function sub_filter(profile, text) {
    const most_words = 30, tests = [], problems = [], words = (text || '').split(/\s+/).filter(Boolean);
    if (words.length > most_words)
        problems.push(`Only the first ${most_words} words count.`);
    for (const word of words.slice(0, most_words)) {
        const not = word.length > 1 && word[0] === '-',
              {test, problem} = word_test(profile, not ? word.slice(1) : word, problems);
        if (problem)
            problems.push(problem);
        if (test)
            tests.push(not ? sub => !test(sub) : test);
    }
    return {problems, test: sub => tests.every(test => test(sub))};
}

function filter_help() {
    return 'A regular expression on names; pkg:Foo, file:lib/, kind:xsub, self>1%, incl>20' +
        units()[1].in_address + ', ' + count_word() + 's>100; -word leaves out.';
}

function sub_columns(profile) {
    const {subs} = profile;
    const of = column => {
        const values = subs[column]; /* looked up once, not for each of the rows */
        return sub => values[sub];
    };
    return [
        bar_column('Self', of('excl'), {key: 'self', drop: 20, hint: wording('self_of_sub')}),
        ...subs.waited
            ? ['work', 'asleep', 'queued'].map(
                  (key, i) => part_column(key, [5.5, 6.8, 6.4][i],
                      key === 'work' ? sub => subs.excl[sub] - subs.asleep[sub] - subs.queued[sub] : of(key)))
            : [],
        bar_column('Incl.', of('incl'), {key: 'incl', drop: 8, hint: wording('incl_of_sub')}),
        count_column(count_title('Calls'), of('calls'), {key: 'calls', drop: 7}),
        !is_sampled() &&
            time_column('Per call', sub => subs.calls[sub] ? subs.incl[sub] / subs.calls[sub] : null,
                {key: 'each', fine: true, drop: 6, hint: 'Inclusive time of a call'}),
        subs.depth.some(depth => depth > 0) &&
            number_column('Recursion', sub => subs.depth[sub] > 0 && count_text(subs.depth[sub]),
                {key: 'depth', drop: 3, value: of('depth'), hint: 'How deep it calls itself'}),
        is_whole_run(profile) && subs.kept.some(kept => kept !== 0) &&
            count_column('Kept', of('kept'), {key: 'kept', drop: 4, hint: kept_hint}),
        name_column('Sub', sub => sub_link(sub, sub_label(sub)), {key: 'name', value: of('name')}),
        name_column('Where', sub => subs.file[sub] >= 0 && file_link(subs.file[sub], subs.first[sub]),
            {key: 'where', drop: 5, width: 15, value: sub => whole_place(subs.file[sub], subs.first[sub])})
    ].filter(Boolean);
}

/* Old, new and change in the place of the profile's own numbers. */
function changed_sub_columns(profile) {
    const {subs, row_of_sub} = shown_difference();
    return [
        ...difference_columns(subs, sub => row_of_sub[sub], 'Calls', true),
        ...sub_columns(profile).filter(one => one.key === 'name')
    ];
}

function package_rows(profile, list) {
    const {subs} = profile, rows = new Map();
    for (const sub of list) {
        const row = entry_of(
            rows, subs.package[sub], of => ({name: profile.packages.name[of], subs: 0, calls: 0, self: 0}));
        row.subs++;
        row.calls += is_memory() ? blocks_of_subs(profile)[sub]
            : is_sampled()       ? samples_of(subs.excl[sub], profile.totals)
                                 : subs.calls[sub];
        row.self += subs.excl[sub];
    }
    return [...rows.values()];
}

function package_columns(query) {
    const others = (query.q || '').split(/\s+/).filter(word => word && !word.startsWith('pkg:')).join(' ');
    return [
        bar_column('Self', row => row.self, {key: 'self'}),
        count_column(count_title('Calls'), row => row.calls, {key: 'calls', drop: 2}),
        count_column('Subs', row => row.subs, {key: 'subs', drop: 1}),
        name_column('Package', row => package_link(row.name, others), {key: 'name', value: row => row.name})
    ];
}

/* Whole packages, of which some sub is in the list. */
function changed_packages(list) {
    const {packages, row_of_package} = shown_difference(),
                     rows = new Set(list.map(sub => row_of_package[recorded.subs.package[sub]]));
    rows.delete(-1);
    return {
        rows: [...rows],
        columns: [
            ...difference_columns(packages, row => row, 'Calls', false),
            name_column('Package', row => package_link(packages.name[row]),
                {key: 'name', value: row => packages.name[row]})
        ]
    };
}

/* Where the filter is one package. */
function package_out(profile, query) {
    const match = /^pkg:(\S+)$/.exec(query.q || '');
    return match && recorded.packages.number.has(match[1]) &&
        leave_out_link(profile, 'Leave out this package', item_text('pkg', match[1]));
}

/* {list, problems, self: their ticks}. */
function filtered_subs(profile, query, compared) {
    const {subs} = profile, {test, problems} = sub_filter(profile, query.q), list = [];
    let self = 0;
    for (let sub = 0; sub < subs.count; sub++) {
        if (!(compared ? is_compared(profile, sub)
                       : subs.called[sub] || query.unused === '1' && !is_called_with_labels(profile, sub)) ||
            !test(sub))
            continue;
        list.push(sub);
        self += subs.excl[sub];
    }
    return {list, problems, self};
}

/* The last list of a profile, which is sorted again and again. */
const lists_of_subs =
    once_for(profile => latest((q, unused, compared) => filtered_subs(profile, {q, unused}, compared)));

function show_subs(stage, {profile, route}) {
    const {query} = route,
          group = select_control('Group', query.group || '',
              [['', 'no'], ['package', 'by package'], ['tree', 'as a tree']],
              value => change_query({group: value || null, sort: null}));
    if (query.group === 'tree') {
        stage.append(make('h1', 'Subs'), make('div.controls', group, tree_chips(query)),
            make('p.quiet.hint', tree_hint),
            profile.stacks.count ? new CallTree(profile, query).element
                                 : make('p.empty', why_no_stacks(profile)));
        return null;
    }
    const by_package = query.group === 'package', compared = profile.difference && query.compare !== '0';
    const {list, problems, self} = lists_of_subs(profile)(query.q, query.unused, compared);
    const folded = compared && !by_package
        ? folded_rows(list, profile.difference.subs, sub => changed_row(profile, sub),
              ['verdict', 'verdict_incl', 'verdict_calls'])
        : {rows: list};
    stage.append(make('h1', 'Subs'));
    return table_view(stage, {
        problems,
        filter: {
            placeholder: 'filter',
            title: filter_help(),
            'aria-label': 'Filter subs',
            'aria-describedby': 'filter-help'
        },
        controls: [
            group, compare_control(profile),
            !compared &&
                query_control(is_memory() ? 'without memory'
                        : is_sampled()    ? 'never seen'
                                          : 'never called',
                    'unused'),
            package_out(profile, query),
            make('span.quiet', number_of(list.length, 'sub') + ', ' + time_text(self) + ' self'),
            folded.control
        ],
        parts: place => [make('p.quiet.hint', {id: 'filter-help'}, filter_help()), place],
        ...by_package && compared ? changed_packages(list) : {
            columns: by_package ? package_columns(query)
                : compared      ? changed_sub_columns(profile)
                                : sub_columns(profile),
            rows: by_package ? package_rows(profile, list) : folded.rows
        },
        label: 'Subs',
        sort: compared ? '-change' : '-self',
        name: by_package ? 'packages' : 'subs'
    });
}
