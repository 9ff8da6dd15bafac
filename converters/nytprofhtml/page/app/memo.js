/* Derived data. What the page shows follows from one state by functions that remember their results. Nothing
 * of a profile changes, and another choice is another object, so no result is ever stale. */

/* derive, called once for each object, or for all objects that have what key_of() gives in common. */
function once_for(derive, key_of = object => object) {
    const known = new WeakMap();
    return object => entry_of(known, key_of(object), () => derive(object));
}

/* What a map has at a key, made when it is asked for first. */
function entry_of(map, key, make_entry) {
    if (!map.has(key))
        map.set(key, make_entry(key));
    return map.get(key);
}

/* Lists of what has the same key, by key. */
function grouped_by(list, key_of) {
    const found = new Map();
    for (const one of list)
        entry_of(found, key_of(one), () => []).push(one);
    return found;
}

/* derive, which remembers its last result, and gives it again for the same arguments. last is that result. */
function latest(derive) {
    const remembered = (...args) => {
        if (!remembered.args || args.some((one, i) => one !== remembered.args[i]))
            Object.assign(remembered, {last: derive(...args), args});
        return remembered.last;
    };
    return remembered;
}
