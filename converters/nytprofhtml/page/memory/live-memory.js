/* The memory of a run over time (DATA.md, block "memory"). Samples of it have identity: a row of lives is
 * what a place allocated in one slice and that was freed in another one. What all samples stand for is known
 * exactly at the end of each slice, so what places have is calibrated as lib/base/calibrate.h does. */

const load_live_memory = latest(async () => unpacked_memory(await load_block('memory')));

function unpacked_memory(memory) {
    const {lives, peaks, holders, totals, ends_s, count, width_s} = memory;
    for (const table of [lives, peaks, holders])
        table.variance = table.error.map(error => error * Math.abs(error));
    memory.lives_of = index_by(lives.process, ends_s.length);
    memory.last = ends_s.map(s => Math.min(count, Math.max(1, Math.ceil(s / width_s))) - 1);
    memory.counted = ends_s.map(
        (s, process) => ({process, live: new Float64Array(count), given: new Float64Array(count)}));
    totals.process.forEach((process, row) => {
        const {live, given} = memory.counted[process];
        live.fill(totals.live[row], totals.slice[row], memory.last[process] + 1);
        given.fill(totals.given[row], totals.slice[row]);
    });
    return memory;
}

function processes_of_memory({ends_s}, process) {
    return process < 0 ? [...ends_s.keys()] : [process];
}

function seconds_text(s) {
    return time_text(s * recorded.about.ticks_per_s);
}

/* ---- sums by place */

function new_sums(count) {
    return Object.fromEntries(
        ['bytes', 'blocks', 'variance', 'samples'].map(name => [name, new Float64Array(count)]));
}

/* Adds a row of a table to a place. sign: -1 takes it away, which makes the error larger all the same. */
function add_amount(sums, place, table, row, sign = 1) {
    sums.bytes[place] += sign * table.bytes[row];
    sums.blocks[place] += sign * table.blocks[row];
    sums.variance[place] += table.variance[row];
    sums.samples[place] += table.samples[row];
}

/* Gives what is missing from the truth to each place by its variance, if chance explains it. */
function calibrate(bytes, variance, truth) {
    const missing = truth - total_of(bytes), whole = total_of(variance);
    if (whole > 0 && Math.abs(missing) <= 5 * Math.sqrt(whole))
        for (let place = 0; place < bytes.length; place++)
            bytes[place] += missing * variance[place] / whole;
}

/* What places have of the lives that sign_of(life, process) counts; it is 1, -1 or 0. truth_of(process) is
 * the sum of all. What has no records, place 0, is left out. */
function memory_sums(memory, process, sign_of, truth_of) {
    const {places, lives} = memory, count = places.node.length, all = new_sums(count);
    for (const of of processes_of_memory(memory, process)) {
        const sums = new_sums(count);
        for (const life of memory.lives_of.of(of)) {
            const sign = sign_of(life, of);
            if (sign !== 0)
                add_amount(sums, lives.place[life], lives, life, sign);
        }
        calibrate(sums.bytes, sums.variance, truth_of(of));
        for (let place = 1; place < count; place++)
            for (const name in all)
                all[name][place] += sums[name][place];
    }
    return all;
}

/* Whether a life is there at the end of a slice. */
function lives_at({lives: {came, went}, last}, life, process, slice) {
    return came[life] <= slice && (went[life] < 0 ? slice <= last[process] : went[life] > slice);
}

function memory_at(memory, process, slice) {
    return memory_sums(memory, process, (life, of) => Number(lives_at(memory, life, of, slice)),
        of => memory.counted[of].live[slice]);
}

/* When each process ended. */
function memory_at_end(memory, process) {
    return memory_sums(memory, process, life => Number(memory.lives.went[life] < 0),
        of => memory.counted[of].live[memory.last[of]]);
}

