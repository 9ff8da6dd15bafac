/* Sorting the rows of a table. */

/* Compares rows for sort(): those with most first, of as much the lower number. of: a column, or a function.
 */
function most_first(of) {
    const value = typeof of === 'function' ? of : row => of[row];
    return (a, b) => value(b) - value(a) || a - b;
}

/* A stable order: equal rows stay as they came. */
function sort_rows(rows, by, down) {
    const value = by.sort || by.csv || by.value, values = rows.map(row => value(row)), sign = down ? -1 : 1;
    return [...rows.keys()]
        .sort((a, b) => values[a] < values[b] ? -sign
                : values[a] > values[b]       ? sign
                                              : 0)
        .map(i => rows[i]);
}
