/* The profile, as DATA.md describes it, and what is summed up from it. */

/* The value of each digit of base 85, by its character: "(" to "~" without "<" and "\\". */
const digit_values = new Uint8Array(128);
for (let code = 40, value = 0; code < 127; code++)
    if (code !== 60 && code !== 92)
        digit_values[code] = value++;

/* Five digits are four bytes; of a last group, n + 1 digits are n bytes. */
function from_base85(text) {
    const digits = new TextEncoder().encode(text), missing = (5 - digits.length % 5) % 5;
    const padded = new Uint8Array(digits.length + missing).fill(126), values = digit_values;
    padded.set(digits);
    const bytes = new Uint8Array(padded.length / 5 * 4);
    for (let from = 0, to = 0; from < padded.length; from += 5, to += 4) {
        const group = Math.imul(values[padded[from]], 52200625) + values[padded[from + 1]] * 614125 +
                values[padded[from + 2]] * 7225 + values[padded[from + 3]] * 85 + values[padded[from + 4]] |
            0;
        bytes[to] = group >> 24;
        bytes[to + 1] = group >> 16;
        bytes[to + 2] = group >> 8;
        bytes[to + 3] = group;
    }
    return bytes.subarray(0, bytes.length - missing);
}

async function inflated(id) {
    const end = begin_work();
    try {
        const bytes = from_base85(document.getElementById(id).textContent);
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    } finally {
        end();
    }
}

/* From the differences between rows to the numbers. */
function add_up(column) {
    for (let row = 1; row < column.length; row++)
        column[row] += column[row - 1];
}

function unpack_subs() {
    const {subs, packages, explained} = recorded;
    subs.explained = new Map(explained.sub.map((sub, i) => [sub, explained.text[i]]));
    subs.name = subs.name.map((rest, sub) => packages.name[subs.package[sub]] + rest);
    subs.last = subs.lines.map((lines, sub) => subs.first[sub] + lines);
    packages.number = new Map(packages.name.map((name, number) => [name, number]));
}

function unpack_arcs() {
    const {arcs, subs} = recorded, line_before = subs.first.slice();
    add_up(arcs.callee);
    add_up(arcs.caller);
    arcs.caller.forEach((caller, arc) => {
        arcs.file[arc] += subs.file[caller];
        arcs.line[arc] = line_before[caller] += arcs.line[arc];
    });
    arcs.incl = arcs.inner.map((inner, arc) => inner + arcs.excl[arc]);
}

/* The value of a block, which is JSON. */
async function load_block(id) {
    return JSON.parse(new TextDecoder().decode(await inflated(id)));
}

async function load_profile() {
    Object.assign(recorded, await load_block('core'), {selection: nothing_selected});
    recorded.slices = await load_slices();
    add_up(recorded.lines.line);
    recorded.coverage = recorded.coverage && coverage_by_file(recorded.coverage);
    add_up(recorded.calls.begin);
    unpack_subs();
    unpack_arcs();
    unpack_labels();
    recorded.totals.line_ticks = recorded.totals.ticks;
    link_stacks(recorded.stacks);
    Object.assign(recorded, summed_up(recorded, true));
    unpack_difference();
}

/* A profile with the sums of its arcs, lines and stacks. is_whole: nothing is left out. */
function summed_up(tables, is_whole) {
    const subs = {...tables.subs}, files = {...tables.files}, arcs = {...tables.arcs},
          labels = tables.labels && {...tables.labels}, totals = {...tables.totals};
    const made = {...tables, subs, files, arcs, labels, totals};
    sum_up_subs(made);
    sum_up_waits(made);
    sum_up_files(made);
    if (made.kinds)
        sum_up_kinds(made, is_whole);
    if (is_sampled())
        count_samples(made);
    if (labels)
        sum_up_labels(made, is_whole);
    return made;
}

/* Numbers of rows sorted by a column of small numbers: rows of key k are list[at[k]] to list[at[k + 1] - 1],
 * in their order. Rows with negative keys are left out. */
function index_by(column, keys) {
    const at = new Uint32Array(keys + 2);
    for (const key of column)
        if (key >= 0)
            at[key + 2]++;
    for (let i = 2; i < at.length; i++)
        at[i] += at[i - 1];
    const list = new Uint32Array(at[keys + 1]);
    column.forEach((key, row) => {
        if (key >= 0)
            list[at[key + 1]++] = row;
    });
    return {at, list, of: key => list.subarray(at[key], at[key + 1])};
}

const sub_kinds = ['perl', 'xsub', 'built-in'];

