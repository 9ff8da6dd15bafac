/* The source of OLD beside that of NEW: which lines are the same, and what the others were. */

function unpack_changed_lines({lines, texts}) {
    add_up(lines.file);
    lines.old_line = lines.old_line.map((less, row) => lines.line[row] + less);
    lines.by_file = index_by(lines.file, recorded.files.count);
    let from = 0;
    texts.of = new Map(texts.file.map((file, i) => {
        const runs = [];
        for (const end = from + texts.runs[i]; from < end; from++)
            runs.push({
                old: texts.old_line[from],
                line: texts.old_line[from] + texts.line[from],
                lines: texts.lines[from]
            });
        return [file, {i, runs, text: null}];
    }));
}

/* A promise of the lines of OLD's text of a file; of null where it is that of NEW, or not known. */
function old_source_of(file) {
    const {texts} = shown_difference() || {}, of = texts && texts.of.get(file);
    if (of && !of.text)
        of.text = read_lines(texts.from[of.i], texts.bytes[of.i]);
    return of ? of.text : null;
}

/* Old line to new line of a file, of those that both have. null: all, as they are. */
function lines_of_both(file) {
    const of = shown_difference().texts.of.get(file), both = new Map();
    if (!of)
        return null;
    for (const {old, line, lines} of of .runs)
        for (let i = 0; i < lines; i++)
            both.set(old + i, line + i);
    return both;
}

/* The line of a row of the difference in NEW's text; undefined if only OLD has it. */
function line_in_new(row, both) {
    const {line, old_line} = shown_difference().lines;
    return line[row] || (both ? both.get(old_line[row]) : old_line[row]);
}

/* The changes of a file: {of: line to row of the difference, gone: old line to row of a line that only OLD
 * has, both}; null if nothing is compared. A line that both texts have is filed under its new number, even if
 * only OLD ran it. */
function changed_lines(profile, file) {
    if (!profile.difference || profile.difference.row_of_file[file] < 0)
        return null;
    const {lines} = profile.difference, both = lines_of_both(file),
          found = {of: new Map(), gone: new Map(), both};
    for (const row of lines.by_file.of(file)) {
        const line = line_in_new(row, both);
        (line ? found.of : found.gone).set(line || lines.old_line[row], row);
    }
    return found;
}

function changed_line_link(row) {
    const {lines} = shown_difference(), file = lines.file[row];
    if (lines.line[row])
        return coded_link(file, lines.line[row]);
    const line = line_in_new(row, lines_of_both(file));
    return line ? file_link(file, line) : [file_link(file), ':' + lines.old_line[row], only_old_tag()];
}

/* The lines of both texts of a file in their order: {line, old (their numbers; 0: it is not in that text),
 * code, row (of the difference; undefined: it did not run), of ("gone" or "fresh"; empty: both have it)}. */
function lines_of_two({of, gone, both}, text, old_text) {
    const old_of = new Map([...both].map(([old, line]) => [line, old])), until = [], rows = [];
    let next = 1;
    for (let line = text.length, end = old_text.length + 1; line > 0; line--)
        until[line] = end = old_of.get(line) || end;
    const add_gone = end => {
        for (; next < end; next++)
            rows.push({line: 0, old: next, code: old_text[next - 1], row: gone.get(next), of: 'gone'});
    };
    text.forEach((code, i) => {
        const line = i + 1, old = old_of.get(line) || 0, is_new = !old || old_text[old - 1] !== code;
        add_gone(until[line] + (old && is_new ? 1 : 0));
        next = Math.max(next, old + 1);
        rows.push({line, old, code, row: of.get(line), of: is_new ? 'fresh' : ''});
    });
    add_gone(old_text.length + 1);
    return rows;
}

/* A table of the lines of a file that have changed, with one before and after them. */
function changed_code_section(file, rows) {
    const {lines} = shown_difference(), is_near = i => [i - 1, i, i + 1].some(at => rows[at] && rows[at].of);
    const time = name => ({row}) => row === undefined ? null : lines[name][row] || null;
    const columns = [
        number_column('Line',
            ({line, old, of}) =>
                line ? [of && '+ ', make('a', {href: file_route(file, line)}, line)] : '\u2212 ' + old,
            {head: {style: 'width: 4.5em'}}),
        time_column('Old', time('old'), {of: 'wide'}), time_column('New', time('new')),
        number_column('Change',
            ({row}) => row !== undefined &&
                percent_cell(...['old', 'new', 'verdict'].map(name => lines[name][row]))),
        name_column('Code', ({code}) => make('code', highlighted(code, 0)))
    ];
    return make('section', make('h2', 'Code that changed, with its times', make('small', file_link(file))),
        short_table('Code that changed', columns, rows.filter((one, i) => is_near(i)),
            {most: 20, attributes: ({of}) => ({class: of || null})}));
}

/* Adds to a place the three files whose lines changed most, of those whose code has changed. */
async function add_changed_code(profile, place) {
    const {lines, texts} = profile.difference,
                  change = file => [...lines.by_file.of(file)].map(
                      row => Math.abs(lines.new[row] - lines.old[row]));
    const files = [...texts.of.keys()].sort(most_first(file => total_of(change(file)))).slice(0, 3);
    const sections = await Promise.all(files.map(async file => {
        const text = await source_of(file), old_text = await old_source_of(file),
              changes = changed_lines(profile, file);
        return changes && text && old_text &&
            changed_code_section(file, lines_of_two(changes, text, old_text));
    }));
    if (place.isConnected)
        place.prepend(...shown_parts(sections));
}

/* What a line took in OLD, in NEW, and the change, as texts or elements; empty for what did not run. */
function line_times({of}, {line, inlined}, unit) {
    const {old, new: now, verdict} = shown_difference().lines, row = inlined ? undefined : of.get(line);
    if (row === undefined)
        return ['', '', ''];
    const change = now[row] - old[row], time = ticks => ticks ? in_unit(ticks, unit) : '',
          title = change_percent(old[row], now[row], verdict[row]) + ', ' + verdict_text(verdict[row]);
    return [
        time(old[row]), time(now[row]),
        make(
            'span', {class: change_class(change, verdict[row]), title}, signed(change, in_unit(change, unit)))
    ];
}
