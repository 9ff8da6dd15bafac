/* A logarithmic axis of durations. */

/* The times that stand at an axis from one duration to another, in ticks: {ticks, text}. Powers of ten if
 * there are three of them; otherwise also 2 and 5 of each. */
function axis_durations(from, to) {
    const {ticks_per_s} = profile.about, first = Math.floor(Math.log10(from / ticks_per_s)),
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
    const [unit, of_unit] = power >= 0 ? ['s', 0]
        : power >= -3                  ? ['ms', -3]
        : power >= -6                  ? ['µs', -6]
                                       : ['ns', -9];
    return count_text(digit * 10 ** (power - of_unit)) + '\u00a0' + unit;
}

/* The place of a duration, from 0 to 1. */
function log_place(ticks, from, to) {
    return Math.max(0, Math.min(1, Math.log(Math.max(ticks, from) / from) / Math.log(to / from)));
}
