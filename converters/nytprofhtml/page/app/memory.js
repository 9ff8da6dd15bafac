/* What memory is for: kinds of subs and files, in a profile of memory. */

/* Only a report with memory over time has the part of the script that shows it (page/memory/). */
function has_live_memory() {
    return document.getElementById('memory') !== null;
}

/* Indexes the rows of kinds by sub and by file. is_whole: nothing is left out. If a sub is left out of some
 * stacks, each of its kinds keeps its share. The kinds of one process are not known. */
function sum_up_kinds(made, is_whole) {
    const {subs, files} = made, kinds = made.kinds = {...made.kinds}, {file_kinds} = made;
    const part = sub => is_whole || made.selection.process >= 0 || is_outside(sub)
        ? 1
        : share_of(subs.excl[sub], recorded.subs.excl[sub]);
    for (const name of ['ticks', 'blocks'])
        kinds[name] = kinds[name].map((value, row) => Math.round(value * part(kinds.sub[row])));
    kinds.by_sub = index_by(kinds.sub, subs.count);
    kinds.by_kind = index_by(kinds.kind, kinds.name.length);
    file_kinds.by_file = index_by(file_kinds.file, files.count);
    file_kinds.by_kind = index_by(file_kinds.kind, kinds.name.length);
    files.code = code_of_files(made);
}

/* The bytes of compiled code of each file. */
function code_of_files({files, kinds, file_kinds}) {
    const code = kinds.name.indexOf('code'), sums = new Float64Array(files.count);
    for (const row of code < 0 ? [] : file_kinds.by_kind.of(code))
        sums[file_kinds.file[row]] += file_kinds.ticks[row];
    return sums;
}

/* The blocks that each sub has itself. */
const blocks_of_subs = once_for(({subs, stacks, kinds}) => {
    const sums = new Float64Array(subs.count), of = stacks.count ? stacks : kinds, {calls, blocks, sub} = of;
    sub.forEach((one, row) => { sums[one] += (of === stacks ? calls : blocks)[row]; });
    return sums;
});

/* The kinds with their sums, as {kind, ticks, blocks, subs (how many subs have the kind)}. Memory of no sub
 * that the profile names is known from the files. */
const kind_sums = once_for(({kinds, file_kinds}) => {
    const sum = (table, rows, name) => rows.reduce((all, row) => all + table[name][row], 0);
    return kinds.name.map((name, kind) => {
        const of_subs = [...kinds.by_kind.of(kind)], of_files = [...file_kinds.by_kind.of(kind)];
        const [ticks, blocks] = ['ticks', 'blocks'].map(column => sum(kinds, of_subs, column) +
                Math.max(0, sum(file_kinds, of_files, column) - sum(recorded.kinds, of_subs, column)));
        return {kind, ticks, blocks, subs: of_subs.filter(row => kinds.ticks[row] > 0).length};
    });
});

function kind_route(kind) {
    return route_text('kinds', [recorded.kinds.name[kind]], {});
}

function kind_link(kind) {
    return make('a', {href: kind_route(kind), title: recorded.kinds.about[kind]}, recorded.kinds.name[kind]);
}

/* A table of rows with memory, those with most first. head: what link(row) leads to. */
function memory_section(title, head, table, rows, {whole, link, ...options}) {
    const of = name => row => table[name][row], {ticks, error} = table;
    const columns = [
        share_bar_column('Of these', row => ticks[row] / whole), bar_column(wording('amount'), of('ticks')),
        number_column(
            'Error', (row, unit) => error[row] < 0 ? 'few' : error[row] > 0 && in_unit(error[row], unit)),
        count_column('Blocks', of('blocks')), name_column(head, link)
    ];
    return table_section(title, columns, rows.filter(row => ticks[row] > 0).sort(most_first(ticks)), options);
}

/* The kinds that a sub or a file has. */
function kinds_section(title, table, rows) {
    const whole = rows.reduce((sum, row) => sum + Math.max(0, table.ticks[row]), 0);
    return whole > 0
        ? memory_section(title, 'Kind', table, [...rows], {whole, link: row => kind_link(table.kind[row])})
        : '';
}
