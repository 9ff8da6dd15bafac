/* The tables of the overview again, when the page shows something else than all of the profile. */

const most_tops = 15;

/* The heaviest lines of all files. */
function top_lines() {
    const {files} = profile, found = [];
    for (let file = 0; file < files.count; file++)
        for (const [line, at] of statements_of(file, 'line'))
            if (at.ticks > 0)
                found.push({file, line, times: [at.ticks], count: at.calls});
    return found;
}

function top_packages() {
    const {packages, subs} = profile;
    const rows = packages.name.map(name => ({
        times: [0],
        count: 0,
        href: route_text('subs', [], {q: 'pkg:' + name}),
        name: name || '(none)'
    }));
    subs.excl.forEach((ticks, sub) => {
        const row = rows[subs.package[sub]];
        row.times[0] += ticks;
        row.count += is_sampled() ? samples_of(ticks) : subs.calls[sub];
    });
    return rows;
}

/* Lines say which they are, for the text that is added to them. */
function top_link({file, line, href, title, name}) {
    if (file === undefined)
        return make('a', {href, title}, name);
    const link = file_link(file, line);
    link.dataset.file = file;
    if (line)
        link.dataset.line = line;
    return link;
}

function fill_top(overview, id, rows) {
    const body = overview.querySelector(`#top-${id} tbody`), {totals} = profile;
    const cell = whole => ticks =>
        make('td', {class: 'n t ' + heat_of(share_of(ticks, whole)), 'data-t': ticks});
    const make_row = row => make('tr', null,
        row.times.map(cell(row.file === undefined ? totals.ticks : totals.line_ticks)),
        make('td', {class: 'n'}, row.line ? runs_of_line(row.count, row.times[0]) : count_text(row.count)),
        make('td', {class: 'name'}, top_link(row)));
    if (body)
        body.replaceChildren(...rows.filter(row => row.times[0] > 0)
                                 .sort((a, b) => b.times[0] - a.times[0])
                                 .slice(0, most_tops)
                                 .map(make_row));
}

function fill_tops(overview) {
    const {subs, files} = profile;
    fill_top(overview, 'subs', subs.name.map((name, sub) => ({
        times: [subs.excl[sub], subs.incl[sub]],
        count: subs.calls[sub],
        href: sub_route(sub),
        title: sub_title(sub),
        name
    })));
    fill_top(overview, 'lines', top_lines());
    fill_top(overview, 'files',
        files.name.map((name, file) => ({times: [files.ticks[file]], count: files.statements[file], file})));
    fill_top(overview, 'packages', top_packages());
}
