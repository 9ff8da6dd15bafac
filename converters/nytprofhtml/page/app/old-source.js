/* The source of OLD between the lines of that of NEW: which lines are the same, and what the others were. */

function unpack_changed_lines() {
    const {lines, texts} = recorded.difference;
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
    const {texts} = recorded.difference || {}, of = texts && texts.of.get(file);
    if (of && !of.text)
        of.text = read_lines(texts.from[of.i], texts.bytes[of.i]);
    return of ? of.text : null;
}

/* Old line to new line of a file, of those that both have. null: all, as they are. */
function lines_of_both(file) {
    const of = recorded.difference.texts.of.get(file), both = new Map();
    if (!of)
        return null;
    for (const {old, line, lines} of of .runs)
        for (let i = 0; i < lines; i++)
            both.set(old + i, line + i);
    return both;
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
        const line = lines.line[row] || (both ? both.get(lines.old_line[row]) : lines.old_line[row]);
        (line ? found.of : found.gone).set(line || lines.old_line[row], row);
    }
    return found;
}

function changed_line_link(row) {
    const {lines} = recorded.difference, file = lines.file[row];
    if (lines.line[row])
        return line_link(file, lines.line[row]);
    const both = lines_of_both(file), line = both ? both.get(lines.old_line[row]) : lines.old_line[row];
    return line ? file_link(file, line) : [file_link(file), ':' + lines.old_line[row], only_old_tag()];
}

/* Goes through the lines of OLD beside those of NEW. */
class OldLines {
    /* text: OLD's, or null; then old_lines are those that ran */
    constructor({both, gone}, text, {first = 1, last = Infinity}) {
        this.old_of = new Map([...both].map(([old, line]) => [line, old]));
        this.mapped = [...this.old_of.keys()].sort((a, b) => a - b);
        this.text = text;
        this.was = old => gone.has(old) ? recorded.difference.lines.old[gone.get(old)] : 0;
        this.all = text ? text.map((code, i) => i + 1).filter(old => !both.has(old))
                        : [...gone.keys()].sort((a, b) => a - b);
        const before = this.mapped.filter(line => line < first).pop(),
              from = before ? this.old_of.get(before) : 0;
        const after = this.mapped.find(line => line > last), end = after ? this.old_of.get(after) : Infinity;
        this.all = this.all.filter(old => old > from && old < end);
    }

    /* The lines of OLD before the one that is the given line of NEW, or before the next one that is a line of
     * NEW. */
    before(line) {
        const next = this.old_of.has(line) ? line : this.mapped[first_above(this.mapped, line)];
        const end = next ? this.old_of.get(next) : Infinity, count = this.all.findIndex(old => old > end);
        return this.all.splice(0, count < 0 ? this.all.length : count);
    }

    row(old) {
        return {
            gone: true,
            old,
            line: old,
            was: this.was(old),
            inlined: true,
            code: this.text ? this.text[old - 1] : ''
        };
    }
}

/* The index of the first of sorted numbers that is above a limit. */
function first_above(numbers, limit) {
    let low = 0, high = numbers.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (numbers[middle] > limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Rows of NEW, with the lines of OLD that are not in it between them. Each row of a line gets old, its line
 * in OLD; is_new: OLD has it not, or with another text. */
function with_old_lines(rows, changes, text, range) {
    if (!changes.both)
        return rows.map(row => row.note || row.inlined ? row : {...row, old: row.line});
    const lines = new OldLines(changes, text, range), out = [], row_of_gone = old => lines.row(old);
    let notes = []; /* what is said of a sub comes before its line */
    for (const row of rows) {
        if (row.note === 'sub' || row.note === 'caller') {
            notes.push(row);
            continue;
        }
        if (row.note || row.inlined) {
            out.push(row);
            continue;
        }
        const old = lines.old_of.get(row.line), code = old && text ? text[old - 1] : undefined;
        out.push(...lines.before(row.line).map(row_of_gone), ...notes);
        notes = [];
        const edited = code !== undefined && code !== row.code;
        if (edited)
            out.push({...row_of_gone(old), is_edited: true});
        out.push({...row, old: old || 0, is_new: !old || edited});
    }
    return [...out, ...lines.all.map(row_of_gone), ...notes];
}

function line_change_cell(row, unit) {
    const {old: before, new: after, verdict} = recorded.difference.lines;
    return make('span', {
        class: change_class(after[row] - before[row], verdict[row]),
        title: change_percent(before[row], after[row], verdict[row]) + ', ' + verdict_text(verdict[row])
    },
        signed(after[row] - before[row], in_unit(after[row] - before[row], unit)));
}

/* What a line took in OLD, in NEW, and the change, as texts or elements; empty for what did not run. */
function line_times(changes, row, unit) {
    const {old, new: now} = recorded.difference.lines;
    const change = row.gone ? row.is_edited ? undefined : changes.gone.get(row.old)
        : row.inlined ? undefined
                            : changes.of.get(row.line);
    return change === undefined ? ['', '', ''] : [
        old[change]               ? in_unit(old[change], unit)
            : row.gone || row.old ? ''
                                  : 'new',
        now[change] ? in_unit(now[change], unit) : '', line_change_cell(change, unit)
    ];
}
