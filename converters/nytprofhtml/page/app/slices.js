/* What ran when: the time divided into slices of equal width (DATA.md). A cell is what a row of stacks or of
 * lines has in a slice of a process. */

function has_slices() {
    return recorded.slices !== null;
}

/* null: the report has none. */
async function load_slices() {
    return document.getElementById('slices') ? await load_block('slices') : null;
}

async function load_cells() {
    const {quantum, stacks, lines, memory} = await load_block('slice-cells');
    blocks.cells = {
        stacks: unpacked_cells(stacks, stacks.node, quantum),
        lines: unpacked_cells(lines, lines.row, quantum),
        memory
    };
}

/* Cells sorted by slice: {row, process, ticks, calls, at}; those of slice i are at[i] to at[i + 1] - 1. */
function unpacked_cells({process, slice, ticks, calls, asleep, queued}, row, quantum) {
    add_up(row);
    for (let i = 1; i < row.length; i++)
        if (row[i] === row[i - 1] && (!process || process[i] === process[i - 1]))
            slice[i] += slice[i - 1];
    const {at, list} = index_by(slice, recorded.slices.count);
    return {
        at,
        row: Uint32Array.from(list, i => row[i]),
        process: process ? Uint32Array.from(list, i => process[i]) : new Uint32Array(list.length),
        ticks: Float64Array.from(list, i => ticks[i] * quantum),
        asleep: Float64Array.from(list, i => asleep[i] * quantum),
        queued: Float64Array.from(list, i => queued[i] * quantum),
        calls: Float64Array.from(list, i => calls[i])
    };
}

/* Calls visit(cell, slice) for those of a process (-1: all) in a range (null: all of the time). */
function each_cell({at, process: of}, process, range, visit) {
    const {first, end} = range || {first: 0, end: recorded.slices.count};
    for (let slice = first; slice < end; slice++)
        for (let cell = at[slice]; cell < at[slice + 1]; cell++)
            if (process < 0 || of[cell] === process)
                visit(cell, slice);
}

/* {calls, ticks, asleep, queued}: columns with a row for each of the whole table. Samples follow from their
 * time. */
function sums_of_cells(table, rows, process, range) {
    const {row} = table, names = ['calls', 'ticks', 'asleep', 'queued'],
          sums = Object.fromEntries(names.map(name => [name, new Float64Array(rows)]));
    each_cell(table, process, range, cell => {
        for (const name of names)
            sums[name][row[cell]] += table[name][cell];
    });
    if (is_sampled())
        sums.calls = sums.ticks.map(sum => samples_of(sum, recorded.totals));
    return sums;
}

/* {calls, excl, asleep, queued, any}: the numbers of stacks in the range, and whether a stack, or one below
 * it, has calls or time there. */
function sliced_stacks(process, range) {
    const {count, parent} = recorded.stacks,
                  {calls, ticks, ...waited} = sums_of_cells(blocks.cells.stacks, count, process, range),
                  any = new Uint8Array(count);
    for (let node = count - 1; node >= 0; node--) {
        any[node] |= calls[node] !== 0 || ticks[node] !== 0;
        if (any[node] && parent[node] >= 0)
            any[parent[node]] = 1;
    }
    return {calls, excl: ticks, ...waited, any};
}

function sliced_lines(process, range) {
    return sums_of_cells(blocks.cells.lines, recorded.lines.line.length, process, range);
}

/* By area and slice: ticks of a process. Work that no sub has is outside of subs or of calls that have not
 * returned, and counts as own code. */
function areas_of_process(process) {
    const {slices: {count}, stacks, subs: {area}} = recorded, {cells} = blocks,
                                          columns = area_names().map(() => new Float64Array(count)),
                                          of_lines = cells.lines.row.length > 0;
    const add = (table, has_waits, visit) => each_cell(table, process, null, (cell, slice) => {
        const asleep = table.asleep[cell], queued = table.queued[cell];
        columns[asleep_area][slice] += has_waits ? asleep : 0;
        columns[queued_area][slice] += has_waits ? queued : 0;
        visit(cell, slice, table.ticks[cell] - asleep - queued);
    });
    add(cells.lines, of_lines, (cell, slice, work) => { columns[own_area][slice] += work; });
    add(cells.stacks, !of_lines, (cell, slice, work) => {
        columns[own_area][slice] -= of_lines ? work : 0;
        columns[area[stacks.sub[cells.stacks.row[cell]]]][slice] += work;
    });
    return columns;
}

/* Bytes of RSS in each slice: of a process, or of all of them together (-1). null: not known. */
function memory_in_slices(process) {
    const {count, memory} = recorded.slices, {cells} = blocks, table = process >= 0 && cells && cells.memory;
    if (!memory || !table)
        return memory || null;
    const column = new Array(count).fill(0);
    table.process.forEach((of, run) => {
        if (of === process)
            column.fill(table.bytes[run], table.from[run], table.end[run]);
    });
    return column;
}
