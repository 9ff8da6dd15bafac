/* What changed, in tables: subs and calls with old and new numbers, and code with the times of both. */

/* Whether chance can explain the change of a row, and the numbers of calls do not say otherwise. */
function is_within_chance({verdict, verdict_calls, old_calls, new_calls}, row) {
    return is_grey(verdict[row]) &&
        !(verdict_calls ? is_sure(verdict_calls[row]) : old_calls[row] !== new_calls[row]);
}

/* A section of rows of a table of the difference with old, new, change and calls, and the columns others.
 * What chance can explain is folded below it. */
function compared_section(title, table, rows, others, options) {
    const columns = [
        ...change_columns(row => sides_of(table, row)),
        number_column(count_title('Calls'), row => old_and_new_calls(table, row), {of: 'wide calls'}),
        ...others
    ];
    const folded = rows.filter(row => is_within_chance(table, row));
    const section = table_section(title, columns, rows.filter(row => !is_within_chance(table, row)),
        {...options, nothing: rows.length ? 'None changed by more than chance.' : options.nothing});
    if (folded.length)
        section.append(make_details(null, title + ': ' + number_of(folded.length, 'row') + ' within chance',
            short_table(title + ', within chance', columns, folded)));
    return section;
}

function changed_subs(profile) {
    const {subs} = shown_difference(), change = row => Math.abs(subs.new[row] - subs.old[row]);
    const rows =
        [...subs.old.keys()].filter(row => change(row) > 0 && is_compared(profile, subs.number[row]));
    return compared_section('Subs that changed', subs, rows.sort(most_first(change)),
        [name_column('Sub', row => sub_link(subs.number[row], sub_label(subs.number[row])))],
        {href: route_text('subs', [], {}), nothing: 'Nothing changed.'});
}

function line_change(row) {
    const {lines} = shown_difference();
    return Math.abs(lines.new[row] - lines.old[row]);
}

/* Of rows of lines those that changed most, by more than chance. */
function lines_that_changed(rows) {
    const {lines} = shown_difference(), most = 12;
    return new Set(rows.filter(row => line_change(row) > 0 && !is_grey(lines.verdict[row]))
                       .sort(most_first(line_change))
                       .slice(0, most));
}

/* A promise of a table of a file's lines that have changed, or are among those whose time has (rows of the
 * difference), each with the lines beside it; of null if there are none. */
async function changed_code(file, hot) {
    const {lines} = shown_difference(), text = await source_of(file), old_text = await old_source_of(file),
          rows = lines_of_two(changed_lines(file), text, old_text), reach = text ? 1 : 0,
          is_changed = one => one && (one.of || hot.has(one.row));
    const shown = rows.filter(
        (one, i) => rows.slice(Math.max(0, i - reach), i + reach + 1).some(beside => is_changed(beside)));
    const time = name => ({row}) => row === undefined ? null : lines[name][row] || null;
    const columns = [
        number_column('Line',
            ({line, old, of}) =>
                line ? [of && '+ ', make('a', {href: file_route(file, line)}, line)] : '\u2212 ' + old,
            {head: {style: 'width: 4.5em'}}),
        time_column('Old', time('old'), {of: 'wide'}), time_column('New', time('new')),
        number_column('Change', ({row}) => row !== undefined && percent_cell(...sides_of(lines, row))),
        name_column('Code', ({code}) => make('code', highlighted(code, 0)))
    ];
    return shown.length > 0 &&
        make('div', make('p.quiet', file_link(file)),
            short_table('Code that changed', columns, shown,
                {most: 20, attributes: ({of}) => ({class: of || null})}));
}

/* A promise of a section with the code of files that changed; of an empty text if none did. */
async function changed_code_section(files, rows) {
    const hot = lines_that_changed(rows),
          tables = await Promise.all(files.map(file => changed_code(file, hot))),
          shown = tables.filter(Boolean);
    return shown.length ? make('section', make('h2', wording('code_changed')), shown) : '';
}

/* That of the three files that changed most of those whose text did, and of those with the lines whose times
 * changed most. */
function all_changed_code() {
    const {lines, texts} = shown_difference(), rows = [...lines.old.keys()],
                  change = file => total_of([...lines.by_file.of(file)].map(line_change)),
                  of_texts = [...texts.of.keys()].sort(most_first(change)).slice(0, 3),
                  of_lines = [...lines_that_changed(rows)].map(row => lines.file[row]);
    return changed_code_section([...new Set([...of_texts, ...of_lines])].sort(most_first(change)), rows);
}

/* Fills a place of the overview. place is null where nothing is compared. */
function fill_changes(profile, place) {
    if (!place)
        return;
    place.replaceChildren();
    if (!profile.difference)
        return;
    const columns = make('div.columns', changed_subs(profile));
    place.append(columns);
    all_changed_code().then(section => columns.prepend(section));
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
