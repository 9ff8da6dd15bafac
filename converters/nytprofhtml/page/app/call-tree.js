/* Calls as a tree of rows, from the outermost ones: those with most time first, what has little together. */

const tree_hint = 'From the outermost calls; the hottest path is open to where it forks. ' +
    '→ opens, ← closes, * opens the hottest path; h hides: the time is its caller\'s; r makes it the root; ' +
    'c has its callers.';
const least_of_tree = 0.008, least_of_others = 0.003, most_levels = 14;

/* Those of a place of a layout, or of a node of stacks; of -1 the outermost. */
function children_of({end, count}, parent) {
    const found = [], after = parent < 0 ? count : end[parent];
    for (let child = parent + 1; child < after; child = end[child])
        found.push(child);
    return found;
}

function width_of(layout, place) {
    return layout.x1[place] - layout.x0[place];
}

/* Opens the hottest path from a place on, to where no child has more than half of its parent. */
function open_hottest(layout, open, place) {
    for (let level = 0; level < most_levels && place + 1 < layout.end[place]; level++) {
        open.add(place);
        if (width_of(layout, place + 1) <= width_of(layout, place) / 2)
            return;
        place++;
    }
}

/* Rows of what is below a place: {place, level}, or of several that have little {others, ticks, level}. */
function tree_rows(layout, open, parent = 0, level = 0) {
    const all = children_of(layout, parent),
          shown = all.filter(place => width_of(layout, place) >= least_of_tree),
          rest = all.filter(place => width_of(layout, place) < least_of_tree),
          sum = of => rest.reduce((before, place) => before + of(place), 0);
    return [
        ...shown.flatMap(
            place => [{place, level}, ...open.has(place) ? tree_rows(layout, open, place, level + 1) : []]),
        ...sum(place => width_of(layout, place)) >= least_of_others
            ? [{others: rest.length, ticks: sum(place => layout.incl[layout.node[place]]), level}]
            : []
    ];
}

/* The tree of a profile, as a table whose rows open and close. */
class CallTree {
    constructor(profile, {fold, only, callers}) {
        this.profile = profile;
        this.layout = usual_layout(profile, {fold, only, callers});
        this.open = new Set();
        this.color = color_function(profile, this.layout, 'namespace');
        this.unit = unit_for(this.layout.incl[0]);
        open_hottest(this.layout, this.open, 0);
        this.body = make('tbody');
        this.columns = this.make_columns();
        this.element = make('table.top.call-tree', {'aria-label': 'Calls', keydown: event => this.key(event)},
            short_heads(this.columns, this.unit), this.body);
        this.draw();
    }

    make_columns() {
        const whole = this.layout.incl[0], part = ({ticks}) => ({style: bar_style(ticks, whole)});
        return [
            number_column('Of ' + whole_name(), ({ticks}) => percent_text(share_of_all(ticks)),
                {of: 'barred', style: part}),
            time_column('Incl.', ({ticks}) => ticks, {of: 'wide'}),
            !this.layout.inverted && time_column('Self', ({self}) => self, {of: 'wide'}),
            number_column(count_title('Calls'), ({calls}) => calls, {of: 'wide'}),
            name_column('Sub', row => this.name(row), {style: ({level}) => ({style: '--level: ' + level})})
        ].filter(Boolean);
    }

    draw() {
        const {layout} = this, rows = tree_rows(layout, this.open).map(row => {
            const node = layout.node[row.place];
            return row.others ? {...row, self: null, calls: ''} : {
                ...row,
                ticks: layout.incl[node],
                self: layout.tree.self[node],
                calls: count_text(node_count(this.profile, layout, node))
            };
        });
        fill_with(this.body,
            rows.map(row => make('tr', {class: row.others && 'quiet', 'data-place': row.place},
                         this.columns.map(one => column_cell(one, row, this.unit)))));
    }

    name({place, others}) {
        const {layout} = this, least = share_of_all(least_of_tree * layout.incl[0]);
        if (others)
            return `${count_text(others)} more, below ${percent_text(least)} each`;
        const key = place_key(layout, place), name = box_name(layout, place);
        const toggle = place + 1 < layout.end[place] && make('button.toggle', {
            'aria-expanded': String(this.open.has(place)),
            'aria-label': 'Callees of ' + name,
            click: () => this.toggle(place)
        });
        return [toggle, swatch(this.color(place)), key < 0 ? name : sub_link(key, name)];
    }

    toggle(place, on = !this.open.has(place)) {
        this.open[on ? 'add' : 'delete'](place);
        this.draw();
        this.focus(place);
    }

    focus(place) {
        const button = this.body.querySelector(`[data-place="${place}"] button`);
        if (button)
            button.focus();
    }

    /* Right opens, left closes or leads to the caller, * opens the hottest path; h, r, c change the address.
     */
    key(event) {
        const row = event.target.closest('[data-place]'), place = row && Number(row.dataset.place),
              {query} = state.route, sub = row ? place_key(this.layout, place) : -1;
        if (!row || is_browsers_key(event) || event.key.length === 1 && (is_after_g || !has_character_keys()))
            return;
        const change = sub >= 0 && {
            h: {fold: fold_text([...folded_subs(query), sub])},
            r: {only: 'sub:' + sub_address(sub), callers: null},
            c: {callers: sub_address(sub), only: null}
        }[event.key];
        if (!change && !['ArrowRight', 'ArrowLeft', '*'].includes(event.key))
            return;
        event.preventDefault();
        if (change) {
            change_query(change);
            return;
        }
        if (event.key === 'ArrowLeft' && !this.open.has(place)) {
            this.focus(this.layout.parent[place]);
            return;
        }
        if (event.key === '*')
            open_hottest(this.layout, this.open, place);
        this.toggle(place, event.key !== 'ArrowLeft');
    }
}
