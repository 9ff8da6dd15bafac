/* The rows of a table of source. */

/* A row that is not a line of source: a note about the line above it, or how many lines are left out. */
function other_row(row, table, of, text) {
    const others = table.waits.length + (table.covers() ? 2 : 0);
    const first = make('td.n', row.gap ? '⋮' : '');
    const last = make('td', {colspan: 5 + others, class: 'note-text'}, text);
    return make('tr', {class: of}, first, last);
}

/* What was seen of a branch, by its digit. */
const branch_words = ['✗ not seen', '✗ only true', '✗ only false', '✓ both'];

/* Whether tests have run the line, and which ways its branches went: equal ones are counted. */
function coverage_cells({file, line, inlined}) {
    const of = !inlined && recorded.coverage[file].get(line), counts = new Map();
    for (const digit of of ? of.branches : '')
        counts.set(digit, (counts.get(digit) || 0) + 1);
    const ways =
        [...counts].map(([digit, count]) => branch_words[digit] + (count > 1 ? ' ×' + count : '')).join(', ');
    return [make('td.n', !of ? '' : of.ran ? '✓ yes' : '✗ not run'), make('td.n', {title: ways}, ways)];
}

/* The browser's own search finds the lines of a gap, and opens it. */
function gap_row(row, table) {
    const lines = row.gap.filter(({note, inlined}) => !note && !inlined), open = () => {
        table.open_gap(row, row.line);
        table.place.querySelector('tr.here a').focus({preventScroll: true});
    };
    return other_row(row, table, 'gap', [
        make('button.link', {click: open}, number_of(lines.length, 'line') + wording('nothing_in')),
        lines.map(({line, code}) => make(
                      'div', {hidden: 'until-found', beforematch: () => table.open_gap(row, line)}, code))
    ]);
}

/* table: a SourceTable. */
function source_row(profile, row, table) {
    const {unit} = table;
    if (row.gap)
        return gap_row(row, table);
    if (row.note)
        return other_row(row, table, 'note ' + row.note, make('div', make('span', row.parts)));

    const at = row.at, line = String(row.line);
    const time = at ? in_unit(at.ticks, unit) : row.rolled ? '↑' : '';
    return make('tr', {class: (row.inlined ? 'inlined' : '') + (row.rolled ? ' rolled' : '')},
        make('td.n.line',
            row.inlined ? 'eval ' + line : make('a', {href: file_route(row.file, row.line)}, line)),
        table.covers() && coverage_cells(row),
        make('td.n.runs', at ? runs_of_line(profile, at.calls, at.ticks) : ''),
        make('td', {
            class: at ? 'n barred' : 'n',
            style: at && bar_style(at.ticks, table.most),
            title: at && at.calls && !is_sampled() ? time_text(at.ticks / at.calls) + ' per statement'
                : row.rolled                       ? 'counted at line ' + row.rolled
                                                   : null
        },
            time),
        table.waits.map(key => make('td.n.waits', at && at[key] > 0 ? in_unit(at[key], unit) : '')),
        make('td.n.calls', row.calls ? count_text(row.calls) : ''),
        make('td.n.calls', row.calls || row.in_subs ? in_unit(row.in_subs, unit) : ''),
        make('td.code', highlighted(row.code, row.kind)));
}
