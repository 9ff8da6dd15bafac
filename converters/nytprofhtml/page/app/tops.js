/* The tables of what takes most time: subs and lines. The bar behind a number is its part of the largest. */

const most_tops = 8;

/* The heaviest lines of all files. */
function top_lines(profile) {
    const {files} = recorded, found = [];
    for (let file = 0; file < files.count; file++)
        for (const [line, at] of statements_of(profile, file, 'line'))
            if (at.ticks > 0)
                found.push({
                    file,
                    line,
                    times: [at.ticks],
                    count: runs_of_line(profile, at.calls, at.ticks),
                    link: () => line_link(file, line)
                });
    return found;
}

/* Those that no test has run. */
function untested_lines(profile) {
    return top_lines(profile).filter(
        ({file, line}) => (recorded.coverage[file].get(line) || {}).ran === false);
}

function top_subs({subs}) {
    return subs.name.map((name, sub) => ({
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

/* The times of a table have one unit. */
function top_table(profile, {title, times, count, name, rows, nothing}) {
    const all = rows(profile).filter(row => row.times[0] > 0),
          first = all.sort((a, b) => b.times[0] - a.times[0]).slice(0, most_tops);
    const unit = unit_for_columns(times.map((head, i) => Math.max(0, ...first.map(row => row.times[i]))));
    const largest = times.map((head, i) => Math.max(...first.map(row => row.times[i])));
    const cell = (ticks, i) => {
        const made = make('td.n.barred', {'data-t': ticks}, in_unit(ticks, unit));
        made.style.setProperty('--part', 100 * share_of(ticks, largest[i]) + '%');
        return made;
    };
    const widest = Math.max(0, ...first.map(row => row.count.length));
    const heads = [
        ...times.map(head => [head + ', ' + unit.name, true]),
        [count_title(count), true, '', widest > 10 && {style: `width: ${widest * 0.62 + 1.2}em`}], [name]
    ];
    return first.length
        ? short_table(title, heads, first,
              row => make('tr', row.times.map(cell), make('td.n', row.count), name_cell(row.link())))
        : make('p.quiet', nothing);
}

/* Where two profiles are compared, the table has old, new and change. */
function top_section(profile, id) {
    const {title, view} = tops()[id],
                  compared = profile.difference && {...compared_tables(profile)[id], counts: null};
    const table = compared ? compared_table(wording('most') + ': ' + compared.what + 's', compared,
                                 row => compared.of.new[row], most_tops, most_tops)
                           : top_table(profile, tops()[id]);
    if (table.tagName === 'TABLE')
        Object.assign(table, {id: 'top-' + id, className: compared ? 'top compared' : 'top'});
    return make('section', make('h2', make('a', {href: route_text(view, [], {})}, title)), table);
}

function top_sections(profile, ids) {
    return ids.filter(id => has_lines_of_selection(profile) || !tops()[id].is_of_lines)
        .map(id => top_section(profile, id));
}

/* Adds the text of its line to a link that line_link() has made, as soon as it is unpacked. */
async function add_code(link) {
    const {file, line} = link.dataset, text = await source_of(Number(file)), code = text && text[line - 1];
    if (code)
        link.parentNode.append(make('code.snippet', highlighted(code.trim(), 0)));
}
