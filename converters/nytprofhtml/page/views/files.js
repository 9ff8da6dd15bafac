/* All files and string evals. */

function file_columns({files}) {
    const of = column => file => files[column][file],
          merged = file => files.merged[file] > 0 &&
        make('span.tag', {title: 'Evals with the same text at the same line count as one'},
            'with ' + count_text(files.merged[file]) + ' like it');
    return [
        bar_column('Self', of('ticks'), {key: 'time', drop: 20, hint: wording('self_of_file')}),
        share_column(of('ticks')),
        count_column(count_title('Statements'), of('statements'), {key: 'statements', drop: 6}),
        is_memory() &&
            bar_column('Compiled code', of('code'),
                {key: 'code', drop: 7, hint: 'What perl made of the source of the file when it loaded it'}),
        count_column('Subs', file => files.subs.of(file).length, {key: 'subs', drop: 2}),
        name_column('File', file => [file_link(file), merged(file)], {key: 'name', value: of('name')})
    ].filter(Boolean);
}

/* Rows are those of the difference, since some files are only in OLD. */
function changed_files(pattern) {
    const {difference: {files}} = recorded, {query} = state.route,
                       name = row => files.name[row] || recorded.files.name[files.number[row]];
    const list = [...files.number.keys()].filter(
        row => pattern.test(name(row)) && (query.evals !== '0' || !name(row).startsWith('(eval ')));
    return {
        ...folded_rows(list, files, row => row, ['verdict', 'verdict_calls']),
        columns: [
            ...difference_columns(files, row => row, 'Runs', false),
            name_column('File', changed_file_link, {key: 'name', value: name})
        ],
        sort: '-change'
    };
}

/* Statements that the profile counts in no file; null: all are in one. */
function unaccounted_for({totals, files}) {
    const counted_in_files = files.statements.reduce((sum, count) => sum + count, 0);
    const count = is_sampled() ? 0 : totals.statements - counted_in_files;
    return count > 0 ? fact('In no file', count_text(count), count === 1 ? 'statement' : 'statements') : null;
}

/* The sums of the listed files. */
function file_totals(profile, list) {
    const {files} = profile, sum = of => list.reduce((all, file) => all + of[file], 0);
    return make('dl.facts',
        fact('Total', time_text(sum(files.ticks)), counted(sum(files.statements), 'statement')),
        unaccounted_for(profile));
}

function show_files(stage, {profile, route}) {
    const {query} = route, {files} = profile;
    const problems = [], pattern = new Pattern(query.q || '', problems), list = [];
    for (let file = 0; file < files.count; file++) {
        const seen = files.ticks[file] !== 0 || files.statements[file] > 0 || query.unused === '1';
        if (seen && (query.evals !== '0' || files.parent[file] < 0) && pattern.test(files.name[file]))
            list.push(file);
    }
    if (profile.about.kind === 'tmon')
        return nothing_to_show(stage, 'Files',
            'A tmon.out of Devel::DProf has no files and lines; record with Devel::NYTProf to see them.');
    stage.append(make('h1', 'Files'));
    const {control = null, ...shown} = profile.difference && query.compare !== '0'
        ? changed_files(pattern)
        : {columns: file_columns(profile), rows: list, sort: '-time'};
    return table_view(stage, {
        name: 'files',
        label: 'Files',
        problems,
        filter: {placeholder: 'filter by path', 'aria-label': 'Filter files'},
        controls: [
            query_control('string evals', 'evals', true),
            query_control(is_memory() ? 'without memory' : 'never run', 'unused'),
            make('a.button', {href: route_text('map', [], {})}, 'Map'),
            make('span.quiet', number_of(list.length, 'file')), compare_control(profile), control
        ],
        parts: place => [file_totals(profile, list), place],
        ...shown
    });
}

/* The subs of a file's packages that have no lines: xsubs and built-ins. */
function native_subs({subs, files}, file) {
    const list = [...files.subs.of(file)]
                     .filter(sub => subs.kind[sub] > 0 && subs.called[sub])
                     .sort(most_first(subs.incl));
    const columns = [
        bar_column('Incl.', sub => subs.incl[sub]),
        count_column(count_title('Calls'), sub => subs.calls[sub]), name_column('Sub', sub => sub_link(sub))
    ];
    return list.length > 0 && table_section('XSubs and built-ins of its packages', columns, list, {most: 30});
}

