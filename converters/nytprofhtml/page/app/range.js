/* A range of time, which begins and ends with slices: {first, end} (slices; end is the one after the last)
 * and {from, to} (ticks since the first process began). Addresses have it in seconds, as 3s..5s, and take
 * whatever --range of the programs takes (lib/events/filters.h). */

const day_s = 86400;

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

/* NaN: it is not a number. */
function number_in(text) {
    return /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : NaN;
}

/* The seconds of "3.2", "250ms" or "1h2m3s"; NaN: it is none of these. */
function seconds_in(text) {
    const one = '(\\d+(?:\\.\\d*)?|\\.\\d+)(ms|us|ns|[hms]|$)';
    return new RegExp('^(?:' + one + ')+$').test(text)
        ? [...text.matchAll(new RegExp(one, 'g'))].reduce(
              (sum, [, number, unit]) => sum + number * (seconds_of_unit[unit] || 1), 0)
        : NaN;
}

/* The seconds since midnight of "14:03" or "14:03:05.2". */
function seconds_of_day(text) {
    const parts = text.split(':'), [hours, minutes, seconds = 0] = parts.map(number_in),
          is_time = parts.length <= 3 && hours < 24 && minutes < 60 && seconds < 60 &&
        Number.isInteger(hours) && Number.isInteger(minutes);
    return is_time ? hours * 3600 + minutes * 60 + seconds : NaN;
}

/* That time of day in seconds since 1970, in the reader's time zone. */
function time_on_day(year, month, day, seconds) {
    return new Date(year, month, day, 0, 0, Math.floor(seconds)).getTime() / 1000 + seconds % 1;
}

/* That time of day on the day that puts it nearest to the begin, in seconds since then. */
function nearest_time(seconds, begin_s) {
    const begin = new Date(begin_s * 1000);
    return [-1, 0, 1]
        .map(more => time_on_day(begin.getFullYear(), begin.getMonth(), begin.getDate() + more, seconds) -
                begin_s)
        .reduce((near, one) => Math.abs(one) < Math.abs(near) ? one : near);
}

function is_time_of_day(text) {
    return /^[^%-]*:[^%-]*$/.test(text);
}

/* A point of time, in seconds since the run began: seconds, a share of its length, or a time of day, which a
 * date may precede. begin_s: since 1970; NaN: not known. Returns NaN if it is none of these. */
function moment_in(text, length_s, begin_s) {
    const [, year, month, day, time = '0:0'] =
        /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[T ](.*))?$/.exec(text) || [];
    if (text.endsWith('%')) {
        const percent = number_in(text.slice(0, -1));
        return percent <= 100 ? percent / 100 * length_s : NaN;
    }
    if (year)
        return time_on_day(year, month - 1, day, seconds_of_day(time)) - begin_s;
    return is_time_of_day(text) ? nearest_time(seconds_of_day(text), begin_s) : seconds_in(text);
}

/* The ends of a range in seconds since the run began; those that are missing are infinite. Without a clock it
 * began in 1970, and has no times of day. */
function ends_named(from, to) {
    const {slices, about} = recorded, length_s = slices.length / about.ticks_per_s,
                   begin_s = first_start_s() > day_s ? first_start_s() : NaN;
    const from_s = from ? moment_in(from, length_s, begin_s) : -Infinity,
          to_s = to ? moment_in(to, length_s, begin_s) : Infinity;
    return [from_s, is_time_of_day(to) && to_s < from_s ? to_s + day_s : to_s];
}

/* The range whose ends are nearest to those in a text. null: the report has no slices, the text is not a
 * range, or has all of the time or none. */
function range_named(text) {
    const [, from, to] = /^(.*?)\.\.(.*)$/.exec(text || '') || [];
    if (!has_slices() || from === undefined)
        return null;
    const {slices: {count, width, from: begin}, about: {ticks_per_s}} = recorded;
    const [begins, ends] =
        ends_named(from, to).map(s => Math.max(0, Math.min(count, (s * ticks_per_s - begin) / width)));
    if (!(begins < ends))
        return null;
    const [first, end] = [Math.round(begins), Math.round(ends)], within = Math.floor((begins + ends) / 2);
    if (first === end)
        return slices_between(within, within + 1);
    return first === 0 && end === count ? null : slices_between(first, end);
}

/* The unit of the axis, and how many decimals the begins of two slices need to differ. */
function range_unit() {
    const {slices: {from, width, count}, about: {ticks_per_s}} = recorded,
                                                unit = fitting_unit(
                                                    measure_units.time, (from + count * width) / ticks_per_s),
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
    const width_s = recorded.slices.width / recorded.about.ticks_per_s,
          {name, per_base} = fitting_unit(measure_units.time, width_s);
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
