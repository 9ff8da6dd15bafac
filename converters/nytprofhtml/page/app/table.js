/* A table that sorts, filters and is copied as CSV. Its state is in the address. */

const row_height = 24;

/* columns: {key, title, hint, number, time (ticks: shown in the unit of the column), value(row), cell(row), width, wide
 * (left out on narrow screens), csv(row)}. rows: any values. query: sort ("-key" turns it round). */
class DataTable {
    constructor(place, {columns, rows, label, query, change, sort, name, after_sort}) {
        this.columns = columns;
        this.name = name;
        const chosen = query.sort || sort, key = chosen.replace(/^-/, '');
        const by = columns.find(one => one.key === key) || columns[0];
        this.rows = sort_rows(rows, by, chosen.startsWith('-'));
        if (after_sort)
            this.rows = after_sort(this.rows);
        this.units = columns.map(one => one.time ? unit_for(largest(this.rows, one), one.fine) : null);
        const table = make('div', {role: 'table', 'aria-label': label, 'aria-rowcount': this.rows.length + 1,
            class: 'data-table'});
        const widths = columns.map(one => [one.width || '', one.wide ? 'wide' : null]);
        table.append(make('table', {class: 'rows heads', role: 'rowgroup'},
            make('colgroup', null, widths.map(make_col)),
            make('thead', {role: 'presentation'}, make('tr', {role: 'row', 'aria-rowindex': 1},
                columns.map((one, i) => this.head(one, this.units[i], chosen, change))))));
        place.append(table);
        if (!this.rows.length)
            table.append(make('p', {class: 'empty'}, 'Nothing matches.'));
        this.blocks = new Blocks(table, {count: this.rows.length, height: row_height, widths,
            make_row: i => this.row(this.rows[i])});
    }

    head(one, unit, chosen, change) {
        const key = chosen.replace(/^-/, ''), down = chosen.startsWith('-');
        const title = unit ? one.title + ', ' + unit.name : one.title;
        const mine = key === one.key;
        const next = mine ? (down ? one.key : '-' + one.key) : (one.number || one.time ? '-' : '') + one.key;
        return make('th', {scope: 'col', role: 'columnheader', class: [one.number || one.time ? 'n' : '', one.wide
            ? 'wide' : ''].join(' '),
            'aria-sort': mine ? (down ? 'descending' : 'ascending') : 'none', title: one.hint},
        make('button', {type: 'button', click: () => change({sort: next})}, title, mine
            ? make('span', {'aria-hidden': 'true'}, down ? ' ▾' : ' ▴') : ''));
    }

    row(row) {
        return make('tr', {class: row && row.class}, this.columns.map((one, i) => {
            const value = one.value ? one.value(row) : null;
            const wide = one.wide ? ' wide' : '';
            if (one.cell)
                return make('td', {class: (one.number ? 'n' : 'name') + wide}, one.cell(row));
            if (one.time)
                return make('td', {class: 'n ' + (one.fine ? '' : heat_class(value)) + wide}, value === null ? ''
                    : in_unit(value, this.units[i]));
            if (one.number)
                return make('td', {class: 'n' + wide}, value === null ? '' : count_text(value));
            return make('td', {class: 'name' + wide, title: value}, value);
        }));
    }

    csv() {
        const s = value => (value / profile.about.ticks_per_s).toFixed(9).replace(/\.?0+$/, '');
        return csv_text([this.columns.map(one => one.time ? one.title + ' (s)' : one.title),
            ...this.rows.map(row => this.columns.map(one => {
                const value = one.csv ? one.csv(row) : one.value(row);
                return value === null || value === undefined ? '' : one.time ? s(value) : value;
            }))]);
    }

    copy_button() {
        return make('button', {type: 'button', click: () => copy_or_download(this.name + '.csv', this.csv())},
            'Copy as CSV');
    }

    stop() {
        this.blocks.stop();
    }
}

function largest(rows, one) {
    let most = 0;
    for (const row of rows)
        most = Math.max(most, Math.abs(one.value(row) || 0));
    return most;
}

/* A stable order: equal rows stay as they came. */
function sort_rows(rows, by, down) {
    const values = new Map(rows.map(row => [row, (by.sort || by.csv || by.value)(row)]));
    const order = (a, b) => {
        const x = values.get(a), y = values.get(b);
        return x < y ? -1 : x > y ? 1 : 0;
    };
    return [...rows].sort(down ? (a, b) => order(b, a) : order);
}
