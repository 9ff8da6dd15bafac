/* Single requests, as their block has them (DATA.md), and how routes are marked. A route is a label of a
 * span. */

function has_requests() {
    return document.getElementById('requests') !== null;
}

async function load_requests() {
    const block = await load_block('requests');
    const scale = recorded.about.ticks_per_s / block.per_s;
    add_up(block.begin);
    block.rest = block.rest || block.ticks.map(() => 0);
    block.others = block.others || block.ticks.map(() => 0);
    for (const name of ['begin', 'ticks', 'asleep', 'queued', 'others', 'rest'])
        block[name] = block[name].map(number => number * scale);
    blocks.requests = block;
}

/* The numbers of requests with these labels in a process (-1: all) and in a range (null: all of the time), in
 * the order of their begin. */
function requests_of(labels, {process, range}) {
    const {label, process: of, begin, ticks} = blocks.requests, wanted = new Set(labels);
    return [...label.keys()].filter(request => wanted.has(label[request]) &&
            (process < 0 || of[request] === process) &&
            (!range || is_in_range(range, begin[request], ticks[request])));
}

/* Each of the routes with most work has a colour and a shape of its own, in all views. */
const route_shapes = [
    {glyph: '●', add: (path, x, y, r) => (path.moveTo(x + r, y), path.arc(x, y, r, 0, 7))},
    {glyph: '■', add: (path, x, y, r) => path.rect(x - r, y - r, 2 * r, 2 * r)},
    {glyph: '◆', add: (path, x, y, r) => add_polygon(path, x, y, r * 1.3, [0, -1, 1, 0, 0, 1, -1, 0])},
    {glyph: '▲', add: (path, x, y, r) => add_polygon(path, x, y, r * 1.25, [0, -1, 1, 0.8, -1, 0.8])}
];
const other_shape = {
    glyph: '▼',
    add: (path, x, y, r) => add_polygon(path, x, y, r * 1.25, [0, 1, 1, -0.8, -1, -0.8])
};

/* points: x and y of each corner in turn, in units of r. */
function add_polygon(path, x, y, r, points) {
    path.moveTo(x + points[0] * r, y + points[1] * r);
    for (let i = 2; i < points.length; i += 2)
        path.lineTo(x + points[i] * r, y + points[i + 1] * r);
    path.closePath();
}

/* By label: its rank among routes, the one with most work first. */
const route_ranks = once_for(({labels}) => {
    const order = [...labels.kind.keys()]
                      .filter(label => labels.kind[label] === span_kind)
                      .sort(most_first(labels.incl));
    return new Map(order.map((label, rank) => [label, rank]));
});

function rank_of_route(label) {
    return route_ranks(work_in(recorded)).get(label);
}

/* {glyph, add, color}; those without a shape of their own share one. */
function route_mark(label) {
    const rank = Math.min(rank_of_route(label), route_shapes.length);
    return {...route_shapes[rank] || other_shape, color: 'route-' + rank};
}

function route_glyph(label) {
    const {glyph, color} = route_mark(label);
    return make('span', {class: 'route ' + color, 'aria-hidden': 'true'}, glyph);
}

/* Shows one route alone in the plot, or all again. */
function route_choice(label) {
    const {query} = state.route, name = label_name(label), is_chosen = query.route === name;
    return make('button.link.route-choice', {
        title: 'Only this route in the plot',
        'aria-label': 'Only ' + label_text(label),
        'aria-pressed': String(is_chosen),
        click: () => change_query({route: is_chosen ? null : name, request: null})
    },
        route_glyph(label));
}