/* String evals are in stacks alone, among the subs. Their time is that of the sub that runs them. */
const eval_kind = 3;

function is_eval(sub) {
    return recorded.subs.kind[sub] === eval_kind;
}

/* How each number of arcs adds up. */
const sum_of = (a, b) => a + b, most_of = (a, b) => Math.max(a, b);
const arc_sums = {
    incl: sum_of
};
for (const [name, of_several] of Object.entries(arc_columns))
    arc_sums[name] = of_several === 'most' ? most_of : sum_of;

function sum_up_subs({subs, arcs}) {
    const count = subs.name.length;
    subs.count = count;
    for (const [name, add] of Object.entries(arc_sums)) {
        const sums = subs[name] = new Float64Array(count), column = arcs[name];
        arcs.callee.forEach((sub, arc) => { sums[sub] = add(sums[sub], column[arc]); });
    }
    /* In a part of the time, a call that ends after that part has time, and a count of 0. */
    subs.called = Uint8Array.from(subs.calls, (calls, sub) => calls > 0 || subs.incl[sub] > 0 ? 1 : 0);
    Object.assign(arcs, indexes_of(arcs));
}

/* Sums up how much of their own time subs were asleep, and queued for a processor. The times of a string eval
 * count for the sub that runs the eval. */
function sum_up_waits({subs, stacks}) {
    for (const name of ['asleep', 'queued']) {
        const sums = subs[name] = new Float64Array(subs.count);
        stacks[name].forEach((ticks, node) => {
            if (ticks > 0 && stacks.part_of[node] >= 0)
                sums[stacks.part_of[node]] += ticks;
        });
    }
    subs.waited = [...subs.asleep.keys()].some(sub => subs.asleep[sub] + subs.queued[sub] > 0);
}

/* Indexes of arcs by both ends and by file. The arcs of work are those of all time, and so are their indexes.
 */
const indexes_of = once_for(arcs => {
    const subs = recorded.subs.name.length;
    return {
        by_callee: index_by(arcs.callee, subs),
        by_caller: index_by(arcs.caller, subs),
        by_file: index_by(arcs.file, recorded.files.name.length)
    };
}, arcs => arcs.callee);

/* Arcs summed up by the sub at their other end, the heaviest first. */
function arcs_by(profile, list, end) {
    const {arcs} = profile, sums = new Map();
    for (const arc of list) {
        const sum = entry_of(sums, arcs[end][arc], sub => ({sub}));
        for (const [name, add] of Object.entries(arc_sums))
            sum[name] = add(sum[name] || 0, arcs[name][arc]);
    }
    if (is_estimated())
        sums.forEach(sum => sum.calls = samples_of(sum.incl, profile.totals));
    return [...sums.values()].sort((a, b) => b.incl - a.incl || b.calls - a.calls || a.sub - b.sub);
}

/* Whether counts are estimates from times: a sub counts for the samples that have it, and a sampled profile
 * says the time of these. */
function is_estimated() {
    return is_sampled() && !is_memory();
}

/* The share of the samples that a time has. */
function samples_of(ticks, totals) {
    return totals.ticks > 0 ? Math.max(0, Math.round(ticks * totals.statements / totals.ticks)) : 0;
}

/* In a sampled profile each sample is a statement, and stacks count samples. Calls were not counted. Blocks
 * of memory were. */
function count_samples({subs, arcs, totals}) {
    totals.calls = totals.statements;
    if (!is_estimated())
        return;
    subs.calls = subs.incl.map(ticks => samples_of(ticks, totals));
    arcs.calls = arcs.incl.map(ticks => samples_of(ticks, totals));
}

function sum_up_files({files, lines, subs}) {
    const count = files.name.length;
    files.count = count;
    files.first_row = new Uint32Array(count + 1);
    files.statements = new Float64Array(count);
    files.ticks = new Float64Array(count);
    for (let file = 0, row = 0; file < count; file++) {
        files.first_row[file] = row;
        for (const end = row + lines.count[file]; row < end; row++) {
            files.statements[file] += lines.calls[row];
            files.ticks[file] += lines.ticks[row];
        }
        files.first_row[file + 1] = row;
    }
    files.subs = files.subs || index_by(subs.file.map((file, sub) => is_eval(sub) ? -1 : file), count);
    files.evals = files.evals || index_by(files.parent, count);
}

/* For each file {ran, branches} by line. */
function coverage_by_file({count, line, ran, branches}) {
    let row = 0;
    return count.map(rows => {
        const of = new Map();
        for (const end = row + rows; row < end; row++)
            of.set(line[row], {ran: ran[row] > 0, branches: branches[row]});
        return of;
    });
}

