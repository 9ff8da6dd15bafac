/* What of the profile is shown: all processes or one, all of the time or a range, and what is left out of
 * that, of the work unless all time is asked for. It is in all addresses (process=4711, range=3s..5s,
 * out=pkg:Foo,sub:Foo::bar, all=1), and all views have the numbers of it. */

const nothing_selected = {
    query: {process: null, range: null, out: null, all: null},
    process: -1,
    range: null,
    items: [],
    out: null
};

function item_text(what, name) {
    return list_text([what + ':' + name]);
}

/* text: as it stands in the list. */
function decoded_item(text) {
    const [, what, name] = /^(?:(pkg|sub|label):)?(.*)$/s.exec(listed(text)[0]);
    return {what, name, text};
}

/* Which subs an item leaves out. */
function item_test({what, name}) {
    const {subs, packages} = recorded;
    if (what === 'sub')
        return sub => subs.name[sub] === name;
    if (what === 'label') {
        const label = label_at(name);
        return sub => label >= 0 && label_of(sub) === label;
    }
    const of = what === 'pkg' && packages.number.has(name) ? packages.number.get(name) : -1;
    return sub => subs.package[sub] === of;
}

/* By sub: the number of the item that leaves it out, from 1 on; 0: none does. Code outside of subs stays. */
function left_out_subs(items) {
    const found = new Uint8Array(recorded.subs.count), tests = items.map(item_test);
    for (let sub = 0; sub < found.length; sub++)
        if (!is_outside(sub))
            found[sub] = tests.findIndex(test => test(sub)) + 1;
    return found;
}

/* Whether all of the run is shown, perhaps without what is left out. */
function is_whole_run({selection: {process, range}}) {
    return process < 0 && !range;
}

/* Whether all of the run is shown, with nothing left out but what is not work. */
function is_everything(profile) {
    return is_whole_run(profile) && !profile.selection.items.length;
}

/* Slices say which process ran a line. */
function has_lines_of_selection(profile) {
    return is_whole_run(profile) || has_slices();
}

/* null: the profile has all that the address asks for. Otherwise a promise of that. */
function loading_selection(query) {
    const process = process_named(query.process), wanted = [];
    if (process >= 0 && !blocks.processes.has(process))
        wanted.push(load_process(process));
    if (has_slices() && !blocks.cells && (process >= 0 || range_named(query.range)))
        wanted.push(load_cells());
    return wanted.length ? Promise.all(wanted) : null;
}

/* The query of an address with an item more or less. */
function with_item(profile, text) {
    return {out: [...profile.selection.items.map(item => item.text), text].join(',')};
}

function without_item(profile, text) {
    return {
        out: profile.selection.items.map(item => item.text).filter(other => other !== text).join(',') || null
    };
}

/* The switch between work and all time, for all views; false: nothing waited. */
function waits_switch() {
    const choice = (all, text, title) => make('button',
        {title, 'aria-pressed': 'false', 'data-all': all || '', click: () => change_query({all, zoom: null})},
        text);
    return can_wait() &&
        make('div.switch', {id: 'waits', role: 'group', 'aria-label': 'Times'},
            choice(null, 'work', 'Times of work (w)'),
            choice('1', 'all', 'Times with what was asleep and queued (w)'));
}

function leave_out_link(profile, text, item) {
    return profile.selection.items.some(other => other.text === item)
        ? make('span', text + ' (done)')
        : make('button', {class: 'link', click: () => change_query(with_item(profile, item))}, text);
}

function item_name({what, name}) {
    return what === 'label' ? named_label_text(name) : name;
}

/* A time that was left out is a share of what there was. */
function left_out_text({what, name, ticks}) {
    const is_share = choices.get('unit') === '%',
          time = is_share
        ? percent_text(share_of(ticks, chosen_part(state).totals.ticks)) + ' of all there is'
        : time_text(ticks);
    return (item_name({what, name}) || '(none)') + ' left out: ' + time;
}

/* What is less exact than it seems in a view. */
function selection_notes(profile, view) {
    const {selection} = profile, notes = [], has_lines = ['', 'files', 'file', 'map', 'sub'].includes(view);
    if (is_everything(profile))
        return notes;
    if (selection.range)
        notes.push(range_note());
    if (recorded.difference && !is_whole_run(profile))
        notes.push('What changed is known of the whole run only, so nothing is compared here.');
    if (has_lines && !has_lines_of_selection(profile))
        notes.push(view === ''
                ? 'Files and lines are not shown, since the profile does not say which process ran a line.'
                : 'Files and lines are those of all processes: ' +
                    'the profile does not say which of them ran a line.');
    if (selection.items.length && !recorded.stacks.count)
        notes.push('There are no stacks, so callers keep the time of what was left out below them.');
    if (has_lines && selection.items.length)
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

function range_chip(range) {
    return make('button', {
        class: 'chip',
        title: 'Show all of the time again',
        click: () => time_strip ? time_strip.choose(null) : change_query({range: null})
    },
        range_title(range) + ' ✕');
}

/* Above each view, if there is a choice of processes, or only a part is shown. */
function show_selection(profile, view) {
    const {selection} = profile, place = document.getElementById('selection'),
          choice = process_control(profile);
    const chip = item => make('button', {
        class: 'chip',
        title: 'Show it again: ' + item_name(item),
        click: () => change_query(without_item(profile, item.text))
    },
        '✕ ' + left_out_text(item));
    for (const button of document.querySelectorAll('#waits button'))
        button.setAttribute('aria-pressed', String(button.dataset.all === (selection.query.all || '')));
    place.hidden = !choice && !selection.items.length && !selection.range;
    place.replaceChildren(...[choice, selection.range && range_chip(selection.range),
        ...selection.items.map(chip), make('p.quiet.hint', selection_notes(profile, view).join(' '))]
                              .filter(Boolean));
}
