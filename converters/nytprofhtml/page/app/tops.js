/* The tables of the subs and lines that take most time. The bar behind a number shows it in proportion to the
 * largest one. */

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

function top_lines(profile, is_wanted) {
    const {ticks, calls} = sums_of_lines(profile), {line} = profile.lines;
    return largest_rows(ticks, is_wanted).map(row => ({
        times: [ticks[row]],
        count: runs_of_line(profile, calls[row], ticks[row]),
        link: () => coded_link(file_of_row(row), line[row])
    }));
}

/* Those that no test has run. */
function untested_lines(profile) {
    const at = row => recorded.coverage[file_of_row(row)].get(recorded.lines.line[row]) || {};
    return top_lines(profile, row => at(row).ran === false);
}

function top_subs({subs}) {
    return largest_rows(subs.excl).map(sub => ({
        times: [subs.excl[sub], subs.incl[sub]],
        count: count_text(subs.calls[sub]),
        link: () => sub_link(sub)
    }));
}

/* By id: view is the one that has more of them; times and count are heads. */
function tops() {
    return {
        subs: {
            title: wording('subs'),
            view: 'subs',
            times: ['Self', 'Incl.'],
            count: 'Calls',
            name: 'Sub',
            rows: top_subs,
            nothing: wording('no_subs')
        },
        lines: {
            title: wording('lines'),
            view: 'files',
            times: [wording('amount')],
            count: 'Runs',
            name: 'Line',
            rows: top_lines,
            is_of_lines: true,
            nothing: wording('no_lines')
        },
        untested: {
            title: 'Hot and untested',
            view: 'files',
            times: [wording('amount')],
            count: 'Runs',
            name: 'Line that no test has run',
            rows: untested_lines,
            is_of_lines: true,
            nothing: 'The tests have run all lines that take time, of the files that they have loaded.'
        }
    };
}

function top_table(profile, {title, times, count, name, rows, nothing}) {
    const first = rows(profile), widest = Math.max(0, ...first.map(row => row.count.length)),
          head = widest > 10 && {style: `width: ${widest * 0.62 + 1.2}em`};
    const columns = [
        ...times.map((of, i) => barred(time_column(of, row => row.times[i]), first)),
        number_column(count_title(count), row => row.count, {head}), name_column(name, row => row.link())
    ];
    return first.length ? short_table(title, columns, first) : make('p.quiet', nothing);
}

/* A column of times with a bar behind each number. The longest bar is that of the largest number. */
function barred(column, rows) {
    const largest = Math.max(...rows.map(column.value)),
          part = row => 100 * share_of(column.value(row), largest) + '%',
          style = row => ({'data-t': column.value(row), style: '--part: ' + part(row)});
    return {...column, of: 'barred', style};
}

function top_section(profile, id) {
    const {title, view} = tops()[id], table = top_table(profile, tops()[id]);
    if (table.tagName === 'TABLE')
        table.id = 'top-' + id;
    return make('section', make('h2', make('a', {href: route_text(view, [], {})}, title)), table);
}

/* Where two profiles are compared, the overview has what changed instead. */
function top_sections(profile, ids) {
    return ids
        .filter(id => !profile.difference && (has_lines_of_selection(profile) || !tops()[id].is_of_lines))
        .map(id => top_section(profile, id));
}
