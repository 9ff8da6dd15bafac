/* Derived data. What the page shows follows from one state by functions that remember their results. Nothing
 * of a profile changes, and another choice is another object, so no result is ever stale. */

/* derive, called once for each object, or for all objects that have what key_of() gives in common. */
function once_for(derive, key_of = object => object) {
    const known = new WeakMap();
    return object => {
        const key = key_of(object);
        if (!known.has(key))
            known.set(key, derive(object));
        return known.get(key);
    };
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
