/* Where the work of a profile forks: a bar of what the subs at the first fork, and what is left aside on the
 * way to it, need with all that they call. */

const trunk_share = 0.8; /* of what is above: then there is no fork yet */
const least_share = 0.02;

/* The nodes from one on that are beside one another. */
function siblings_from(node, end, stacks) {
    const found = [];
    for (; node < end; node = stacks.end[node])
        found.push(node);
    return found;
}

/* Nodes that are not within one another. */
function fork_nodes(stacks, whole) {
    const below = stacks.incl;
    const aside = [];
    let level = siblings_from(0, stacks.count, stacks), above = whole;
    for (;;) {
        level.sort((a, b) => below[b] - below[a]);
        const [first, ...others] = level;
        const next = first === undefined || below[first] < trunk_share * above
            ? []
            : siblings_from(first + 1, stacks.end[first], stacks);
        if (!next.some(node => below[node] > least_share * whole))
            return [...level, ...aside];
        aside.push(...others);
        above = below[first];
        level = next;
    }
}

/* Subs of one name in several packages are one part if none of them has much. */
function with_one_name(parts, whole) {
    const name_of = sub => recorded.subs.name[sub].replace(/^.*::(?=[^:])/, ''), by_name = new Map();
    for (const part of parts) {
        const key = part.ticks > 0.1 * whole ? part : name_of(part.sub);
        by_name.set(key, [...by_name.get(key) || [], part]);
    }
    return [...by_name.values()].flatMap(same => same.length < 3 ? same : [{
        sub: same[0].sub,
        ticks: same.reduce((sum, {ticks}) => sum + ticks, 0),
        text: name_of(same[0].sub) + ' of ' + count_text(same.length) + ' packages'
    }]);
}

/* Returns null if the work does not fork; otherwise {whole (ticks of work), parts (the largest first)}. A
 * part is {sub, ticks}, and has a text if it stands for several subs. */
const fork_of = once_for(profile => {
    const {stacks, totals: {ticks: whole}} = profile, by_sub = new Map();
    for (const node of fork_nodes(stacks, whole))
        by_sub.set(stacks.sub[node], (by_sub.get(stacks.sub[node]) || 0) + stacks.incl[node]);
    const largest_first = (a, b) => b.ticks - a.ticks || a.sub - b.sub;
    const parts = with_one_name([...by_sub].map(([sub, ticks]) => ({sub, ticks})).sort(largest_first), whole)
                      .sort(largest_first)
                      .filter(({ticks}) => ticks > least_share * whole);
    return parts.length > 1 ? {whole, parts} : null;
});

function fill_fork(profile, figure) {
    const fork = profile.difference || !profile.stacks.count ? null : fork_of(profile);
    figure.hidden = !fork;
    if (!fork)
        return;
    const {whole, parts} = fork, rest = whole - parts.reduce((sum, {ticks}) => sum + ticks, 0);
    const box = (ticks, color, text, sub) => {
        const share = share_of(ticks, whole), inner = [make('strong', percent_text(share)), ' ', text],
              title = `${text}: ${time_text(ticks)}`,
              made =
                  sub >= 0 ? make('a', {href: sub_route(sub), title}, inner) : make('span', {title}, inner);
        made.style.flexGrow = share;
        made.style.background = color;
        return made;
    };
    const above = document.querySelector('#parts .work'),
          funnel = make('div.funnel', {'aria-hidden': 'true'});
    funnel.style.setProperty(
        '--work', (above && is_everything(profile) ? Number(above.style.flexGrow) : 1) * 100 + '%');
    figure.replaceChildren(funnel,
        make('div.share-bar',
            parts.map(
                ({sub, ticks, text}) => box(ticks, sub_color(sub), text || short_sub(sub), text ? -1 : sub)),
            rest > 0 && box(rest, area_color(-1), 'rest')),
        make('figcaption', `Where the ${time_text(whole)} ${is_memory() ? '' : 'of work '}fork: 100 %.`));
}

/* The name with the last part of its package alone. */
function short_sub(sub) {
    return recorded.subs.name[sub].replace(/^[^[]*::(?=[^:[]+::)/, '');
}
