/* The tables of what changed, on the overview and of what takes most time. */

/* What the overview compares: by id of its tables, the rows and what links to each. */
function compared_tables(profile) {
    const {subs, lines} = shown_difference(), all = table => [...table.old.keys()];
    return {
        subs: {
            what: 'Sub',
            of: subs,
            counts: 'Calls',
            rows: all(subs).filter(row => is_compared(profile, subs.number[row])),
            view: ['subs', {}],
            link: row => sub_link(subs.number[row], sub_label(subs.number[row]))
        },
        requests: compared_labels(profile, span_kind, 'Request', 'Requests'),
        queries: compared_labels(profile, sql_kind, 'Query', 'Runs'),
        lines: {what: 'Line', of: lines, rows: all(lines), view: ['files', {}], link: changed_line_link}
    };
}

/* Times of labels are inclusive, and their counts are runs. */
function compared_labels({selection: {out}}, kind, what, counts) {
    const {labels} = recorded, of = shown_difference().labels, {address} = label_kinds[kind];
    const is_left = label =>
        out && labels.methods.of(label).length > 0 && labels.methods.of(label).every(sub => out[sub]);
    return {
        what,
        of: {...of, old: of.old_incl, new: of.new_incl, verdict: of.verdict_incl},
        counts,
        rows: [...of.number.keys()].filter(
            row => of.number[row] >= 0 && labels.kind[of.number[row]] === kind && !is_left(of.number[row])),
        view: ['labels', {}, [address]],
        link: row => label_link(of.number[row])
    };
}

/* A table of rows. counts: the head of the column of counts; the table has none without it. */
function rows_table(label, {what, of, counts, link}, rows) {
    const columns = [
        ...change_columns(row => [of.old[row], of.new[row], of.verdict[row]]),
        counts && number_column(count_title(counts), row => old_and_new_calls(of, row), {of: 'wide calls'}),
        name_column(what, link)
    ];
    return short_table(label, columns, rows);
}

function plural(what) {
    return what.endsWith('y') ? what.slice(0, -1) + 'ies' : what + 's';
}

/* Whether chance can explain the change of a row, and the numbers of calls do not say otherwise. */
function is_folded({of, counts}, row) {
    return is_grey(of.verdict[row]) && !(counts && is_sure(of.verdict_calls[row]));
}

function folded_table(label, table, rows) {
    const most = 200, folded = rows.filter(row => is_folded(table, row)), what = table.what.toLowerCase();
    return folded.length ? make_details(null, number_of(folded.length, what, plural(what)) + ' within chance',
                               rows_table(label + ', within chance', table, folded.slice(0, most)),
                               folded.length > most && make('p.quiet', 'These are the first ' + most + '.'))
                         : '';
}

function changes_section(table) {
    const {what, of, rows, view: [view, query, list = []]} = table,
                                                      label = plural(what) + ' that changed most',
                                                      change = row => Math.abs(of.new[row] - of.old[row]);
    const sorted = rows.filter(row => change(row) > 0).sort(most_first(change)),
          first = sorted.filter(row => !is_folded(table, row)).slice(0, 12);
    return make('section', make('h2', make('a', {href: route_text(view, list, query)}, label)),
        first.length ? rows_table(label, table, first) : make('p.quiet', 'Nothing changed.'),
        folded_table(label, table, sorted));
}

/* Fills a place with the tables of the largest changes. place is null where nothing is compared. */
function fill_changes(profile, place) {
    const tables = !place || !profile.difference
        ? []
        : Object.values(compared_tables(profile)).filter(table => !table.counts || table.rows.length),
          columns = make('div.columns', tables.map(changes_section));
    if (place)
        place.replaceChildren(columns);
    if (tables.length)
        add_changed_code(profile, columns);
}

/* others: words of the filter besides the package. */
function package_link(name, others = '') {
    const q = ('pkg:' + name + ' ' + others).trim();
    return make('a', {href: route_text('subs', [], {q})}, name_parts(name || '(none)'));
}

function changed_file_link(row) {
    const {files} = shown_difference();
    return files.number[row] >= 0 ? file_link(files.number[row]) : [files.name[row], only_old_tag()];
}

function only_old_tag() {
    return make('span.tag', 'only in old');
}
