/* The tables that a state (state.js) shows. */

const named_part = latest((process, range) => part_of_profile(process_named(process), range_named(range)));

/* The process and the range of time that the address names, or all of the profile. */
function chosen_part({route: {query}}) {
    return named_part(query.process, query.range);
}

const without_named = latest((whole, out) => {
    const items = [...new Set(out.split(','))].filter(Boolean).slice(0, 255).map(decoded_item);
    return items.length ? without_items(whole, items, out) : whole;
});

/* The chosen part, of the work unless the address asks for all time, without the subs that it leaves out. */
function shown_profile(of) {
    const part = chosen_part(of), {all, out} = of.route.query;
    return without_named(all ? with_waits(part) : work_in(part), out || '');
}
