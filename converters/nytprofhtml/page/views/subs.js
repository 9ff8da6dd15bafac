/* All subs: sorting, grouping, and a filter with words for what people look for. */

/* "self>1%", "calls>=100", "incl>20ms": a number with the unit of its measure. */
const measures = {self: 'excl', excl: 'excl', incl: 'incl', calls: 'calls', samples: 'calls', depth: 'depth', places: 'called_places',
    callers: 'callers'};

function measure_test(word) {
    const match = /^(\w+)(>=|<=|>|<|=)([\d.]+)(%|s|ms|us|µs)?$/.exec(word);
    if (!match || !measures[match[1]])
        return null;
    const column = profile.subs[measures[match[1]]];
    const in_ticks = match[1] === 'self' || match[1] === 'excl' || match[1] === 'incl';
    const per_s = {s: 1, ms: 1e3, us: 1e6, 'µs': 1e6};
    let limit = Number(match[3]);
    if (match[4] === '%')
        limit = limit / 100 * (in_ticks ? profile.totals.ticks : profile.totals.calls);
    else if (in_ticks)
        limit *= profile.about.ticks_per_s / (per_s[match[4]] || 1);
    const tests = {'>': x => x > limit, '<': x => x < limit, '>=': x => x >= limit, '<=': x => x <= limit,
        '=': x => x === limit};
    return sub => tests[match[2]](column[sub]);
}

function word_test(word) {
    const {subs, files} = profile;
    const [, what, text] = /^(pkg|file|kind):(.*)$/s.exec(word) || [null, null, word];
    if (what === 'kind')
        return sub => kinds[subs.kind[sub]].startsWith(text);
    if (what === 'pkg') {
        const exact = profile.packages.number.get(text);
        const pattern = as_regexp(text);
        return exact !== undefined ? sub => subs.package[sub] === exact
            : sub => pattern.test(profile.packages.name[subs.package[sub]]);
    }
    const pattern = as_regexp(text);
    if (what === 'file')
        return sub => subs.file[sub] >= 0 && pattern.test(files.name[subs.file[sub]]);
    return measure_test(word) || (sub => pattern.test(subs.name[sub]));
}

/* All words must hold; "-" before one: must not. */
function sub_filter(text) {
    const tests = (text || '').split(/\s+/).filter(Boolean).map(word => {
        if (word.length < 2 || word[0] !== '-')
            return word_test(word);
        const test = word_test(word.slice(1));
        return sub => !test(sub);
    });
    return sub => tests.every(test => test(sub));
}

function filter_help() {
    return 'A regular expression on names; pkg:Foo, file:lib/, kind:xsub, self>1%, incl>20ms, ' +
        (is_sampled() ? 'samples' : 'calls') + '>100; -word leaves out.';
}

function sub_columns() {
    const {subs} = profile;
    const of = column => sub => subs[column][sub];
    return [
        {key: 'self', title: 'Self', time: true, width: '8.5em', value: of('excl'), hint: 'Time in the sub itself'},
        {key: 'incl', title: 'Incl.', time: true, width: '8.5em', value: of('incl'),
            hint: 'Time in the sub and in what it calls; recursive calls count once'},
        {key: 'calls', title: count_title('Calls'), number: true, width: '7em', value: of('calls')},
        !is_sampled() && {key: 'each', title: 'Per call', time: true, fine: true, wide: true, width: '7.5em',
            value: sub => subs.calls[sub] ? subs.incl[sub] / subs.calls[sub] : 0, hint: 'Inclusive time of a call'},
        {key: 'places', title: 'Places', number: true, wide: true, width: '5em', value: of('called_places'),
            hint: 'Lines that it is called from'},
        {key: 'files', title: 'Files', number: true, wide: true, width: '4.5em', value: of('called_files'),
            hint: 'Files that it is called from'},
        {key: 'depth', title: 'Recursion', number: true, wide: true, width: '6em', value: of('depth'),
            cell: sub => subs.depth[sub] ? count_text(subs.depth[sub]) : '', hint: 'How deep it calls itself'},
        {key: 'name', title: 'Sub', value: of('name'), cell: sub => [sub_link(sub, sub_label(sub)), kind_tag(sub)]},
        {key: 'where', title: 'Where', wide: true, width: '22%', value: sub => subs.file[sub] < 0 ? ''
            : profile.files.name[subs.file[sub]] + (subs.first[sub] ? ':' + subs.first[sub] : ''),
            cell: sub => subs.file[sub] < 0 ? '' : file_link(subs.file[sub], subs.first[sub])},
        {key: 'kind', title: 'Kind', wide: true, width: '4.5em', value: sub => kinds[subs.kind[sub]]}
    ].filter(Boolean);
}

