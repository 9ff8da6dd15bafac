/* Sorting the rows of a table. Comparing two numbers takes a call, and so most of the time of a sort by
 * comparisons. */

/* Compares rows for sort(): those with most first, of as much the lower number. of: a column, or a function.
 */
function most_first(of) {
    const value = typeof of === 'function' ? of : row => of[row];
    return (a, b) => value(b) - value(a) || a - b;
}

/* A stable order: equal rows stay as they came. */
function sort_rows(rows, by, down) {
    const value = by.sort || by.csv || by.value, values = rows.map(row => value(row)), sign = down ? -1 : 1;
    const order = values.every(one => typeof one === 'number')
        ? order_of_numbers(values, down)
        : [...rows.keys()].sort((a, b) => values[a] < values[b] ? -sign
                  : values[a] > values[b]                       ? sign
                                                                : 0);
    const sorted = new Array(rows.length);
    for (let i = 0; i < rows.length; i++)
        sorted[i] = rows[order[i]];
    return sorted;
}

/* Returns the indexes of numbers in the order of their values: a radix sort of their bits, which are in the
 * order of the numbers if those of negative ones are inverted, and the sign of others is set. */
function order_of_numbers(values, down) {
    const count = values.length, numbers = new Float64Array(count), words = new Uint32Array(numbers.buffer);
    const lower = new Uint32Array(count), upper = new Uint32Array(count), flip = down ? ~0 : 0;
    let order = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
        numbers[i] = values[i] + 0; /* -0 is 0 */
        const high = words[2 * i + 1], mask = high >>> 31 ? ~0 : 0;
        lower[i] = words[2 * i] ^ mask ^ flip;
        upper[i] = (high ^ mask | (mask ? 0 : 0x80000000)) ^ flip;
        order[i] = i;
    }
    for (const key of [lower, upper])
        for (const shift of [0, 16])
            order = sorted_by_digit(order, key, shift);
    return order;
}

/* A stable sort by 16 bits. */
function sorted_by_digit(order, key, shift) {
    const count = order.length, starts = new Uint32Array(65537), sorted = new Uint32Array(count);
    for (let i = 0; i < count; i++)
        starts[(key[i] >>> shift & 0xffff) + 1]++;
    if (count === 0 || starts[(key[0] >>> shift & 0xffff) + 1] === count)
        return order;
    for (let digit = 0; digit < 65536; digit++)
        starts[digit + 1] += starts[digit];
    for (let i = 0; i < count; i++)
        sorted[starts[key[order[i]] >>> shift & 0xffff]++] = order[i];
    return sorted;
}
