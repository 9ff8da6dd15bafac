/* Derived data. What the page shows follows from one state by functions that remember their results. Nothing
 * of a profile changes, and another choice is another object, so no result is ever stale. */

/* derive, called once for each object. */
function once_for(derive) {
    const known = new WeakMap();
    return object => {
        if (!known.has(object))
            known.set(object, derive(object));
        return known.get(object);
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
