/* A table that sorts, filters and is copied as CSV. Its state is in the address. */

const least_name_em = 14, wide_em = 106; /* of a table in a window of 1,600 pixels */

/* columns: {key, title, hint, number, time (ticks: shown in the unit of the table), fine (each time has a
 * unit of its own), value(row), cell(row, unit), csv(row), width (in em; of numbers, what they need), drop (1
 * is left out first where there is too little room), wide (only in wide windows; it is dropped before
 * others)}. The one without width and numbers has the names. rows: any values. query: sort ("-key" turns it
 * round). */
class DataTable {
    constructor(place, {columns, rows, label, query, change, sort, name, after_sort}) {
        this.columns = columns;
        this.name = name;
        const chosen = query.sort || sort, key = chosen.replace(/^-/, '');
        const by = columns.find(one => one.key === key) || columns[0];
        this.rows = sort_rows(rows, by, chosen.startsWith('-'));
        if (after_sort)
            this.rows = after_sort(this.rows);
        this.sizes =
            new Map(columns.filter(one => one.number || one.time).map(one => [one, known_size(rows, one)]));
        const unit = unit_for_columns(
            columns.filter(one => one.time && !one.fine).map(one => this.sizes.get(one).most));
        this.units = columns.map(one => one.time && !one.fine ? unit : null);
        this.sorted_by = by;
        const table = make('div',
            {role: 'table', 'aria-label': label, 'aria-rowcount': this.rows.length + 1, class: 'data-table'});
        const ems = columns.map((one, i) => this.width_em(one, this.units[i]));
        const widths = columns.map((one, i) => [ems[i] ? ems[i] + 'em' : '', column_class(one)]);
        place.append(make('style', drop_rules(columns, ems, by)));
        table.append(make('table.rows.heads', {role: 'rowgroup'}, make('colgroup', widths.map(make_col)),
            make('thead', {role: 'presentation'},
                make('tr', {role: 'row', 'aria-rowindex': 1},
                    columns.map((one, i) => this.head(one, this.units[i], chosen, change))))));
        place.append(table);
        if (!this.rows.length)
            table.append(make('p.empty', 'Nothing matches.'));
        this.blocks = new Blocks(table, {
            count: this.rows.length,
            height: row_height(),
            widths,
            printed: 1,
            make_row: i => this.row(this.rows[i])
        });
    }

    /* No number is cut, and no title. 0: the rest of the room. */
    width_em(one, unit) {
        if (one.width || !(one.number || one.time))
            return one.width || 0;
        const {most, sign} = this.sizes.get(one),
                     number = text_em(sign +
                         (one.fine          ? '88.8 ms'
                                 : one.time ? in_unit(most, unit)
                                            : count_text(most)));
        const sorts = one === this.sorted_by ? ' ▾' : '';
        return Number((Math.max(number, text_em(head_title(one, unit) + sorts, sorts && '600') * 0.92) +
            1.2).toFixed(2));
    }

    head(one, unit, chosen, change) {
        const key = chosen.replace(/^-/, ''), down = chosen.startsWith('-');
        const title = head_title(one, unit);
        const mine = key === one.key;
        const next = mine ? (down ? one.key : '-' + one.key) : (one.number || one.time ? '-' : '') + one.key;
        return make('th', {
            scope: 'col',
            role: 'columnheader',
            class: [one.number || one.time ? 'n' : '', column_class(one)].join(' '),
            'aria-sort': mine ? (down ? 'descending' : 'ascending') : 'none',
            title: one.hint
        },
            make('button', {type: 'button', click: () => change({sort: next})}, title,
                mine ? make('span', {'aria-hidden': 'true'}, down ? ' ▾' : ' ▴') : ''));
    }

    row(row) {
        return make('tr', {class: row && row.class}, this.columns.map((one, i) => {
            const value = one.value ? one.value(row) : null;
            const of = ' ' + column_class(one);
            if (one.cell)
                return make('td', {class: (one.number ? 'n' : 'name') + of}, one.cell(row, this.units[i]));
            if (one.time)
                return make('td', {class: 'n ' + (one.fine ? '' : heat_class(value)) + of},
                    value === null ? ''
                        : one.fine ? time_text(value)
                                   : in_unit(value, this.units[i]));
            if (one.number)
                return make('td', {class: 'n' + of}, value === null ? '' : count_text(value));
            return make('td', {class: 'name' + of, title: value}, value);
        }));
    }

    csv() {
        const base = units().find(one => one.per_base === 1).name,
              amount = value => (value / recorded.about.ticks_per_s).toFixed(9).replace(/\.?0+$/, '');
        return csv_text([
            this.columns.map(one => one.time ? `${one.title} (${base})` : one.title),
            ...this.rows.map(row => this.columns.map(one => {
                const value = one.csv ? one.csv(row) : one.value(row);
                return value === null || value === undefined ? '' : one.time ? amount(value) : value;
            }))
        ]);
    }

    copy_button() {
        return make('button', {type: 'button', click: () => copy_or_download(this.name + '.csv', this.csv())},
            'Copy as CSV');
    }

    stop() {
        this.blocks.stop();
    }
}

function head_title(one, unit) {
    return unit ? one.title + ', ' + unit.name : one.title;
}

function column_class(one) {
    return 'column-' + one.key;
}

/* Rules that leave columns out, one after another, where the name would have less than its room. */
function drop_rules(columns, ems, sorted_by) {
    const order = columns.filter(one => one.drop && one !== sorted_by).sort((a, b) => a.drop - b.drop);
    let needed = ems.reduce((sum, em) => sum + em, least_name_em);
    return order
        .map(one => {
            const least = Math.max(needed, one.wide ? wide_em : 0);
            const rule = `@container (width < ${least.toFixed(2)}em) { .data-table .${
                column_class(one)} { display: none; } }`;
            needed -= ems[columns.indexOf(one)];
            return rule;
        })
        .join('\n');
}

/* {most: the largest number of a column, without its sign, sign: "-" if any is negative}. */
function size_of(rows, one) {
    let most = 0, sign = '';
    for (const row of rows) {
        const value = one.value(row) || 0;
        most = Math.max(most, Math.abs(value));
        sign = value < 0 ? '-' : sign;
    }
    return {most, sign};
}

/* Sizes of columns, by key. A view that shows the same rows again, in another order, has the same list of
 * them. */
const sizes_of = once_for(() => new Map());

function known_size(rows, one) {
    const sizes = sizes_of(rows);
    if (!sizes.has(one.key))
        sizes.set(one.key, size_of(rows, one));
    return sizes.get(one.key);
}
