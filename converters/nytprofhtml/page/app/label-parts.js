/* What a label has besides its numbers: what to do, where it is called, for what, and how long that took. */

function each_text(each) {
    return each >= 10 || each % 1 === 0 ? count_text(each) : each.toFixed(1);
}

/* A section of rows {incl, calls} with links. per(row): how many calls the rows are in that each of it is of.
 */
function label_neighbours(title, rows, head, link, per) {
    const columns = [
        bar_column('Incl.', ({incl}) => incl),
        count_column(count_title('Calls'), ({calls}) => calls, {of: per && 'wide'}),
        per && number_column('Each', row => each_text(share_of(row.calls, per(row)))), name_column(head, link)
    ];
    return rows.length > 0 && table_section(title, columns, rows);
}

/* The arc with most time to a sub; undefined: there is none. */
function hottest_call({arcs}, sub) {
    return [...arcs.by_callee.of(sub)].sort(most_first(arcs.incl))[0];
}

/* The places of its calls with their code, and below the first one, from where that is called. */
function label_places(profile, label) {
    const {arcs, labels} = profile, list = label_arcs(profile, label);
    if (!list.length)
        return '';
    const above = hottest_call(profile, arcs.caller[list[0]]),
          rows = above === undefined ? list : [list[0], above, ...list.slice(1)];
    const place = arc => [arc === above && '↑ ', coded_link(arcs.file[arc], arcs.line[arc]),
        arc !== above && labels.kind[label] !== span_kind && make('span.tag', method_name(arcs.callee[arc]))];
    const columns = [
        bar_column('Incl.', arc => arcs.incl[arc]),
        count_column(count_title('Calls'), arc => arcs.calls[arc]), name_column('Place', place),
        name_column('In', arc => sub_link(arcs.caller[arc], sub_label(arcs.caller[arc])), {of: 'wide'})
    ];
    return table_section(
        'Called from', columns, rows, {attributes: arc => ({class: arc === above ? 'quiet' : null})});
}

/* What would make a query that runs often in each request take less. */
function query_advice(profile, label) {
    const {labels, subs} = profile, [span] = labels_in_stacks(profile).spans[label];
    const each = span ? span.calls / labels.calls[span.label] : 0;
    let prepared = 0;
    for (const sub of labels.methods.of(label))
        prepared += method_name(sub) === 'prepare' ? subs.calls[sub] : 0;
    if (labels.kind[label] !== sql_kind)
        return '';
    return [
        each > 10 &&
            make('p', `${each_text(each)} runs in each ${label_text(span.label)}. `,
                make('strong', 'One query with ', make('code', 'IN (...)'), ', or a join, would do.')),
        prepared >= labels.runs[label] && prepared > 10 &&
            make('p', 'It is prepared each time: ', make('code', 'prepare_cached'), ' does that once.')
    ];
}

/* The sub by which it ran, of that with most time; -1: there is none. */
function sub_of_label({labels, subs}, label) {
    return [...labels.methods.of(label)].sort(most_first(subs.incl))[0] ?? -1;
}

function show_label_parts(place, profile, label) {
    const {labels} = profile, {callers, spans} = labels_in_stacks(profile), stops = [],
          by_sub = ({sub}) => caller_link(sub), of_label = ({label: other}) => label_link(other),
          requests = ({label: span}) => labels.calls[span], timed = make('section.durations'),
          own = () => labels.calls[label], direct = label_arcs(profile, label),
          is_caller = sub => direct.some(arc => profile.arcs.caller[arc] === sub);
    place.append(make('div.sub-parts',
        make('section', query_advice(profile, label),
            label_neighbours(
                'Within it', labels_within(profile, label), 'Label', of_label, is_memory() ? null : own),
            label_neighbours('Called in', spans[label], 'Request', of_label, requests),
            label_neighbours(
                'Called for', callers[label].filter(({sub}) => sub >= 0 && !is_caller(sub)), 'Sub', by_sub),
            label_places(profile, label)),
        timed));
    const ready = labels.kind[label] === span_kind
        ? null
        : add_durations(profile, timed, sub_of_label(profile, label), stops);
    return {ready, stop: () => stops.forEach(stop => stop())};
}
