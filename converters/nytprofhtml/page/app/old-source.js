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

/* A promise of the lines of OLD's text of a file; of null where it is not known. */
function old_source_of(file) {
    const {texts} = shown_difference(), of = texts.of.get(file);
    if (of && !of.text)
        of.text = read_lines(texts.from[of.i], texts.bytes[of.i]);
    return of ? of.text : source_of(file);
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
 * has, both}. A line that both texts have is filed under its new number, even if only OLD ran it. */
function changed_lines(file) {
    const {lines} = shown_difference(), both = lines_of_both(file),
          found = {of: new Map(), gone: new Map(), both};
    for (const row of lines.by_file.of(file)) {
        const line = line_in_new(row, both);
        (line ? found.of : found.gone).set(line || lines.old_line[row], row);
    }
    return found;
}

/* The lines of both texts of a file in their order: {line, old (their numbers; 0: it is not in that text),
 * code, row (of the difference; undefined: it did not run), of ("gone" or "fresh"; empty: both have it)}.
 * Without both texts they are those that ran. */
function lines_of_two({of, gone, both}, text, old_text) {
    if (!text || !old_text)
        return [
            ...[...of].map(
                ([line, row]) => ({line, old: line, code: text ? text[line - 1] : '', row, of: ''})),
            ...[...gone].map(([old, row]) => ({line: 0, old, code: '', row, of: 'gone'}))
        ].sort((a, b) => a.old - b.old);
    const old_of = both ? new Map([...both].map(([old, line]) => [line, old])) : {get: line => line},
          until = [], rows = [];
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
