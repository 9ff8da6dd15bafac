/* What stands at the axes of pictures: times of day at even distances, and durations on a logarithmic axis.
 */

/* The times that are written at an axis from one time to another, in ticks: {ticks, text}, in the unit of the
 * last time. most: how many have room. Some may lie after the end of the axis. */
function axis_times([from, to], most) {
    const {ticks_per_s} = recorded.about, span = (to - from) / ticks_per_s;
    const step = 10 ** Math.floor(Math.log10(span / 4 || 1)),
          nice = [1, 2, 5, 10, 20, 50].map(n => n * step).find(n => span / n <= most),
          first = Math.ceil(from / ticks_per_s / nice);
    const {name, per_base} = fitting_unit(measure_units.time, to / ticks_per_s);
    const decimals = Math.max(0, -Math.floor(Math.log10(nice * per_base) + 1e-9));
    return Array.from({length: Math.floor(most) + 1}, (one, i) => {
        const s = (first + i) * nice;
        return {ticks: s * ticks_per_s, text: grouped((s * per_base).toFixed(decimals)) + ' ' + name};
    });
}

/* The durations that are written at an axis from one duration to another, in ticks: {ticks, text}. Powers of
 * ten if the axis has three of them; otherwise also twice and five times each power. */
function axis_durations(from, to) {
    const {ticks_per_s} = recorded.about, first = Math.floor(Math.log10(from / ticks_per_s)),
          last = Math.ceil(Math.log10(to / ticks_per_s)), found = [];
    for (let power = first; power <= last; power++)
        for (const digit of [1, 2, 5]) {
            const ticks = digit * 10 ** power * ticks_per_s;
            if (ticks >= from && ticks <= to)
                found.push({ticks, text: round_time_text(digit, power), is_power: digit === 1});
        }
    const powers = found.filter(one => one.is_power);
    return powers.length > 2 ? powers : found;
}

/* "20 µs", of 2 and -5. */
function round_time_text(digit, power) {
    const of_unit = Math.max(-9, Math.min(0, 3 * Math.floor(power / 3))),
          unit = ['s', 'ms', 'µs', 'ns'][-of_unit / 3];
    return count_text(digit * 10 ** (power - of_unit)) + '\u00a0' + unit;
}

/* The place of a duration, from 0 to 1. */
function log_place(ticks, from, to) {
    return Math.max(0, Math.min(1, Math.log(Math.max(ticks, from) / from) / Math.log(to / from)));
}
