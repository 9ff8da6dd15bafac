/* A table that sorts, filters and is copied as CSV, from the menu. Its state is in the address. */

const least_name_em = 14;

/* Columns of all tables: {title, value(row), number, time (ticks: shown in the unit of the table), fine (each
 * time has a unit of its own), barred (a bar behind it shows its part of the largest), cell(row, unit) (what
 * is shown, if that is not the value), of (class), head and style(row) (attributes of the head, and of
 * cells)}. */
function number_column(title, cell, more) {
    return {title, cell, number: true, ...more};
}

function count_column(title, value, more) {
    return {title, value, number: true, ...more};
}

function time_column(title, value, more) {
    return {title, value, time: true, ...more};
}

function bar_column(title, value, more) {
    return time_column(title, value, {barred: true, ...more});
}

/* The style of a cell with a bar: its length is the part that the value is of `most`. */
function bar_style(value, most) {
    return `--part: ${100 * share_of(Math.max(0, value), most)}%`;
}

/* A column of shares, with a bar in each cell. */
function share_bar_column(title, share) {
    const style = row => ({style: bar_style(share(row), 1)});
    return number_column(title, row => percent_text(share(row)), {of: 'barred', style});
}

function name_column(title, cell, more) {
    return {title, cell, ...more};
}

function is_of_numbers({number, time}) {
    return number || time;
}

/* Of times that share a unit. */
function unit_of_columns(columns, rows) {
    return unit_for_columns(
        columns.filter(({time, fine}) => time && !fine).map(one => known_size(rows, one).most));
}

/* rows: all of the table. */
function column_cell(one, row, unit, rows) {
    const value = one.value ? one.value(row) : null, is_text = !is_of_numbers(one) && !one.cell;
    return make('td', {
        class: [is_of_numbers(one) ? 'n' : 'name', one.barred && 'barred', one.of, column_class(one)]
                   .filter(Boolean)
                   .join(' '),
        title: is_text && value,
        style: one.barred && bar_style(value, known_size(rows, one).most),
        ...one.style && one.style(row)
    },
        one.cell             ? one.cell(row, unit)
            : value === null ? ''
            : one.fine       ? time_text(value)
            : one.time       ? in_unit(value, unit)
            : one.number     ? count_text(value)
                             : value);
}

/* Its columns also have a key, and may have hint, csv(row), width (in em; of numbers, what they need), drop
 * (1 is left out first where there is too little room). The one without width and numbers has the names.
 * rows: any values. The query has sort ("-key" turns it round). */
class DataTable {
    constructor(place, {columns, rows, label, sort, name, after_sort}) {
        this.columns = columns;
        this.name = name;
        const chosen = state.route.query.sort || sort, key = chosen.replace(/^-/, '');
        const by = columns.find(one => one.key === key) || columns[0];
        this.rows = sort_rows(rows, by, chosen.startsWith('-'));
        if (after_sort)
            this.rows = after_sort(this.rows);
        this.unit = unit_of_columns(columns, rows);
        this.sorted_by = by;
        const table = make('div',
            {role: 'table', 'aria-label': label, 'aria-rowcount': this.rows.length + 1, class: 'data-table'});
        const ems = columns.map(one => this.width_em(one, rows));
        const widths = columns.map((one, i) => [ems[i] ? ems[i] + 'em' : '', column_class(one)]);
        place.append(make('style', drop_rules(columns, ems, by)));
        table.append(make('table.rows.heads', {role: 'rowgroup'}, make('colgroup', widths.map(make_col)),
            make('thead', {role: 'presentation'},
                make('tr', {role: 'row', 'aria-rowindex': 1}, columns.map(one => this.head(one, chosen))))));
        place.append(table);
        if (!this.rows.length)
            table.append(make('p.empty', 'Nothing matches.'));
        this.blocks = new Blocks(table, {
            count: this.rows.length,
            height: row_height(),
            widths,
            printed: 1,
            make_row: i => make('tr', columns.map(one => column_cell(one, this.rows[i], this.unit, rows)))
        });
    }

    /* No number is cut, and no title. 0: the rest of the room. */
    width_em(one, rows) {
        if (one.width || !is_of_numbers(one))
            return one.width || 0;
        const {most, sign} = known_size(rows, one),
                     number = text_em(sign +
                         (one.fine          ? '88.8 ms'
                                 : one.time ? in_unit(most, this.unit)
                                            : count_text(most)));
        const sorts = one === this.sorted_by ? ' ▾' : '';
        return Number((Math.max(number, text_em(head_title(one, this.unit) + sorts, sorts && '600') * 0.92) +
            1.2).toFixed(2));
    }

    head(one, chosen) {
        const down = chosen.startsWith('-'), mine = chosen.replace(/^-/, '') === one.key,
              turned = mine ? !down : is_of_numbers(one);
        return make('th', {
            scope: 'col',
            role: 'columnheader',
            class: (is_of_numbers(one) ? 'n ' : '') + column_class(one),
            'aria-sort': mine ? (down ? 'descending' : 'ascending') : 'none',
            title: one.hint
        },
            make('button', {click: () => change_query({sort: (turned ? '-' : '') + one.key})},
                head_title(one, this.unit),
                mine ? make('span', {'aria-hidden': 'true'}, down ? ' ▾' : ' ▴') : ''));
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

    stop() {
        this.blocks.stop();
    }
}

/* Fills a view with a table of all there is, below its controls, with a filter if the view has attributes for
 * its field. problems: those of the filter; parts(place): the place of the table with what is around
 * it. The other options are those of the table. */
function table_view(stage, {filter, problems = [], controls = [], parts = place => place, ...options}) {
    const bar = make('div.controls', filter && filter_field(filter, problems), controls),
          place = make('div.table-place');
    stage.append(bar, filter_problems(problems), ...[parts(place)].flat());
    return new DataTable(place, options);
}

function head_title(one, unit) {
    return one.time && !one.fine ? one.title + ', ' + unit.name : one.title;
}

function column_class(one) {
    return one.key ? 'column-' + one.key : '';
}

/* Rules that leave columns out, one after another, where the name would have less than its room. */
function drop_rules(columns, ems, sorted_by) {
    const order = columns.filter(one => one.drop && one !== sorted_by).sort((a, b) => a.drop - b.drop);
    let needed = least_name_em + total_of(ems);
    return order
        .map(one => {
            const rule = `@container (width < ${needed.toFixed(2)}em) { .data-table .${
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

/* Sizes of columns, by title. A view that shows the same rows again, in another order, has the same list of
 * them. */
const sizes_of = once_for(() => new Map());

function known_size(rows, one) {
    return entry_of(sizes_of(rows), one.title, () => size_of(rows, one));
}
