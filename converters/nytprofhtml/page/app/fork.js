/* Where the work of a profile forks: a bar of what the subs at the first fork, and what is left aside on the
 * way to it, need with all that they call. */

const trunk_share = 0.8; /* of what is above: then there is no fork yet */
const least_share = 0.02;

/* Nodes that are not within one another. */
function fork_nodes(stacks, whole) {
    const below = stacks.incl, aside = [];
    let level = children_of(stacks, -1), above = whole;
    for (;;) {
        level.sort((a, b) => below[b] - below[a]);
        const [first, ...others] = level;
        const next =
            first === undefined || below[first] < trunk_share * above ? [] : children_of(stacks, first);
        if (!next.some(node => below[node] > least_share * whole))
            return [...level, ...aside];
        aside.push(...others);
        above = below[first];
        level = next;
    }
}

/* Subs of one name in several packages are one part if none of them has much. */
function with_one_name(parts, whole) {
    const name_of = sub => recorded.subs.name[sub].replace(/^.*::(?=[^:])/, ''),
          by_name = grouped_by(parts, part => part.ticks > 0.1 * whole ? part : name_of(part.sub));
    return [...by_name.values()].flatMap(same => same.length < 3 ? same : [{
        sub: same[0].sub,
        ticks: same.reduce((sum, {ticks}) => sum + ticks, 0),
        text: name_of(same[0].sub) + ' of ' + count_text(same.length) + ' packages'
    }]);
}

/* Routes are the parts of what requests do. */
function parts_of_requests({labels, totals}) {
    const parts = [];
    labels.incl.forEach((ticks, label) => {
        if (labels.kind[label] === span_kind && ticks > least_share * totals.ticks)
            parts.push({label, ticks, text: label_text(label), href: label_route(label)});
    });
    return parts;
}

function parts_of_subs({stacks, totals: {ticks: whole}}) {
    const by_sub = new Map();
    for (const node of fork_nodes(stacks, whole))
        by_sub.set(stacks.sub[node], (by_sub.get(stacks.sub[node]) || 0) + stacks.incl[node]);
    return with_one_name([...by_sub].map(([sub, ticks]) => ({sub, ticks})).sort(largest_first), whole)
        .filter(({ticks}) => ticks > least_share * whole);
}

const largest_first = (a, b) => b.ticks - a.ticks || a.sub - b.sub || a.label - b.label;

/* Returns null if the work does not fork; otherwise its parts, the largest first: {sub, ticks}, with a text
 * if it stands for several subs, or {label, ticks, text, href} of a route. */
const fork_of = once_for(profile => {
    const parts = usual_roots(profile) === 'requests' ? parts_of_requests(profile) : parts_of_subs(profile);
    return parts.length > 1 ? parts.sort(largest_first) : null;
});

/* A part of a bar, as wide as its share. */
function bar_part(ticks, whole, text, background, href, color = '') {
    const share = share_of(ticks, whole), inner = [make('strong', percent_text(share)), ' ', text],
          title = `${text}: ${time_text(ticks)}`,
          made = href ? make('a', {href, title}, inner) : make('span', {title}, inner);
    Object.assign(made.style, {flexGrow: share, background, color});
    return made;
}

function fill_fork(profile, figure) {
    const fork = profile.difference || !profile.stacks.count ? null : fork_of(profile);
    figure.hidden = !fork;
    if (!fork)
        return;
    const whole = profile.totals.ticks, rest = whole - fork.reduce((sum, {ticks}) => sum + ticks, 0),
          box = (ticks, ...how) => bar_part(ticks, whole, ...how);
    const box_of = ({sub, ticks, text, href, label}) => label >= 0
        ? box(ticks, text, style_color(route_mark(label).color), href, 'var(--accent-ink)')
        : box(ticks, text || short_sub(sub), sub_color(sub), text ? null : sub_route(sub));
    const above = document.querySelector('#parts .work'),
          funnel = make('div.funnel', {'aria-hidden': 'true'});
    funnel.style.setProperty(
        '--work', (above && is_everything(profile) ? Number(above.style.flexGrow) : 1) * 100 + '%');
    figure.replaceChildren(funnel,
        make('div.share-bar', fork.map(box_of),
            rest > 0 &&
                box(rest, usual_roots(profile) === 'requests' ? 'outside of requests' : 'rest',
                    area_color(-1))),
        make('figcaption',
            `Where the ${time_text(whole)} ${
                is_memory()                       ? ''
                    : profile.selection.query.all ? 'of all time '
                                                  : 'of work '}fork; 100 % in all that follows`));
}

/* The name with the last part of its package alone. */
function short_sub(sub) {
    return recorded.subs.name[sub].replace(/^[^[]*::(?=[^:[]+::)/, '');
}