function kind_tag(sub) {
    const {subs} = profile, places = subs.places[sub];
    return [places > 1 && make('span', {class: 'tag', title: 'Defined in ' + places + ' places, such as evals'},
        places + ' places')];
}

function package_rows(list) {
    const {subs} = profile, rows = new Map();
    for (const sub of list) {
        const of = subs.package[sub];
        if (!rows.has(of))
            rows.set(of, {name: profile.packages.name[of], subs: 0, calls: 0, self: 0});
        const row = rows.get(of);
        row.subs++;
        row.calls += is_sampled() ? samples_of(subs.excl[sub]) : subs.calls[sub];
        row.self += subs.excl[sub];
    }
    return [...rows.values()];
}

function package_columns(query) {
    const others = (query.q || '').split(/\s+/).filter(word => word && !word.startsWith('pkg:')).join(' ');
    return [
        {key: 'self', title: 'Self', time: true, width: '8.5em', value: row => row.self},
        {key: 'calls', title: count_title('Calls'), number: true, width: '7em', value: row => row.calls},
        {key: 'subs', title: 'Subs', number: true, width: '5em', value: row => row.subs},
        {key: 'name', title: 'Package', value: row => row.name,
            cell: row => make('a', {href: route_text('subs', [], {q: ('pkg:' + row.name + ' ' + others).trim()})},
                name_parts(row.name || '(none)'))}
    ];
}

function show_subs(stage, route) {
    const {query} = route, {subs} = profile;
    const change = changes => go_to('subs', [], {...query, ...changes});
    const test = sub_filter(query.q), list = [];
    for (let sub = 0; sub < subs.count; sub++)
        if ((subs.called[sub] || query.all === '1') && test(sub))
            list.push(sub);
    const grouped_by = query.group === 'package';
    const filter = filter_field('subs', query, {placeholder: 'filter', title: filter_help(),
        'aria-label': 'Filter subs', 'aria-describedby': 'filter-help'});
    let self = 0;
    for (const sub of list)
        self += subs.excl[sub];
    const controls = make('div', {class: 'controls'}, filter,
        make('label', {class: 'control'}, 'Group ',
            make('select', {change: event => change({group: event.target.value || null, sort: null})},
            make('option', {value: ''}, 'no'), make('option', {value: 'package', selected: grouped_by},
                'by package'))),
        check_control(is_sampled() ? 'never seen' : 'never called', query.all === '1', on => change({all: on ? '1' : null})),
        make('span', {class: 'quiet'}, count_text(list.length) + (list.length === 1 ? ' sub, ' : ' subs, ') +
            time_text(self) + ' self'));
    stage.append(make('h1', null, 'Subs'), controls, make('p', {class: 'quiet hint', id: 'filter-help'},
        filter_help()));
    const place = make('div', {class: 'table-place'});
    stage.append(place);
    const table = new DataTable(place, {columns: grouped_by ? package_columns(query) : sub_columns(), rows: grouped_by
        ? package_rows(list) : list,
        label: 'Subs', query, change, sort: '-self', name: grouped_by ? 'packages' : 'subs'});
    controls.append(table.copy_button());
    return table;
}
