/* What a source table shows, row by row: lines, above a sub its callers, below a line its callees and evals.
 */

const most_notes = 4; /* callers or callees in a row before "more" */

function average(ticks, calls) {
    return calls > 1 && !is_sampled() ? ', ' + time_text(ticks / calls) + ' each' : '';
}

/* The time of calls within each other counts several times, so it may be longer than the run. */
function recursion(depth, ticks) {
    return depth > 0 ? ', recursion: depth ' + depth + ', ' + overlap_text(ticks) : '';
}

function overlap_text(ticks) {
    return time_text(ticks) + ' in calls that overlap';
}

function calls_word(calls) {
    return is_sampled() ? counted(calls) : calls === 1 ? 'once' : count_text(calls) + ' times';
}

function strong_time(ticks) {
    return make('strong', time_text(ticks));
}

/* Rows above the first line of a sub. */
function sub_notes({subs, arcs}, sub) {
    if (!subs.called[sub])
        return [];
    const inner = subs.incl[sub] - subs.excl[sub];
    const rows = [{
        note: 'sub',
        heat: subs.incl[sub],
        parts: [
            sub_link(sub), wording('spent'), strong_time(subs.incl[sub]),
            ' (' + time_text(subs.excl[sub]) + ' + ' + time_text(Math.max(0, inner)) +
                (is_sampled() ? '), ' : '), called ') + calls_word(subs.calls[sub]) +
                average(subs.incl[sub], subs.calls[sub]) + recursion(subs.depth[sub], subs.reci[sub])
        ]
    }];
    const list = [...arcs.by_callee.of(sub)].sort(
        (a, b) => arcs.incl[b] - arcs.incl[a] || arcs.calls[b] - arcs.calls[a]);
    for (const arc of list.slice(0, most_notes))
        rows.push({
            note: 'caller',
            heat: arcs.incl[arc],
            parts: [
                calls_word(arcs.calls[arc]) + ' (', strong_time(arcs.incl[arc]), ') by ',
                sub_link(arcs.caller[arc], sub_label(arcs.caller[arc])),
                ...(arcs.file[arc] < 0 ? [] : [' at ', file_link(arcs.file[arc], arcs.line[arc])]),
                average(arcs.incl[arc], arcs.calls[arc])
            ]
        });
    if (list.length > most_notes)
        rows.push({
            note: 'caller',
            parts: [make('a', {href: sub_route(sub)}, number_of(list.length - most_notes, 'more place'))]
        });
    return rows;
}

/* A sub whose calls have labels is as many subs as there are labels. */
function begin_notes(profile, begins) {
    const {subs} = profile,
          labelled = begins.filter(sub => label_of(sub) >= 0 && subs.called[sub])
                         .sort((a, b) => subs.incl[b] - subs.incl[a]);
    const rows = [...begins.filter(sub => label_of(sub) < 0), ...labelled.slice(0, most_notes)].flatMap(
        sub => sub_notes(profile, sub));
    if (labelled.length > most_notes)
        rows.push({
            note: 'caller',
            parts: [make('a', {href: label_kind_route(label_of(labelled[0]))},
                number_of(labelled.length - most_notes, 'more label'))]
        });
    return rows;
}

function call_notes(profile, list) {
    const {arcs, subs} = profile, rows = [];
    const sums = arcs_by(profile, list, 'callee');
    for (const sum of sums.slice(0, most_notes))
        rows.push({
            note: 'callee',
            heat: sum.incl,
            parts: [
                strong_time(sum.incl), ' in ' + counted(sum.calls, 'call') + (is_sampled() ? ' of ' : ' to '),
                sub_link(sum.sub), average(sum.incl, sum.calls) + recursion(sum.depth, sum.reci)
            ]
        });
    if (sums.length > most_notes) {
        const rest = sums.slice(most_notes), sub = subs.name[arcs.caller[list[0]]];
        rows.push({
            note: 'callee',
            parts: [
                number_of(rest.length, 'more sub') + ', ' +
                    time_text(rest.reduce((a, row) => a + row.incl, 0)),
                sub ? [' (', make('a', {href: sub_route(arcs.caller[list[0]])}, 'all callees of ' + sub), ')']
                    : ''
            ]
        });
    }
    return rows;
}

/* Time in an eval and in the evals within it. */
function eval_ticks(profile, file, depth = 0) {
    const {files} = profile;
    let sum = files.ticks[file];
    if (depth < 50)
        for (const inner of files.evals.of(file))
            sum += eval_ticks(profile, inner, depth + 1);
    return sum;
}

/* The evals of a line: the heaviest with its text, if that is short, the others as links. texts: file to
 * lines. */
