/* The tables of memory over time (live-memory.js). A column is {title, hint, sums (by place)}. */

function bytes_in(bytes, unit) {
    const value = bytes * unit.per_base;
    return Math.abs(value) < 0.005 ? ''
                                   : grouped(value.toFixed(unit.per_base === 1 ? 0
                                             : Math.abs(value) >= 99.95        ? 1
                                                                               : 2));
}

/* "± 424 KiB, 13 samples". Fewer than five samples say little. */
function error_text({bytes, variance, samples}, whole_variance) {
    const error = Math.sqrt(Math.max(0, variance * (1 - variance / whole_variance)));
    return number_of(Math.round(samples), 'sample') +
        (variance <= 0                                          ? ', exact'
                : samples < 5 && error > 0.01 * Math.abs(bytes) ? ': few'
                                                                : ', ± ' + bytes_text(error));
}

/* Rows with their sums in each column, those with most in the column that sorts first. */
function memory_rows(columns, sorted, list) {
    return list.map(row => ({...row, sums: columns.map(({sums}) => sum_of_places(sums, row.places))}))
        .filter(({sums}) => sums.some(({bytes}) => Math.abs(bytes) >= 1))
        .sort((a, b) => b.sums[sorted].bytes - a.sums[sorted].bytes);
}

/* The bytes of each column; those of the one that sorts with a bar, compared with the largest of the table.
 */
function bytes_column({columns, sorted}, column, {unit, largest}) {
    const {title, hint, sums: {variance}} = columns[column], is_first = column === sorted,
                              whole = total_of(variance);
    return {
        title: make('button.link', {
            title: hint,
            'aria-pressed': String(is_first),
            click: () => change_query({sort: column ? title.toLowerCase() : null})
        },
            title + (is_first ? ', ' + unit.name + ' ▾' : '')),
        number: true,
        of: is_first && 'barred',
        style: ({sums: {[column]: sum}}) => ({
            title: error_text(sum, whole),
            'data-bytes': Math.round(sum.bytes),
            style: is_first && bar_style(sum.bytes, largest)
        }),
        cell: ({sums}) => bytes_in(sums[column].bytes, unit)
    };
}

/* Opens a row: what is in it follows. */
function memory_toggle(row_of, rows) {
    let inner = [];
    return make('button.toggle', {
        'aria-expanded': 'false',
        'aria-label': 'What is in it',
        click: ({currentTarget}) => {
            const is_open = inner.length > 0;
            inner.forEach(one => one.remove());
            inner = is_open ? [] : rows().slice(0, 12).map(row_of);
            inner.forEach(one => one.classList.add('inner-row'));
            currentTarget.closest('tr').after(...inner);
            currentTarget.setAttribute('aria-expanded', String(!is_open));
        }
    });
}

/* list: [{places, name(), color, open()}]; open makes a list of what is in a row, in the same form. */
function memory_table(chosen, title, head, list, most) {
    const {columns, sorted} = chosen, listed_rows = some => memory_rows(columns, sorted, some),
                    rows = listed_rows(list),
                    largest = Math.max(0, ...rows.map(({sums}) => sums[sorted].bytes)),
                    unit = fitting_unit(measure_units.bytes, largest);
    const row_of = row => make('tr', cells.map(one => column_cell(one, row)));
    const cells = [
        ...columns.map((one, column) => bytes_column(chosen, column, {unit, largest})),
        name_column(head[0].toUpperCase() + head.slice(1),
            row => [row.open && memory_toggle(row_of, () => listed_rows(row.open())),
                row.color && swatch(`var(--${row.color})`), row.name()])
    ];
    return memory_section_of(
        columns[sorted].when, table_section(title, cells, rows, {nothing: 'Nothing.', most}));
}

function memory_section_of(when, section) {
    section.classList.add('memory-table');
    section.querySelector('h2').append(make('small.quiet', when));

    return section;
}

function group_link({names}, key) {
    return typeof key === 'string' || names.sub[key] < 0
        ? make('span', name_parts(typeof key === 'string' ? key : names.text[key]))
        : sub_link(names.sub[key], sub_label(names.sub[key]));
}

/* "by A ‹ B ‹ C": the callers of the sub of a place. */
function callers_text({nodes, names, places}, place) {
    const path = [];
    for (let node = nodes.parent[places.node[place]]; places.node[place] > 0 && node > 0;
         node = nodes.parent[node])
        path.push(names.text[nodes.name[node]]);
    return path.length ? ' by ' + path.slice(0, 6).join(' ‹ ') + (path.length > 6 ? ' ‹ …' : '') : '';
}

/* Places by a key of each: [{places, name()}]. */
function places_by(places, key_of, name_of) {
    return [...grouped_by(places, key_of)].map(
        ([key, list]) => ({places: list, name: () => name_of(list[0], key)}));
}

/* What is in a group: of a sub its stacks, of the others subs; of compiled code its files. */
function parts_of_group(memory, by, key, places) {
    const {places: {file, node}, nodes} = memory;
    if (key === compiled_code)
        return places_by(places, place => file[place], place => file_link(file[place]));
    if (by === 'sub')
        return places_by(places, place => node[place],
            place => make('span.quiet', 'called' + (callers_text(memory, place) || ' outside of subs')));
    return places_by(places, place => nodes.name[node[place]], (place, name) => group_link(memory, name));
}

function all_places({places}) {
    return [...places.node.keys()].slice(1);
}

function lines_of_memory({places: {file, line}}, places) {
    return places_by(places.filter(place => file[place] >= 0), place => file[place] + ':' + line[place],
        place => coded_link(file[place], line[place]));
}

/* What each line allocated is held by variables, at the end: {place, bytes, ways: [[name, bytes]]}. */
function held_sites({holders, places: {file, line}}, process) {
    const sites = new Map();
    holders.place.forEach((place, row) => {
        if (process >= 0 && holders.process[row] !== process)
            return;
        const site = entry_of(
                  sites, file[place] + ':' + line[place], () => ({place, bytes: 0, ways: new Map()})),
              {bytes: {[row]: bytes}, holder: {[row]: way}} = holders;
        site.bytes += bytes;
        site.ways.set(way, (site.ways.get(way) || 0) + bytes);
    });
    return [...sites.values()]
        .map(site => ({...site, ways: [...site.ways].sort((a, b) => b[1] - a[1])}))
        .sort((a, b) => b.bytes - a.bytes);
}

function holders_section(memory, process) {
    const {names, places: {file, line}} = memory, sites = held_sites(memory, process),
                                 unit = fitting_unit(measure_units.bytes, sites.length && sites[0].bytes);
    const rows =
        sites.flatMap(({place, ways}) => ways.map(([way, bytes], i) => ({place, way, bytes, is_first: !i})));
    return memory_section_of('at the end',
        table_section('Held by',
            [
                {
                    ...number_column(unit.name, ({bytes}) => bytes_in(bytes, unit)),
                    style: ({bytes}) => ({'data-bytes': Math.round(bytes)})
                },
                name_column('Line', ({place, is_first}) => is_first && file_link(file[place], line[place]),
                    {of: 'held-line'}),
                name_column('Variable', ({way}) => make('code', names.text[way]))
            ],
            rows, {most: 16}));
}
