/* What the profile measures: its units, and the words for it, most of which the page has (recorded.words). */

function is_memory() {
    return recorded.about.measure === 'bytes';
}

/* Whether calls were not counted: samples or, of memory, blocks stand where calls and statements do. */
function is_sampled() {
    return recorded.about.sampled_hz > 0 || is_memory();
}

/* The head of a column of calls, statements or runs of lines, as the profile counts them. title: "Calls" */
function count_title(title) {
    return is_memory() ? 'Blocks' : is_sampled() ? 'Samples' : title;
}

/* Returns the word for one of them, as it stands within a sentence: "call". */
function count_word(one = 'call') {
    return is_memory() ? 'block' : is_sampled() ? 'sample' : one;
}

/* "3 calls", "3 samples", "3 blocks" */
function counted(count, one) {
    return number_of(count, count_word(one));
}

/* Units of each measure, from the largest: {name, in_address (as addresses and filters have it), per_base
 * (how many are a second or a byte)}. The ticks of an unknown one have its name. */
const measure_units = {
    time: [
        {name: 's', in_address: 's', per_base: 1}, {name: 'ms', in_address: 'ms', per_base: 1e3},
        {name: 'µs', in_address: 'us', per_base: 1e6}
    ],
    bytes: [
        {name: 'GiB', in_address: 'GiB', per_base: 2 ** -30},
        {name: 'MiB', in_address: 'MiB', per_base: 2 ** -20},
        {name: 'KiB', in_address: 'KiB', per_base: 2 ** -10}, {name: 'B', in_address: 'B', per_base: 1}
    ]
};

function units() {
    const {measure} = recorded.about;
    return measure_units[measure] || [{name: measure, in_address: measure, per_base: 1}];
}

/* The largest unit of which an amount, in the base unit, is at least one; otherwise the smallest. */
function fitting_unit(all, amount) {
    return all.find(unit => Math.abs(amount) * unit.per_base >= 1) || all[all.length - 1];
}

/* The decimals that make three digits of a number in a unit. 9.996 is 10.0, not 10.00. */
function three_digits(size, {name}) {
    return size >= 99.95 || name === 'B' ? 0 : size >= 9.995 ? 1 : 2;
}

/* "312 MiB": an amount of memory, whatever the profile measures. */
function bytes_text(bytes) {
    const unit = fitting_unit(measure_units.bytes, bytes), size = bytes * unit.per_base;
    return size.toFixed(three_digits(size, unit)) + '\u00a0' + unit.name;
}

/* Decimals of a number in a unit, in a table whose largest number is largest, in the base unit. */
function decimals_in(unit, largest) {
    if (recorded.about.measure !== 'time')
        return unit.per_base === 1 ? 0 : largest * unit.per_base >= 100 ? 1 : 2;
    if (unit.name === 's')
        return largest < 0.1 ? 5 : largest < 1e3 ? 3 : largest < 1e5 ? 1 : 0;
    return unit.name === 'µs' || largest >= 0.1 ? 1 : 2;
}

function asleep_title(of = '') {
    return 'Asleep' + of + (recorded.about.by_names ? ' (by names)' : '');
}

const kept_hint = 'Values of perl that it left behind itself';

/* Columns of the parts of a time. */
const part_words = {
    work: {title: 'Work', hint: 'Time in which it ran'},
    asleep: {
        get title() {
            return asleep_title();
        },
        hint: 'Time in which it waited for other programs, other machines, disks and clocks'
    },
    queued: {title: 'Queued', hint: 'Time in which it could have run, and waited for a processor'}
};

/* A column of a part. */
function part_column(key, drop, value) {
    const {title, hint} = part_words[key];
    return bar_column(title, value, {key, drop, hint});
}

/* The text of a choice, which is a function if it depends on the profile. */
function shown_text(text) {
    return typeof text === 'function' ? text() : text;
}

/* The words where a part of the profile is shown, and has nothing of what was recorded. */
const words_of_a_part = {
    no_calls: 'What is shown has no calls.',
    no_lines: 'What is shown has no statements.',
    no_statements: 'What is shown has no statements.',
    not_called: 'In what is shown, nothing called it.',
    calls_nothing: 'In what is shown, it called nothing that was recorded.'
};

function wording(key) {
    const is_part = !is_memory() && !is_everything(shown_profile(state));
    return is_part && words_of_a_part[key] || recorded.words[key];
}

/* Without calls, no option would give stacks. */
function why_no_stacks(profile) {
    return wording(profile.totals.calls ? 'no_stacks' : 'no_calls');
}
