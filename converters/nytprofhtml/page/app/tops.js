/* The tables of the subs and lines that take most time. */

const most_tops = 8;

/* The rows with the largest numbers of a column, if they are more than 0, the largest first. */
function largest_rows(column, is_wanted = () => true) {
    const found = [];
    let least = 0;
    column.forEach((ticks, row) => {
        if (!(ticks > least) || !is_wanted(row))
            return;
        const at = found.findIndex(other => column[other] < ticks);
        found.splice(at < 0 ? found.length : at, 0, row);
        found.length = Math.min(found.length, most_tops);
        least = found.length < most_tops ? 0 : column[found[most_tops - 1]];
    });
    return found;
}

/* The ticks and calls of lines, where a line with several rows has its sums in the first of them. */
const sums_of_lines = once_for(({lines, files}) => {
    const ticks = Float64Array.from(lines.ticks), calls = Float64Array.from(lines.calls);
    for (let file = 0; file < files.count; file++)
        for (let row = files.first_row[file + 1] - 1; row > files.first_row[file]; row--)
            for (const sums of lines.line[row] === lines.line[row - 1] ? [ticks, calls] : []) {
                sums[row - 1] += sums[row];
                sums[row] = 0;
            }
    return {ticks, calls};
});

/* A table of the rows that have most. times: [head, ticks] of columns; count: [head, text]. */
function top_section(id, title, view, rows, {times, count: [counted_as, count], name, nothing}) {
    const widest = Math.max(0, ...rows.map(row => count(row).length)),
          head = widest > 10 && {style: `width: ${widest * 0.62 + 1.2}em`};
    const columns = [
        ...times.map(([of, ticks]) => bar_column(of, ticks, {style: row => ({'data-t': ticks(row)})})),
        number_column(count_title(counted_as), count, {head}), name
    ];
    const section = table_section(title, columns, rows, {nothing, href: route_text(view, [], {})});
    section.lastElementChild.id = 'top-' + id;
    return section;
}

function top_subs({subs}) {
    return top_section('subs', wording('subs'), 'subs', largest_rows(subs.excl), {
        times: [['Self', sub => subs.excl[sub]], ['Incl.', sub => subs.incl[sub]]],
        count: ['Calls', sub => count_text(subs.calls[sub])],
        name: name_column('Sub', sub => sub_link(sub)),
        nothing: wording('no_calls')
    });
}

function top_lines(profile, id, title, nothing, is_wanted) {
    const {ticks, calls} = sums_of_lines(profile), {line} = profile.lines;
    return top_section(id, title, 'files', largest_rows(ticks, is_wanted), {
        times: [[wording('amount'), row => ticks[row]]],
        count: ['Runs', row => runs_of_line(profile, calls[row], ticks[row])],
        name: name_column('Line', row => coded_link(file_of_row(row), line[row])),
        nothing
    });
}

function is_untested(row) {
    const at = recorded.coverage[file_of_row(row)].get(recorded.lines.line[row]);
    return at !== undefined && !at.ran;
}

/* Where two profiles are compared, the overview has what changed instead. */
function top_sections(profile) {
    const has_lines = has_lines_of_selection(profile);
    return profile.difference ? [] : [
        top_subs(profile), has_lines && top_lines(profile, 'lines', wording('lines'), wording('no_lines')),
        has_lines && recorded.coverage &&
            top_lines(profile, 'untested', 'Hot and untested',
                'The tests have run all lines that take time, of the files that they have loaded.',
                is_untested)
    ];
}