/* The value of an attribute or option of the profile; empty if it has none. */
function setting_of(name) {
    const {key, value} = recorded.settings, at = key.indexOf(name);
    return at < 0 ? '' : value[at];
}

/* The file of a row of lines. */
function file_of_row(row) {
    const {first_row, count} = recorded.files;
    let low = 0, high = count;
    while (high - low > 1) {
        const middle = low + high >> 1;
        if (first_row[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A file's statements at a level ("line", "block" or "sub", which without blocks=1 is found by the lines of
 * subs; 1: the file's own code): line number => {calls, ticks, work, asleep,
 * queued, lines}. lines: the lines whose numbers are added up at that line. */
function statements_of(profile, file, level) {
    const {files, lines} = profile, found = new Map();
    const sub_line = line => {
        const sub = sub_around(file, line);
        return sub < 0 ? 1 : recorded.subs.first[sub];
    };
    const place = level === 'line' ? row => lines.line[row]
        : profile.about.levels     ? row => lines[level][row]
                                   : row => sub_line(lines.line[row]);
    for (let row = files.first_row[file]; row < files.first_row[file + 1]; row++) {
        const sum = entry_of(
            found, place(row), () => ({calls: 0, ticks: 0, work: 0, asleep: 0, queued: 0, lines: []}));
        sum.calls += lines.calls[row];
        sum.ticks += lines.ticks[row];
        if (lines.asleep) {
            sum.asleep += lines.asleep[row];
            sum.queued += lines.queued[row];
        }
        sum.work = sum.ticks - sum.asleep - sum.queued;
        sum.lines.push(lines.line[row]);
    }
    return found;
}

const block_bytes = 262144;
const source_blocks = new Map(); /* number: promise of bytes */
const source_texts = new Map();  /* file: promise of lines */

/* The lines of the text at a place of the stream; null if from is negative, since then there is no text. */
async function read_lines(from, bytes) {
    if (from < 0)
        return null;
    const first = Math.floor(from / block_bytes), last = Math.floor((from + bytes - 1) / block_bytes);
    const wanted = [];
    for (let number = first; number <= last; number++)
        wanted.push(entry_of(source_blocks, number, () => inflated('source-' + number)));
    const text = new Uint8Array(bytes);
    (await Promise.all(wanted)).forEach((block, i) => {
        const begin = (first + i) * block_bytes;
        const part = block.subarray(Math.max(from - begin, 0), Math.min(from + bytes - begin, block_bytes));
        text.set(part, Math.max(begin - from, 0));
    });
    const lines = new TextDecoder().decode(text).split('\n');
    lines.pop();
    return lines;
}

/* A promise of the lines of a file; of null where the report has no text of it. */
function source_of(file) {
    return entry_of(
        source_texts, file, () => read_lines(recorded.files.from[file], recorded.files.bytes[file]));
}

/* Adds to each node its parent (-1: none), the end of the nodes below it, its inclusive ticks, in profiles of
 * memory its inclusive blocks, and the sub to which its time belongs: for a string eval the sub that runs the
 * eval (-1: none). */
function link_stacks(stacks) {
    const count = stacks.sub.length, open = [];
    stacks.count = count;
    stacks.parent = new Int32Array(count);
    stacks.end = new Uint32Array(count);
    stacks.part_of = Int32Array.from(stacks.sub);
    for (let node = 0; node < count; node++) {
        const depth = stacks.depth[node];
        while (open.length > depth)
            stacks.end[open.pop()] = node;
        stacks.parent[node] = depth > 0 ? open[depth - 1] : -1;
        if (is_eval(stacks.sub[node]))
            stacks.part_of[node] = depth > 0 ? stacks.part_of[open[depth - 1]] : -1;
        open.push(node);
    }
    while (open.length)
        stacks.end[open.pop()] = count;
    stacks.incl = with_all_below(stacks.excl, stacks.parent);
    stacks.blocks = is_memory() ? with_all_below(stacks.calls, stacks.parent) : null;
}

/* From what nodes have themselves to what they have with all below them. Times below 0, of clocks that
 * stepped back, count as 0 in pictures. */
function with_all_below(own, parent) {
    const all = Float64Array.from(own, ticks => Math.max(0, ticks));
    for (let node = all.length - 1; node >= 0; node--)
        if (parent[node] >= 0)
            all[parent[node]] += all[node];
    return all;
}
