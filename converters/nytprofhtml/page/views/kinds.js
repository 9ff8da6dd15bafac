/* What memory is for: a table of kinds, and of one kind the subs and files that have it. */

const arenas_hint =
    'Perl keeps the heads and bodies of values in arenas and uses them again. An arena is of the ' +
    'sub that needed the next one, not of the sub that holds the values.';

function kind_columns() {
    return [
        {key: 'memory', title: wording('amount'), time: true, drop: 20, value: row => row.ticks}, {
            key: 'share',
            title: 'Of all',
            number: true,
            width: 9,
            drop: 4,
            value: row => share_of_all(row.ticks),
            cell: row => [meter(share_of_all(row.ticks)), percent_text(share_of_all(row.ticks))],
            csv: row => (share_of_all(row.ticks) * 100).toFixed(3) + '%',
            sort: row => row.ticks
        },
        {key: 'blocks', title: 'Blocks', number: true, drop: 5, value: row => row.blocks}, {
            key: 'each',
            title: 'Per block',
            time: true,
            fine: true,
            drop: 3,
            value: row => row.blocks ? row.ticks / row.blocks : 0
        },
        {
            key: 'subs',
            title: 'Subs',
            number: true,
            drop: 2,
            value: row => row.subs,
            hint: 'How many subs have some of it themselves'
        },
        {
            key: 'name',
            title: 'Kind',
            width: 9,
            value: row => recorded.kinds.name[row.kind],
            cell: row => kind_link(row.kind)
        },
        {key: 'about', title: 'What it is', value: row => explanation_of_kind(row.kind)}
    ];
}

function show_kinds(stage, {profile, route}) {
    if (!is_memory()) {
        stage.append(make('h1', 'Kinds'),
            make('p.empty', 'Only a profile of memory has kinds: ', make('code', 'NYTPROF=heap=1'),
                ' records it.'));
        return null;
    }
    if (route.arguments.length)
        return show_kind(profile, stage, route);
    const {query} = route, change = changes => go_to('kinds', [], {...query, ...changes});
    const rows = kind_sums(profile).filter(row => row.ticks > 0), controls = make('div.controls'),
          place = make('div.table-place');
    stage.append(
        make('h1', 'Kinds'), controls, place, make('p.quiet.hint', arenas_hint), values_section() || '');
    const table = new DataTable(place,
        {columns: kind_columns(), rows, label: 'Kinds', query, change, sort: '-memory', name: 'kinds'});
    controls.append(make('span.quiet', number_of(rows.length, 'kind')), table.copy_button());
    return table;
}

/* How many values perl has of each type, and free heads; nothing if the profile does not say. */
function values_section() {
    const {type, count} = recorded.values, all = count.reduce((sum, one) => sum + one, 0);
    const rows = [...type.keys()].sort((a, b) => count[b] - count[a]);
    return rows.length > 0 &&
        table_section('Heads of values', [['Of heads', 'share'], ['Heads', true], ['Type', false]], rows,
            row => make('tr', share_cell(count[row] / all), count_cell(count[row]), name_cell(type[row])), '',
            rows.length);
}

function show_kind(profile, stage, route) {
    const {kinds, file_kinds} = profile, [name] = route.arguments, kind = kinds.name.indexOf(name);
    if (kind < 0)
        return not_found(stage, 'kind', name, route_text('kinds', [], {}));
    const {ticks, blocks: count} = kind_sums(profile)[kind];
    stage.append(make('h1', name[0].toUpperCase() + name.slice(1)),
        make('p.quiet', explanation_of_kind(kind) + '. ',
            make('a', {href: route_text('kinds', [], {})}, 'All kinds'), '.'),
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