/* The subs of a file in the order of their lines, beside its source where there is room. Returns {element,
 * mark(sub)}, which marks the one that the window shows; null: there are none. */
function make_outline(profile, file) {
    const {subs, files} = recorded, links = new Map();
    const list = [...files.subs.of(file)]
                     .filter(sub => subs.first[sub] > 0 && label_of(sub) < 0)
                     .sort((a, b) => subs.first[a] - subs.first[b] || a - b);
    if (!list.length)
        return null;
    const self = sub => self_with_labels(profile, sub), most = Math.max(...list.map(self));
    const items = make('ul', list.map(sub => {
        const name = subs.name[sub],
              own = name.slice(recorded.packages.name[subs.package[sub]].length).replace(/^::/, '');
        const link = make('a', {
            href: file_route(file, subs.first[sub]),
            title: sub_title(sub),
            class: is_called(profile, sub) ? null : 'quiet'
        },
            name_parts(own.replace(/\[.*\//s, '[')));
        links.set(sub, link);
        return make('li', link,
            make('span.n.barred', {style: bar_style(self(sub), most)},
                is_called(profile, sub) ? time_text(self(sub)) : ''),
            self_change(profile, sub));
    }));
    const element = make('details.outline', {open: matchMedia('screen and (min-width: 72em)').matches},
        make('summary', 'Outline'), make('nav', {'aria-label': 'Subs of this file'}, items));
    let marked = null;
    return {
        element,
        mark: sub => {
            if (marked)
                marked.removeAttribute('aria-current');
            marked = links.get(sub) || null;
            if (!marked)
                return;
            marked.setAttribute('aria-current', 'true');
            const top = marked.offsetTop - items.parentNode.offsetTop;
            if (top < items.parentNode.scrollTop ||
                top + marked.offsetHeight > items.parentNode.scrollTop + items.parentNode.clientHeight)
                items.parentNode.scrollTop = top - items.parentNode.clientHeight / 3;
        }
    };
}

function kinds_of_file({file_kinds}, file) {
    return kinds_section('Kinds', file_kinds, file_kinds.by_file.of(file));
}

/* A file: its numbers, and its source. */
function show_file(stage, {profile, route}) {
    const {files} = profile, {file, line} = place_at(route.arguments[0]);
    if (file < 0)
        return not_found(stage, 'file', route.arguments[0], route_text('files', [], {}));
    stage.append(make('h1.file-name', files.name[file]),
        make('p.quiet',
            files.origin[file] === 0       ? 'Own code'
                : files.origin[file] === 2 ? 'Part of perl'
                                           : 'Installed module',
            files.parent[file] >= 0
                ? [', a string eval done at ', file_link(files.parent[file], files.line[file])]
                : null,
            '. ',
            make('a', {href: route_text('flame', [], {only: 'file:' + file_address(file)})},
                'Flame graph of its subs'),
            '.', editor_link(file, line)),
        make('dl.facts', fact('Self', time_text(files.ticks[file]), share_text(files.ticks[file])),
            profile.difference && profile.difference.row_of_file[file] >= 0 &&
                fact('Old and new',
                    old_and_new(profile.difference.files, profile.difference.row_of_file[file])),
            fact(count_title('Statements'), count_text(files.statements[file])),
            is_memory() && fact('Compiled code', time_text(files.code[file])),
            fact('Subs', count_text(files.subs.of(file).length)),
            files.evals.of(file).length > 0 &&
                fact('String evals', count_text(files.evals.of(file).length))));
    const siblings = files.parent[file] >= 0
        ? [...files.evals.of(files.parent[file])].filter(
              other => files.line[other] === files.line[file] && other !== file)
        : [];
    if (siblings.length)
        stage.append(make_details(null, number_of(siblings.length, 'sibling') + ' of the same line',
            make('ul',
                siblings.slice(0, 300).map(
                    other => make('li', file_link(other), ' ', time_text(files.ticks[other]))))));
    const show = changed => {
        const outline = make_outline(profile, file), place = make('div.beside', outline && outline.element);
        stage.append(changed, place);
        const source = new SourceTable(
            profile, place, file, {line, again: route.again, on_sub: outline && outline.mark});
        stage.append(native_subs(profile, file) || '', is_memory() ? kinds_of_file(profile, file) : '');
        return {ready: source.ready, stop: () => source.stop(), key: event => source.key(event)};
    };
    return profile.difference
        ? shown_later(changed_code_section([file], [...shown_difference().lines.by_file.of(file)]), show)
        : show('');
}
