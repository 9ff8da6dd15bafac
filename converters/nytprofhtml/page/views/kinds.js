/* What memory is for: a table of kinds, and of one kind the subs and files that have it. */

const arenas_hint =
    'Perl keeps the heads and bodies of values in arenas and uses them again. An arena is of the ' +
    'sub that needed the next one, not of the sub that holds the values.';

function kind_columns() {
    const ticks = row => row.ticks;
    return [
        bar_column(wording('amount'), ticks, {key: 'memory', drop: 20}), share_column(ticks),
        count_column('Blocks', row => row.blocks, {key: 'blocks', drop: 5}),
        time_column(
            'Per block', row => row.blocks ? row.ticks / row.blocks : 0, {key: 'each', fine: true, drop: 3}),
        count_column('Subs', row => row.subs,
            {key: 'subs', drop: 2, hint: 'How many subs have some of it themselves'}),
        name_column('Kind', row => kind_link(row.kind),
            {key: 'name', width: 9, value: row => recorded.kinds.name[row.kind]}),
        {key: 'about', title: 'What it is', value: row => recorded.kinds.about[row.kind]}
    ];
}

function show_kinds(stage, {profile, route}) {
    if (!is_memory())
        return nothing_to_show(stage, 'Kinds',
            'Only a profile of memory has kinds: ', make('code', 'NYTPROF=heap=1'), ' records it.');
    if (route.arguments.length)
        return show_kind(profile, stage, route);
    const rows = kind_sums(profile).filter(row => row.ticks > 0);
    stage.append(make('h1', 'Kinds'));
    return table_view(stage, {
        controls: make('span.quiet', number_of(rows.length, 'kind')),
        parts: place => [place,
            recorded.kinds.name.includes('value heads') ? make('p.quiet.hint', arenas_hint) : '',
            values_section() || ''],
        columns: kind_columns(),
        rows,
        label: 'Kinds',
        sort: '-memory',
        name: 'kinds'
    });
}

/* How many values perl has of each type, and free heads; nothing if the profile does not say. */
function values_section() {
    const {type, count} = recorded.values, all = total_of(count);
    const rows = [...type.keys()].sort((a, b) => count[b] - count[a]);
    const columns = [
        share_bar_column('Of heads', row => count[row] / all), count_column('Heads', row => count[row]),
        name_column('Type', row => type[row])
    ];
    return rows.length > 0 && table_section('Heads of values', columns, rows, {most: rows.length});
}

function show_kind(profile, stage, route) {
    const {kinds, file_kinds} = profile, [name] = route.arguments, kind = kinds.name.indexOf(name);
    if (kind < 0)
        return not_found(stage, 'kind', name, route_text('kinds', [], {}));
    const {ticks, blocks: count} = kind_sums(profile)[kind];
    stage.append(make('h1', name[0].toUpperCase() + name.slice(1)),
        make('p.quiet', kinds.about[kind] + '. ', make('a', {href: route_text('kinds', [], {})}, 'All kinds'),
            '.'),
        make('dl.facts', fact(wording('amount'), time_text(ticks), share_text(ticks)),
            fact('Blocks', count_text(count)), count > 0 && fact('Per block', time_text(ticks / count))),
        make('div.columns', memory_section('Subs', 'Sub', kinds, [...kinds.by_kind.of(kind)], {
            whole: ticks,
            link: row => sub_link(kinds.sub[row], sub_label(kinds.sub[row])),
            nothing: 'No sub has any.',
            most: 30
        }),
            memory_section('Files', 'File', file_kinds, [...file_kinds.by_kind.of(kind)], {
                whole: ticks,
                link: row => file_link(file_kinds.file[row]),
                nothing: 'No file has any.',
                most: 30
            })),
        name === 'value heads' || name === 'value bodies' ? make('p.quiet.hint', arenas_hint) : '');
    return null;
}