function eval_notes(profile, list, texts) {
    const {files} = recorded, rows = [], most_inlined = 40;
    const sorted = [...list].sort((a, b) => eval_ticks(profile, b) - eval_ticks(profile, a) || a - b);
    const merged = list.reduce((sum, file) => sum + 1 + files.merged[file], 0);
    const ticks = sorted.reduce((sum, file) => sum + eval_ticks(profile, file), 0);
    rows.push({
        note: 'eval',
        heat: ticks,
        parts: [
            strong_time(ticks),
            ' in ' + number_of(merged, 'string eval') +
                (merged === 1 ? ': ' : ', ' + number_of(list.length, 'text') + ': '),
            sorted.slice(0, 6).flatMap((file, i) => [i ? ', ' : '', file_link(file)]),
            list.length > 6 ? ', ...' : ''
        ]
    });
    const text = texts.get(sorted[0]);
    if (text && text.length <= most_inlined) {
        const statements = statements_of(profile, sorted[0], 'line');
        text.forEach((code, i) => rows.push(
                         {inlined: true, line: i + 1, code, at: statements.get(i + 1), file: sorted[0]}));
    }
    return rows;
}

/* All rows of a file, or of the lines of a sub. text: lines, or null. */
function source_rows(profile, file, text, texts, {level, first, last, notes}) {
    const {files, arcs, subs} = profile;
    const statements = statements_of(profile, file, level);
    const calls = grouped_by(arcs.by_file.of(file), arc => arcs.line[arc]);
    const begins =
        grouped_by([...files.subs.of(file)].filter(sub => subs.first[sub] > 0), sub => subs.first[sub]);
    const evals = grouped_by(files.evals.of(file), one => files.line[one]);
    const rolled = rolled_up(statements, level);
    let most = text ? text.length : 0;
    for (const found of [statements, calls, begins])
        for (const line of found.keys())
            most = Math.max(most, line);
    const rows = [], from = first || 1, to = Math.min(last || most, most);
    const kinds_of = text ? classify_lines(text) : null;
    for (let line = from; line <= to; line++) {
        if (notes)
            rows.push(...begin_notes(
                profile, (begins.get(line) || []).filter(sub => !(first && sub_is_whole(sub, first, last)))));
        const list = calls.get(line) || [], at = statements.get(line);
        if (!text && !at && !list.length)
            continue;
        const in_subs = list.reduce((sum, arc) => sum + arcs.incl[arc], 0);
        rows.push({
            line,
            code: text ? text[line - 1] || '' : '',
            kind: kinds_of ? kinds_of[line - 1] : 0,
            at,
            rolled: rolled.get(line),
            file,
            calls: is_estimated() ? samples_of(in_subs, profile.totals)
                                  : list.reduce((sum, arc) => sum + arcs.calls[arc], 0),
            in_subs
        });
        if (notes && list.length)
            rows.push(...call_notes(profile, list));
        if (notes && evals.has(line))
            rows.push(...eval_notes(profile, evals.get(line), texts));
    }
    return rows;
}

function sub_is_whole(sub, first, last) {
    return recorded.subs.first[sub] === first && recorded.subs.last[sub] === last;
}

/* For each line whose numbers are shown at another line: the number of that other line. */
function rolled_up(statements, level) {
    const found = new Map();
    if (level !== 'line')
        for (const [at, sum] of statements)
            for (const line of sum.lines)
                if (line !== at)
                    found.set(line, at);
    return found;
}

/* By row, 1: it took at least a thousandth of the time, or any time if no row took so much, or is near one
 * that did. */
function hot_rows(profile, rows) {
    const keep = new Uint8Array(rows.length), around = 2;
    const time = row => Math.max(row.note ? row.heat || 0 : 0, row.at ? row.at.ticks : 0, row.in_subs || 0);
    const least = rows.some(row => share_of_all(time(row)) >= 0.001) ? profile.totals.ticks * 0.001 : 1;
    rows.forEach((row, i) => {
        if (time(row) >= least)
            for (let k = Math.max(0, i - (row.note ? 0 : around));
                 k <= Math.min(rows.length - 1, i + (row.note ? 0 : around)); k++)
                keep[k] = 1;
    });
    return keep;
}

/* By row, 0: it is of POD, or of more than five lines in a row that never ran, of a sub that did. */
function rows_that_ran(rows) {
    const keep = new Uint8Array(rows.length).fill(1), most = 5, last = rows.length - 1,
          is_idle = row => !row.note && !row.inlined && !row.at && !row.calls;
    for (let from = 1, to; from < last && rows.some(({at}) => at); from = to + 1) {
        for (to = from; to < last && is_idle(rows[to]);)
            to++;
        if (to - from > most || rows.slice(from, to).some(({kind}) => kind === pod_line))
            keep.fill(0, from, to);
    }
    return keep;
}

/* The name of an opened gap, of those that an entry of the history remembers. */
function gap_name(line) {
    return 'lines from ' + line;
}

/* Each gap between the rows that are kept becomes one row, unless the reader opened it. */
function with_gaps(rows, keep) {
    const out = [];
    for (let i = 0; i < rows.length; i++) {
        if (keep[i]) {
            out.push(rows[i]);
            continue;
        }
        const from = i;
        while (i + 1 < rows.length && !keep[i + 1])
            i++;
        const gap = rows.slice(from, i + 1), first = gap.find(({note, inlined}) => !note && !inlined);
        out.push(...!first || here.opened.has(gap_name(first.line)) ? gap : [{gap, line: first.line}]);
    }
    return out;
}
