/* The overview is in the page already. Here it gets what needs a script: a flame graph that can be clicked
 * on, times in the chosen unit, and the text of the hottest lines. */

function show_overview(overview) {
    for (const name of overview.querySelectorAll(
             'span[data-to], span[data-label-of], span[data-sub], span[data-file]'))
        name.replaceWith(make('a', {
            href: target_of(name.dataset),
            'data-file': name.dataset.file,
            'data-line': name.dataset.line,
            title: name.getAttribute('title') || explained_name(name.textContent)
        },
            name.textContent));
    for (const link of overview.querySelectorAll('a[href^="#/"]'))
        link.setAttribute('href', selected_address(link.getAttribute('href')));
    if (shown_tops !== selection.address) {
        shown_tops = selection.address;
        fill_tops(overview);
    }
    fill_summary(overview);
    fill_shares(overview);
    retell_times(overview);
    for (const key of overview.querySelectorAll('.settings dt'))
        key.title = explanation_of(key.textContent) || '';
    for (const link of overview.querySelectorAll('td.name > a'))
        link.replaceChildren(...name_parts(link.textContent));
    fill_changes(overview.querySelector('#changes'));
    compare_tops(overview);
    add_code(overview);
    return overview_flame(overview);
}

/* Whatever is known of all of the profile alone is hidden where something else is shown. */
function fill_summary(overview) {
    const {process} = selection, is_chosen = process >= 0 || selection.items.length > 0, {totals} = profile;
    overview.querySelector('h1').textContent = shown_title();
    for (const whole of overview.querySelectorAll('#lede, #findings'))
        whole.hidden = is_chosen;
    for (const table of overview.querySelectorAll('#top-lines, #top-files'))
        table.closest('section').hidden = process >= 0;
    const chosen = overview.querySelector('#chosen');
    chosen.hidden = !is_chosen;
    const of = process >= 0 ? ' in ' + number_of(profile.processes.pid.length, 'process', 'processes') : '';
    chosen.replaceChildren(...is_chosen ? [make('strong', null, time_text(totals.ticks)), ' of ' +
        time_text(recorded.totals.ticks) + of + ', ' + counted(totals.calls, 'call') + '.'] : []);
}

/* The page has the numbers of subs and files. */
function target_of({to, labelOf, sub, file, line}) {
    if (labelOf)
        return label_of(labelOf) >= 0 ? label_route(label_of(labelOf)) : sub_route(Number(labelOf));
    return to || (sub ? sub_route(Number(sub)) : file_route(Number(file), Number(line || 0)));
}

function explained_name(name) {
    const explanation = explanation_of(name);
    return explanation && name + ': ' + explanation;
}

/* The times of a table have one unit, which the heads of their columns name. */
function retell_times(overview) {
    for (const table of overview.querySelectorAll('table.top')) {
        const columns = [...table.querySelectorAll('th .unit')].map(
            (name, i) => [...table.querySelectorAll('tbody tr')].map(
                row => row.querySelectorAll('td[data-t]')[i]));
        const unit = unit_for_columns(
            columns.map(cells => Math.max(0, ...cells.map(cell => Math.abs(Number(cell.dataset.t))))));
        for (const cell of columns.flat())
            cell.textContent = in_unit(Number(cell.dataset.t), unit);
        for (const name of table.querySelectorAll('th .unit'))
            name.textContent = unit.name;
    }
}

let shown_tops = selection.address; /* the selection that the tables are of */

async function add_code(overview) {
    for (const link of overview.querySelectorAll('td.name a[data-line]')) {
        const text = await source_of(Number(link.dataset.file)),
              line = text && text[Number(link.dataset.line) - 1];
        if (line && link.nextSibling === null)
            link.parentNode.append(make('code', {class: 'snippet'}, highlighted(line.trim(), 0)));
    }
}

function overview_flame(overview) {
    const figure = overview.querySelector('#overview-flame');
    if (!figure)
        return null;
    const layout = layout_for({by: 'time', order: 'weight', way: 'callers'});
    const svg = figure.querySelector('svg');
    if (svg)
        svg.remove();
    const details = make('p', {class: 'details', 'aria-live': 'polite'}, node_details(layout, 0));
    const frame = make('div', {class: 'flame'});
    figure.replaceChildren(frame, profile.difference ? change_legend() : origin_legend(), details);
    const canvas = new FlameCanvas(frame, {
        label: place => layout.name_of(layout.tree.key[layout.node[place]]),
        color: color_function(layout, usual_color()),
        most_rows: 22,
        label_of_all: 'Flame graph; the tables below have its numbers',
        on_hover: place => { details.textContent = node_details(layout, Math.max(place, 0)); },
        menu: box_menu(layout, {}, changes => go_to('flame', [], changes)),
        on_choose: place => go_to('flame', [], {zoom: zoom_text(layout, place)})
    });
    canvas.show(layout);
    return {stop: canvas.stop};
}
