/* A range of time, which begins and ends with slices: {first, end} (slices; end is the one after the last)
 * and {from, to} (ticks since the first process began). Addresses have it as --range of the programs takes
 * it: 3s..5s, 250ms..,
 * ..1m30s */

const seconds_of_unit = {
    h: 3600,
    m: 60,
    s: 1,
    ms: 1e-3,
    us: 1e-6,
    ns: 1e-9
};

function slices_between(first, end) {
    const {from, width} = recorded.slices;
    return {first, end, from: from + first * width, to: from + end * width};
}

/* The seconds of "3.2", "250ms" or "1h2m3s"; NaN: it is none of these. */
function seconds_in(text) {
    const one = '(\\d+(?:\\.\\d*)?|\\.\\d+)(ms|us|ns|[hms]|$)';
    return new RegExp('^(?:' + one + ')+$').test(text)
        ? [...text.matchAll(new RegExp(one, 'g'))].reduce(
              (sum, [, number, unit]) => sum + number * (seconds_of_unit[unit] || 1), 0)
        : NaN;
}

/* The range whose ends are nearest to those in a text. null: the report has no slices, the text is not a
 * range, or has all of the time or none. */
function range_named(text) {
    const [, from, to] = /^(.*?)\.\.(.*)$/.exec(text || '') || [];
    if (!has_slices() || from === undefined)
        return null;
    const {slices: {count, width, from: begin}, about: {ticks_per_s}} = recorded;
    const [begins, ends] = [from ? seconds_in(from) : -Infinity, to ? seconds_in(to) : Infinity].map(
        s => Math.max(0, Math.min(count, (s * ticks_per_s - begin) / width)));
    if (!(begins < ends))
        return null;
    const [first, end] = [Math.round(begins), Math.round(ends)], within = Math.floor((begins + ends) / 2);
    if (first === end)
        return slices_between(within, within + 1);
    return first === 0 && end === count ? null : slices_between(first, end);
}

/* The unit of the axis, and how many decimals the begins of two slices need to differ. */
function range_unit() {
    const {slices: {from, width, count}, about: {ticks_per_s}} = recorded, {time} = measure_units;
    const unit = time.find(({per_base}) => (from + count * width) / ticks_per_s * per_base >= 1) ||
        time[time.length - 1],
          per_tick = unit.per_base / ticks_per_s;
    return {...unit, per_tick, decimals: Math.max(0, Math.ceil(-Math.log10(width * per_tick)))};
}

/* "3.018s..5.024s", to a thousandth of a slice; an end of the range that is one of the time is left out. */
function range_address({first, end, from, to}) {
    const {in_address, per_tick, decimals} = range_unit(),
                                 text = ticks =>
                                     Number((ticks * per_tick).toFixed(Math.min(decimals + 3, 20))) +
        in_address;
    return (first > 0 ? text(from) : '') + '..' + (end < recorded.slices.count ? text(to) : '');
}

/* A time at which a slice begins: "3.02 s". */
function slice_time_text(ticks) {
    const {name, per_tick, decimals} = range_unit();
    return (Math.max(0, ticks) * per_tick).toFixed(decimals) + '\u00a0' + name;
}

/* "15.6 ms" */
function slice_width_text() {
    const width_s = recorded.slices.width / recorded.about.ticks_per_s, {time} = measure_units;
    const {name, per_base} = time.find(unit => width_s * unit.per_base >= 1) || time[time.length - 1];
    return Number((width_s * per_base).toPrecision(3)) + '\u00a0' + name;
}

/* "3.0 to 5.0 s" */
function range_title({from, to}) {
    return slice_time_text(from).replace(/\u00a0.*/, '') + ' to ' + slice_time_text(to);
}

/* The slices from the begin of a call or request to its end. null: it took less than two slices. */
function range_of(begin, ticks) {
    const {from, width, count} = recorded.slices || {width: Infinity};
    return ticks < 2 * width ? null
                             : slices_between(Math.max(0, Math.floor((begin - from) / width)),
                                   Math.min(count, Math.ceil((begin + ticks - from) / width)));
}

/* Whether a call or request overlaps the range. */
function is_in_range({from, to}, begin, ticks) {
    return begin < to && begin + ticks > from;
}
