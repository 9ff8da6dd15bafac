/* Elements, numbers and names, for all views. Whatever comes from a profile goes into the page as text
 * (textContent, setAttribute), never as HTML. */

/* make('td.n', {title: 'x'}, 'text', element, ...): a td of the class n, with attributes if there are any. A
 * function as attribute is a listener; false and null are left out. A button submits nothing. */
function make(what, ...parts) {
    const [tag, ...classes] = what.split('.'), element = document.createElement(tag);
    if (tag === 'button')
        element.type = 'button';
    const attributes = parts[0] && parts[0].constructor === Object ? parts.shift() : {};
    element.classList.add(...classes);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === false || value === null || value === undefined)
            continue;
        if (typeof value === 'function')
            element.addEventListener(name, value);
        else
            element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...shown_parts(parts));
    return element;
}

function shown_parts(parts) {
    return parts.flat(Infinity).filter(part => part !== null && part !== undefined && part !== false);
}

/* Puts parts, as make() takes them, in the place of what an element has. */
function fill_with(element, ...parts) {
    element.replaceChildren(...shown_parts(parts));
}

function swatch(color) {
    return make('span.swatch-box', {'aria-hidden': 'true', style: 'background: ' + color});
}

function legend_item(color, text, title) {
    return make('li', {title}, swatch(color), text);
}

/* The choices of the reader, kept where the browser allows that (not in a sandboxed frame). */
const choices = {
    unkept: new Map(),
    get(name) {
        try {
            return localStorage.getItem('nytprof-' + name);
        } catch (refused) {
            return this.unkept.get(name) || null;
        }
    },
    set(name, value) {
        try {
            localStorage.setItem('nytprof-' + name, value);
        } catch (refused) {
            this.unkept.set(name, value);
        }
    }
};

const groups_of_three = /\B(?=(\d{3})+$)/g;

function count_text(number) {
    return String(Math.round(number)).replace(groups_of_three, ',');
}

/* Whether filters left out a part of the profiles. Then begins are not those of the whole run, and a
 * statement or call that a filter divided may count at another place. */
function is_filtered() {
    return document.getElementById('filters') !== null;
}

/* A line that has time, but of which no statement ran, is one where perl compiled. In a part of the time the
 * statement may count in another part. */
function runs_of_line(profile, runs, ticks) {
    if (runs || !ticks || is_sampled() || profile.selection.range || is_filtered())
        return count_text(runs);
    return make('span.quiet', {title: 'No statement of it ran: perl compiled'}, 'compiling');
}

function grouped(text) {
    const point = text.indexOf('.');
    if (point < 0)
        return text.replace(groups_of_three, ',');
    return text.slice(0, point).replace(groups_of_three, ',') + text.slice(point);
}

/* As html_step_s() in C: times of samples are multiples of this many seconds, since they have no digits below
 * those of the period. 0: times were measured. */
function step_s() {
    const hz = recorded.about.sampled_hz;
    return hz > 0 ? 10 ** Math.floor(1e-9 - Math.log10(hz)) : 0;
}

/* A unit is what the amounts of one table have in common: {name, per_tick, step, decimals}; step is in the
 * unit. most: the largest of them, in ticks. */
function unit_for(most) {
    const {ticks_per_s} = recorded.about, largest = Math.max(Math.abs(most) / ticks_per_s, step_s());
    const chosen = choices.get('unit');
    if (chosen === '%')
        return {name: '%', per_tick: share_of_all(100), step: 0, decimals: 2};
    const all = units(), unit = all.find(one => one.in_address === chosen) || fitting_unit(all, largest);
    return {
        name: unit.name,
        per_tick: unit.per_base / ticks_per_s,
        step: unit.per_base * step_s(),
        decimals: decimals_in(unit, largest)
    };
}

/* The unit of a table with several columns of times, by the largest of each: the one that suits the column
 * with the smallest, unless numbers of others get too long. html_unit_for_columns() in C does the same. */
function unit_for_columns(largest_ticks) {
    const positive = largest_ticks.filter(ticks => ticks > 0);
    return unit_for(positive.length ? Math.max(Math.min(...positive), Math.max(...positive) / 1000) : 0);
}

function in_unit(ticks, unit, decimals = unit.decimals) {
    const value = ticks * unit.per_tick, {step} = unit;
    return grouped(step === 0 ? value.toFixed(decimals)
                              : (Math.round(value / step) * step)
                                    .toFixed(Math.min(decimals, Math.max(0, Math.round(-Math.log10(step))))));
}

/* A time or another amount that stands alone, with three digits and a unit of its own. */
function time_text(ticks) {
    if (choices.get('unit') === '%')
        return percent_text(share_of_all(ticks));
    const unit = unit_for(ticks);
    const size = Math.abs(ticks * unit.per_tick), is_small = size < 1 && unit.name !== 'µs';
    return in_unit(ticks, unit, is_small ? unit.decimals : three_digits(size, unit)) + '\u00a0' + unit.name;
}

/* The share of ticks in all time that the view shows. Lines cannot be selected as calls can, so views of
 * lines have a total of their own. */
function share_of_all(ticks) {
    const {totals} = shown_profile(state), {is_of_lines} = views[state.route.view];
    return share_of(ticks, is_of_lines ? totals.line_ticks : totals.ticks);
}

function share_of(ticks, whole) {
    return whole > 0 ? ticks / whole : 0;
}

/* What shares are shares of. */
function whole_name() {
    const profile = shown_profile(state);
    return !is_everything(profile) ? 'what is shown' : profile.is_work ? 'the work' : wording('all');
}

function share_text(ticks) {
    return percent_text(share_of_all(ticks)) + ' of ' + whole_name();
}

function percent_text(share) {
    const percent = share * 100;
    return (percent >= 9.995 ? percent.toFixed(1) : percent.toFixed(2)) + '\u00a0%';
}

/* The sum of numbers. */
function total_of(numbers) {
    return numbers.reduce((sum, one) => sum + one, 0);
}

function number_of(count, one, many = one + 's') {
    return count_text(count) + ' ' + (count === 1 ? one : many);
}

/* RFC 4180, with an apostrophe before what a spreadsheet would run as a formula, as in lib/export/csv.c. */
function csv_text(rows) {
    const is_formula = value => typeof value === 'string' && /^(?:[=@]|[-+][\w ./-]*[^\w ./-])/.test(value);
    const quoted = text => /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
    const cell = value => quoted((is_formula(value) ? '\'' : '') + value);
    return rows.map(row => row.map(cell).join(',') + '\r\n').join('');
}

function download(name, text) {
    const type = {csv: 'text/csv', svg: 'image/svg+xml'}[name.replace(/.*\./, '')] || 'text/plain';
    const link = make('a', {href: URL.createObjectURL(new Blob([text], {type})), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/* Saves a file where the browser refuses the clipboard, as in a sandboxed frame. */
async function copy_or_download(name, text) {
    const end = begin_work();
    try {
        await navigator.clipboard.writeText(text);
        announce('Copied.');
    } catch (refused) {
        download(name, text);
        announce('Saved as ' + name + '.');
    }
    end();
}

let announcement_timer = 0;

/* Shows the text for a while, also to screen readers. */
function announce(text) {
    const place = document.getElementById('announcement');
    place.textContent = text;
    place.classList.add('shown');
    clearTimeout(announcement_timer);
    announcement_timer = setTimeout(() => place.classList.remove('shown'), 2500);
}
