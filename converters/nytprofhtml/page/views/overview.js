/* The overview: its text is in the page already, and its pictures and tables are made here. */

function show_overview(overview, {profile}) {
    fill_summary(profile, overview);
    fill_fork(profile, overview.querySelector('#fork'));
    fill_changes(profile, overview.querySelector('#changes'));
    const hottest = overview.querySelector('#hottest'), figure = overview.querySelector('#overview-flame');
    fill_with(hottest, top_sections(profile));
    return overview_flame(profile, figure);
}

/* Whatever is known of all of the profile alone is hidden where something else is shown. */
function fill_summary(profile, overview) {
    const {process, range} = profile.selection, is_chosen = !is_everything(profile), {totals} = profile;
    const heading = overview.querySelector('h1'), answer = heading.dataset.answer || heading.textContent;
    heading.dataset.answer = answer;
    const {all} = state.route.query;
    heading.textContent = is_chosen ? shown_title() : all && heading.dataset.all || answer;
    for (const whole of overview.querySelectorAll('#lede, #parts, .sides, #findings, #causes'))
        whole.hidden = is_chosen;
    for (const one of overview.querySelectorAll('[data-times]'))
        one.hidden = one.dataset.times !== (all ? 'all' : 'work');
    if (!is_chosen)
        link_findings(overview);
    const chosen = overview.querySelector('#chosen');
    chosen.hidden = !is_chosen;
    const of = process >= 0 ? ' in ' + number_of(profile.processes.pid.length, 'process', 'processes') : '';
    chosen.replaceChildren(...is_chosen ? [make('strong', time_text(totals.ticks)),
        (range ? ' from ' + range_title(range) + ',' : '') + ' of ' +
        time_text(recorded.totals.ticks) + of +
            (is_memory() && process >= 0 ? '.' : ', ' + counted(totals.calls, 'call') + '.')] : []);
}

function link_findings(overview) {
    const targets =
        '[data-view], [data-label-of], [data-label], [data-kind], [data-sub], [data-file], [data-pid]';
    for (const place of overview.querySelectorAll(`:is(#findings, #causes) span:is(${targets})`))
        place.replaceWith(make('a', {href: target_of(place.dataset), title: place.title}, place.textContent));
}

/* The page has the numbers of subs, labels and files. */
function target_of({view, labelOf, label, kind, sub, file, line, pid}) {
    if (pid)
        return route_text('', [], {process: pid});
    if (view)
        return route_text(view, [], {});
    if (kind)
        return kind_route(recorded.kinds.name.indexOf(kind));
    if (label)
        return label_route(Number(label));
    if (labelOf)
        return label_of(labelOf) >= 0 ? label_route(label_of(labelOf)) : sub_route(Number(labelOf));
    return sub ? sub_route(Number(sub)) : file_route(Number(file), Number(line || 0));
}

function overview_flame(profile, figure) {
    if (!profile.stacks.count) {
        figure.replaceChildren(make('p.quiet',
            is_memory() || !profile.totals.calls
                ? why_no_stacks(profile)
                : 'No stacks of calls in this profile: record with calls=1 for a flame graph.'));
        return null;
    }
    const whole = usual_layout(profile), layout = folded_layout(whole), frame = make('div.flame'),
          details = make('p.details.unseen', {'aria-live': 'polite'});
    figure.replaceChildren(make('h2', make('a', {href: route_text('flame', [], {})}, 'Flame graph')),
        legend_of(profile, usual_color(profile), whole), frame, details);
    const canvas = new FlameCanvas(frame, {
        label: place => layout.label[place],
        color: color_function(profile, layout, usual_color(profile)),
        skip: 1,
        most_rows: 15,
        label_of_all: 'Flame graph; the tables above have its numbers',
        lines: place => node_lines(profile, layout, place),
        details,
        menu: box_menu(profile, layout, {}),
        on_choose: place => go_to('flame', [], {zoom: zoom_text(layout, place)})
    });
    canvas.show(layout);
    return {stop: canvas.stop};
}