/* What came from the slice `first` on, up to the slice before `end`. */
function memory_that_came(memory, process, {first, end}) {
    const given = (of, slice) => slice < 0 ? 0 : memory.counted[of].given[slice];
    return memory_sums(memory, process,
        life => Number(memory.lives.place[life] > 0 && memory.lives.came[life] >= first &&
            memory.lives.came[life] < end),
        of => given(of, end - 1) - given(of, first - 1));
}

/* The difference between the ends of a range. */
function memory_that_stays(memory, process, {first, end}) {
    const live = (of, slice) => slice < 0 ? 0 : memory.counted[of].live[slice];
    return memory_sums(memory, process,
        (life, of) => lives_at(memory, life, of, end - 1) - lives_at(memory, life, of, first - 1),
        of => live(of, end - 1) - live(of, first - 1));
}

/* Of tables that are of one moment, and calibrated. */
function memory_of_parts({places}, parts, process) {
    const sums = new_sums(places.node.length);
    parts.place.forEach((place, row) => {
        if (process < 0 || parts.process[row] === process)
            add_amount(sums, place, parts, row);
    });
    return sums;
}

/* The slices of a range of the strip. */
function memory_slices({width_s, count}, {from, to}) {
    const at = ticks =>
              Math.max(0, Math.min(count, Math.round(ticks / recorded.about.ticks_per_s / width_s))),
          first = Math.min(count - 1, at(from));
    return {first, end: Math.max(first + 1, at(to))};
}

/* ---- groups of places: by sub, kind or package */

const compiled_code = 'compiled code';

function group_key({names, nodes, places}, by, place) {
    const kind = names.text[places.kind[place]], name = nodes.name[places.node[place]];
    return by === 'kind'   ? kind
        : by === 'package' ? package_of(names.text[name]) || 'main'
        : kind === 'code'  ? compiled_code
                           : name;
}

/* {of (by place: the group; -1 for place 0), keys, places (of each group)} */
const memory_groups = latest((memory, by) => {
    const numbers = new Map(), of = memory.places.node.map((node, place) => {
        return place > 0 ? entry_of(numbers, group_key(memory, by, place), () => numbers.size) : -1;
    });
    const places = Array.from(numbers, () => []);
    of.forEach((group, place) => group >= 0 && places[group].push(place));
    return {of, keys: [...numbers.keys()], places};
});

function group_name({names}, key) {
    return typeof key === 'string' ? key : names.sub[key] >= 0 ? sub_label(names.sub[key]) : names.text[key];
}

function sum_of_places(sums, places) {
    const sum = {bytes: 0, blocks: 0, variance: 0, samples: 0};
    for (const place of places)
        for (const name in sum)
            sum[name] += sums[name][place];
    return sum;
}

/* By group and slice: the bytes that were live at its end. */
const memory_over_time = latest((memory, process, by) => {
    const {lives, count, last} = memory, {of, keys} = memory_groups(memory, by),
                         found = keys.map(() => new Float64Array(count));
    for (const one of processes_of_memory(memory, process)) {
        const changes = Array.from({length: count + 1}, () => []), here_are = new Set();
        for (const life of memory.lives_of.of(one)) {
            changes[lives.came[life]].push([life, 1]);
            if (lives.went[life] >= 0)
                changes[lives.went[life]].push([life, -1]);
            here_are.add(of[lives.place[life]] + 1);
        }
        const groups = [...here_are], bytes = new Float64Array(keys.length + 1),
              variance = new Float64Array(keys.length + 1);
        for (let slice = 0; slice <= last[one]; slice++) {
            for (const [life, sign] of changes[slice]) {
                bytes[of[lives.place[life]] + 1] += sign * lives.bytes[life];
                variance[of[lives.place[life]] + 1] += sign * lives.variance[life];
            }
            const now = groups.map(group => bytes[group]);
            calibrate(now, groups.map(group => variance[group]), memory.counted[one].live[slice]);
            groups.forEach((group, i) => {
                if (group > 0)
                    found[group - 1][slice] += Math.max(0, now[i]);
            });
        }
    }
    return found;
});
