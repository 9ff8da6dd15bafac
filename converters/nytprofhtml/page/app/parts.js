/* What several views are made of: controls, facts and short tables. */

function check_control(title, checked, change) {
    const box = make('input', {type: 'checkbox', checked, change: () => change(box.checked)});
    return make('label.control', box, ' ' + title);
}

/* A box for a word of the query. is_usual: it is checked without the word. others: words that end with it. */
function query_control(title, name, is_usual = false, others = {}) {
    const value = state.route.query[name];
    return check_control(title, is_usual ? value !== '0' : value === '1',
        on => change_query({[name]: on === is_usual ? null : String(Number(on)), ...others}));
}

/* A details element. One that was open is open again after the reader has come back. */
function make_details(attributes, summary, ...children) {
    const entry = here,
          details = make('details', {
              ...attributes,
              open: entry.opened.has(summary),
              toggle: () => details.isConnected && entry.opened[details.open ? 'add' : 'delete'](summary)
          },
              make('summary', summary), ...children);
    return details;
}

/* The filter above a table. What is typed goes into the address a little later. */
function filter_field(attributes, problems) {
    const {view, arguments: list, query} = state.route;
    let cancel = () => {};
    const field = make('input', {
        type: 'search',
        id: 'filter',
        value: query.q || '',
        ...attributes,
        'aria-invalid': problems.length ? 'true' : null,
        input: () => {
            cancel();
            cancel = later(150,
                () => field.isConnected && replace_route(view, list, {...query, q: field.value || null}));
        }
    });
    return field;
}

/* What a view returns of which some is there after a promise. show(what it gives) makes that, and returns
 * what such a view returns; if the reader has left, nothing is made. */
function shown_later(promise, show) {
    const view = {stop: () => { view.stopped = true; }};
    view.ready = promise.then(of => {
        const {ready, ...others} = view.stopped ? {} : show(of);
        Object.assign(view, others);
        return ready;
    });
    return view;
}

/* Says that an address names nothing in the report. */
function not_found(stage, what, name, href) {
    stage.append(make('h1', 'No such ' + what),
        make('p.empty', 'Nothing in the report is named ' + (name || '(nothing)') + '.'),
        make('p', make('a', {href}, 'All ' + what + 's')));
    return null;
}

/* Says why a view is empty. */
function nothing_to_show(stage, title, ...why) {
    stage.append(make('h1', title), make('p.empty', why));
    return null;
}

function filter_problems(problems) {
    return make('div', {role: 'status'}, problems.map(text => make('p.wrong', text)));
}

function fact(name, value, extra) {
    return make('div.fact', make('dt', name), make('dd', value, extra ? make('small', ' ' + extra) : null));
}

function part_text({title, ticks}) {
    return time_text(ticks) + ' ' + title.toLowerCase();
}

/* The parts of a time, {key, title, ticks}, beside one another, each as wide as it is of the whole. */
function time_bar(what, parts, whole) {
    return make(what, {role: 'img', 'aria-label': parts.map(part_text).join(', ')}, parts.map(part => {
        const {key, title, ticks} = part;
        const style = `flex-basis: ${100 * share_of(ticks, whole)}%`;
        return make('span.' + key, {title: part_text(part), style}, make('strong', time_text(ticks)),
            ' ' + title.toLowerCase());
    }));
}

/* The share of what is shown that the amounts of a table have. */
function share_column(value) {
    const share = row => share_of_all(value(row));
    return number_column('Of ' + whole_name(), row => percent_text(share(row)), {
        key: 'share',
        drop: 4.5,
        value: share,
        csv: row => (share(row) * 100).toFixed(3) + '%',
        sort: value
    });
}

/* A choice of one of the values, which are [value, title, disabled]. */
function select_control(title, chosen, values, change) {
    const select = make('select', {change: () => change(select.value)},
        values.map(([value, text, disabled]) =>
                       make('option', {value, selected: chosen === value, disabled}, text)));
    return make('label.control', title + ' ', select);
}

/* A section with a short table; without rows with a text in its place. href: what the heading leads to. */
function table_section(title, columns, rows, {nothing, href, ...options} = {}) {
    return make('section', make('h2', href ? make('a', {href}, title) : title),
        rows.length ? short_table(title, columns, rows, options) : make('p.empty', nothing));
}

function short_heads(columns, unit) {
    return make('thead', make('tr', columns.map(one => {
        const of = (is_of_numbers(one) ? 'n ' : '') + (one.of || '');
        return make('th', {scope: 'col', class: of, ...one.head}, head_title(one, unit));
    })));
}

/* A table of rows with "more" at its end. options: most (rows that are shown at once), attributes(row). */
function short_table(label, all_columns, rows, {most = 12, attributes = () => null} = {}) {
    const {opened} = here, columns = all_columns.filter(Boolean), unit = unit_of_columns(columns, rows);
    const make_row = row =>
        make('tr', attributes(row), columns.map(one => column_cell(one, row, unit, rows)));
    const body = make('tbody', rows.slice(0, opened.has(label) ? rows.length : most).map(make_row)),
          table = make('table.top', {'aria-label': label}, short_heads(columns, unit), body);
    if (rows.length > body.children.length)
        body.append(make('tr.more',
            make('td', {colspan: 2}, /* the columns that no style hides */
                make('button', {
                    click: event => {
                        event.target.closest('tr').remove();
                        opened.add(label);
                        body.append(...rows.slice(most).map(make_row));
                    }
                },
                    (rows.length - most) + ' more'))));
    return table;
}
