/* Calls as a tree of rows, from the outermost ones: those with most time first, what has little together. */

const tree_hint = 'From the outermost calls; the hottest path is open to where it forks. ' +
    '→ opens, ← closes, * opens the hottest path.';
const least_of_tree = 0.008, least_of_others = 0.003, most_levels = 14;

function children_of(layout, parent) {
    const found = [];
    for (let child = parent + 1; child < layout.end[parent]; child = layout.end[child])
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
    constructor(profile) {
        this.profile = profile;
        this.layout =
            layout_for(profile, {by: 'time', order: 'weight', way: 'callers', roots: usual_roots(profile)});
        this.open = new Set();
        this.color = color_function(profile, this.layout, 'namespace');
        this.unit = unit_for(this.layout.incl[0]);
        open_hottest(this.layout, this.open, 0);
        this.body = make('tbody');
        this.element = make('table.top.call-tree', {'aria-label': 'Calls', keydown: event => this.key(event)},
            make('thead',
                make('tr',
                    [
                        'Of ' + whole_name(), 'Incl., ' + this.unit.name, 'Self, ' + this.unit.name,
                        count_title('Calls')
                    ].map((title, i) => make('th', {scope: 'col', class: i ? 'n wide' : 'n'}, title)),
                    make('th', {scope: 'col'}, 'Sub'))),
            this.body);
        this.draw();
    }

    draw() {
        this.body.replaceChildren(...tree_rows(this.layout, this.open).map(row => this.row(row)));
    }

    cells(ticks, self, calls) {
        return [
            make('td.n.barred', {style: `--part: ${100 * share_of(ticks, this.layout.incl[0])}%`},
                percent_text(share_of_all(ticks))),
            make('td.n.wide', in_unit(ticks, this.unit)),
            make('td.n.wide', self === null ? '' : in_unit(self, this.unit)), make('td.n.wide', calls)
        ];
    }

    row({place, level, others, ticks}) {
        const {layout} = this, style = '--level: ' + level;
        if (others)
            return make('tr.quiet', this.cells(ticks, null, ''),
                make('td.name', {style}, `${count_text(others)} more, below 0.8\u00a0% each`));
        const node = layout.node[place], key = place_key(layout, place), name = box_name(layout, place);
        const toggle = place + 1 < layout.end[place] && make('button.toggle', {
            'aria-expanded': String(this.open.has(place)),
            'aria-label': 'Callees of ' + name,
            click: () => this.toggle(place)
        });
        return make('tr', {'data-place': place},
            this.cells(layout.incl[node], layout.tree.self[node],
                count_text(node_count(this.profile, layout, node))),
            make(
                'td.name', {style}, toggle, swatch(this.color(place)), key < 0 ? name : sub_link(key, name)));
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

    /* Right opens, left closes or leads to the caller, * opens the hottest path. */
    key(event) {
        const row = event.target.closest('[data-place]'), place = row && Number(row.dataset.place);
        if (!row || is_browsers_key(event) || !['ArrowRight', 'ArrowLeft', '*'].includes(event.key))
            return;
        event.preventDefault();
        if (event.key === 'ArrowLeft' && !this.open.has(place)) {
            this.focus(this.layout.parent[place]);
            return;
        }
        if (event.key === '*')
            open_hottest(this.layout, this.open, place);
        this.toggle(place, event.key !== 'ArrowLeft');
    }
}
