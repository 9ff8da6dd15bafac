/* What of the profile is shown: all processes or one, all of the time or a range, and what is left out of
 * that. It is in all addresses (process=4711, range=3s..5s, out=waiting,pkg:Foo,sub:Foo::bar), and all views
 * have the numbers of it. */

let selection =
    {query: {process: null, range: null, out: null}, process: -1, range: null, items: [], out: null};

function item_text(what, name) {
    return list_text([what + ':' + name]);
}

/* text: as it stands in the list. */
function decoded_item(text) {
    const [, what, name] = /^(?:(pkg|sub|label):)?(.*)$/s.exec(listed(text)[0]);
    return {what: what || 'waiting', name, text};
}

/* Which subs an item leaves out. */
function item_test({what, name}) {
    const {subs, packages} = profile;
    if (what === 'waiting')
        return sub => subs.origin[sub] === waiting_origin;
    if (what === 'sub')
        return sub => subs.name[sub] === name;
    if (what === 'label') {
        const label = label_at(name);
        return sub => label >= 0 && label_of(sub) === label;
    }
    const of = packages.number.has(name) ? packages.number.get(name) : -1;
    return sub => subs.package[sub] === of;
}

/* By sub: the number of the item that leaves it out, from 1 on; 0: none does. Code outside of subs stays. */
function left_out_subs(items) {
    const found = new Uint8Array(profile.subs.count), tests = items.map(item_test);
    for (let sub = 0; sub < found.length; sub++)
        if (!is_outside(sub))
            found[sub] = tests.findIndex(test => test(sub)) + 1;
    return found;
}

/* Makes the profile what the address asks for. What that takes is loaded. */
function apply_selection(query) {
    const process = process_named(query.process), range = range_named(query.range), out = query.out || '';
    const address = [process, range ? range_address(range) : '', out].join(' ');
    ({selection, profile} = shown_by(address, {process, range, out, named: query.process}));
}

/* {selection, profile}: what is chosen, and the tables of that. */
const shown_by = latest((address, {process, range, out, named}) => {
    const items = [...new Set(out.split(','))].filter(Boolean).slice(0, 255).map(decoded_item);
    const part = part_chosen(process + ' ' + (range ? range_address(range) : ''), process, range);
    const left_out = items.length ? left_out_subs(items) : null;
    const chosen = {
        query: {
            process: process < 0 ? null : named,
            range: range ? range_address(range) : null,
            out: out || null
        },
        process,
        range,
        items,
        out: left_out,
        part
    };
    return {selection: chosen, profile: left_out ? without_items(part, items, left_out) : part};
});

const part_chosen = latest((address, process, range) => part_of_profile(process, range));

/* Whether all of the run is shown, perhaps without what is left out. */
function is_whole_run() {
    return selection.process < 0 && !selection.range;
}

/* Slices say which process ran a line. */
function has_lines_of_selection() {
    return is_whole_run() || has_slices();
}

/* null: the profile has all that the address asks for. Otherwise a promise of that. */
function loading_selection(query) {
    const process = process_named(query.process), wanted = [];
    if (process >= 0 && !process_stacks.has(process))
        wanted.push(load_process(process));
    if (has_slices() && !cells && (process >= 0 || range_named(query.range)))
        wanted.push(load_cells());
    return wanted.length ? Promise.all(wanted) : null;
}

/* The query of an address with an item more or less. */
function with_item(text) {
    return {out: [...selection.items.map(item => item.text), text].join(',')};
}

function without_item(text) {
    return {out: selection.items.map(item => item.text).filter(other => other !== text).join(',') || null};
}

/* To the same view, with another selection. */
function change_selection(changes) {
    const {view, arguments: list, query} = parse_route(location.hash);
    go_to(view, list, {...query, ...changes});
}

function waiting_ticks() {
    const {subs} = selection.part, item = selection.items.find(({what}) => what === 'waiting');
    return item
        ? item.ticks
        : subs.excl.reduce((sum, ticks, sub) => sum + (subs.origin[sub] === waiting_origin ? ticks : 0), 0);
}

/* null: nothing waited. */
function waiting_control() {
    const is_out = selection.items.some(({what}) => what === 'waiting');
    return is_out || waiting_ticks() > 0
        ? check_control('without waiting', is_out,
              on => change_selection(on ? with_item('waiting') : without_item('waiting')))
        : null;
}

function leave_out_link(text, item) {
    return selection.items.some(other => other.text === item)
        ? make('span', null, text + ' (done)')
        : make('button', {type: 'button', class: 'link', click: () => change_selection(with_item(item))},
              text);
}

function item_name({what, name}) {
    return what === 'label' ? named_label_text(name) : name;
}

/* A time that was left out is a share of what there was. */
function left_out_text({what, name, ticks}) {
    const time = choices.get('unit') === '%' ? percent_text(share_of(ticks, selection.part.totals.ticks))
                                             : time_text(ticks);
    return (what === 'waiting' ? time + ' waiting' : time + ' of ' + (item_name({what, name}) || '(none)')) +
        ' left out';
}

/* What is less exact than it seems in a view. */
function selection_notes(view) {
    const notes = [], has_lines = ['', 'files', 'file', 'map', 'sub'].includes(view);
    if (!selection.items.length && is_whole_run())
        return notes;
    if (selection.range)
        notes.push(range_note());
    if (recorded.difference && !is_whole_run())
        notes.push('What changed is known of the whole run only, so nothing is compared here.');
    if (has_lines && !has_lines_of_selection())
        notes.push(view === ''
                ? 'Files and lines are not shown, since the profile does not say which process ran a line.'
                : 'Files and lines are those of all processes: ' +
                    'the profile does not say which of them ran a line.');
    if (selection.items.length && !recorded.stacks.count)
        notes.push('There are no stacks, so callers keep the time of what was left out below them.');
    if (has_lines && selection.items.some(({what}) => what !== 'waiting'))
        notes.push('Lines are without the code of subs that were left out. ' +
            'Subs that those called still have all of theirs.');
    if (view === 'sub' || view === 'file')
        notes.push('Where a sub calls another from several lines, each line has its share of what is left.');
    if (selection.items.length && profile.difference &&
        ['', 'subs', 'sub', 'map', 'files', 'file'].includes(view))
        notes.push('Old and new inclusive times, and those of packages, files and lines, ' +
            'still have what was left out.');
    if (view === '')
        notes.push(selection.range ? 'What stands out, and the table of processes, are of the whole profile.'
                                   : 'What stands out is known of the whole profile only.');
    return notes;
}

function range_note() {
    return 'The time is divided into slices of ' + slice_width_text() +
        ', and a range begins and ends with one.';
}

function range_chip() {
    return make('button', {
        type: 'button',
        class: 'chip',
        title: 'Show all of the time again',
        click: () => time_strip ? time_strip.choose(null) : change_selection({range: null})
    },
        range_title(selection.range) + ' ✕');
}

/* Above each view, if there is a choice of processes, or only a part is shown. */
function show_selection(view) {
    const place = document.getElementById('selection'), choice = process_control();
    const chip = item => make('button', {
        type: 'button',
        class: 'chip',
        title: 'Show it again: ' + (item.what === 'waiting' ? 'waiting' : item_name(item)),
        click: () => change_selection(without_item(item.text))
    },
        '✕ ' + left_out_text(item));
    place.hidden = !choice && !selection.items.length && !selection.range;
    place.replaceChildren(...[choice, selection.range && range_chip(), ...selection.items.map(chip),
        make('p', {class: 'quiet hint'}, selection_notes(view).join(' '))]
                              .filter(Boolean));
}
