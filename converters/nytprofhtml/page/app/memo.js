/* Derived data. What the page shows follows from one state, the address, by functions that remember their
 * results. Nothing of a profile changes, and another choice is another object, so no result is ever stale. */

/* derive, called once for each object. */
function once_for(derive) {
    const known = new WeakMap();
    return object => {
        if (!known.has(object))
            known.set(object, derive(object));
        return known.get(object);
    };
}

/* derive(text, ...others), which remembers its last result: the text says all that matters. last is that
 * result. */
function latest(derive) {
    const remembered = (text, ...others) => {
        if (text !== remembered.text)
            Object.assign(remembered, {last: derive(text, ...others), text});
        return remembered.last;
    };
    return remembered;
}
