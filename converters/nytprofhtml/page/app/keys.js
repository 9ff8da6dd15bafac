/* The keyboard, and the list of keys. */

function other_keys() {
    return [
        ['/', 'search everything'], ['?', 'this list'], ['Esc', 'zoom out, close'],
        ['arrows, Enter', 'in the flame graph or the map of files: walk, zoom'],
        ['Shift+F10', 'what can be done with the chosen box of the flame graph'],
        ...time_strip ? [['[, ]', 'begin and end of a range of time; arrows move it, Esc ends it']] : [],
        [',', 'a shorter request'], ['.', 'a longer one'],
        ['n, p', 'next and previous ' + wording('hot_line') + ' of a source'],
        ...is_memory() ? [] : [
            ['+, -, ←, →', 'zoom and move the time line'],
            ['↑, ↓, Enter', 'in the time line: walk through its calls, open the sub']
        ],
        ...can_wait() ? [['w', 'work alone, or all time']] : [],
        ['u', 'next unit: automatic, ' + units().map(one => one.name + ', ').join('') + '%'],
        ['d', 'dark, light or as the system']
    ];
}

/* The views in the bar. A view may need data that not every profile has. */
function shown_views() {
    return Object.entries(views).filter(([, view]) => view.title && (!view.is_there || view.is_there()));
}

function make_help() {
    const row = ([key, text]) => make('tr', make('th', {scope: 'row'}, make('kbd', key)), make('td', text));
    const rows =
        [...shown_views().map(([, {key, go = key, title}]) => [`${key}, g ${go}`, title]), ...other_keys()];
    return make('dialog', {id: 'help', 'aria-label': 'Keys'}, make('h2', 'Keys'),
        make('table', make('tbody', rows.map(row))),
        make('p',
            check_control('Keys of one character are commands', has_character_keys(),
                on => choices.set('keys', on ? '' : 'off'))),
        make('form', {method: 'dialog'},
            make('button', {class: 'close', click: () => document.getElementById('help').close()}, 'Close')));
}

/* Readers who speak to the computer, or hit keys by mistake, can turn keys of one character off. */
function has_character_keys() {
    return choices.get('keys') !== 'off';
}

function show_help() {
    const help = document.getElementById('help');
    help.showModal();
    help.querySelector('.close').focus();
}

/* Whether a key is a command of the browser, such as Alt and the left arrow, which goes back. */
function is_browsers_key({ctrlKey, metaKey, altKey}) {
    return ctrlKey || metaKey || altKey;
}

function on_key(event) {
    const typing = event.target.closest('input, select, textarea, dialog[open]');
    if (is_browsers_key(event) || event.defaultPrevented)
        return;
    if (event.key === 'Escape' && typing && event.target.closest('input')) {
        event.target.blur();
        return;
    }
    if (typing || event.key.length === 1 && !has_character_keys())
        return;
    if (act_on_key(event))
        event.preventDefault();
}

let is_after_g = false; /* the last key was g: a letter leads to a view then, whatever else it does */

function act_on_key(event) {
    const after_g = is_after_g,
          view = shown_views().find(([, {key, go = key}]) => (after_g ? go : key) === event.key);
    is_after_g = event.key === 'g';
    if (!after_g && shown_view && shown_view.key && shown_view.key(event))
        return true;
    if (view) {
        location.hash = tab_route(view[0]);
        return true;
    }
    switch (event.key) {
    case '/':
        document.getElementById('search').focus();
        document.getElementById('search').select();
        return true;
    case '?': show_help(); return true;
    case '[':
    case ']': return time_strip !== null && time_strip.take_edge(event.key === '[' ? 'first' : 'end');
    case 'Escape':
        return !!(shown_view && shown_view.escape && shown_view.escape()) ||
            time_strip !== null && time_strip.leave();
    case 'w':
        document.querySelectorAll('#waits [aria-pressed=false]').forEach(one => one.click());
        return true;
    case 'u': next_choice('unit'); return true;
    case 'd': next_choice('scheme'); return true;
    default: return false;
    }
}

/* The values of a choice, as [value, text]. One that the reader made in a report of another measure may not
 * be among them. */
function choice_values(name) {
    return name === 'scheme'
        ? [['', 'as system'], ['light', 'light'], ['dark', 'dark']]
        : [['', 'auto'], ...units().map(one => [one.in_address, one.name]), ['%', '% of ' + whole_name()]];
}

function next_choice(name) {
    const values = choice_values(name).map(([value]) => value), now = choices.get(name) || '';
    set_choice(name, values[(values.indexOf(now) + 1) % values.length]);
}

function set_choice(name, value) {
    choices.set(name, value);
    apply_scheme();
    if (name !== 'unit') {
        window.dispatchEvent(new Event('scheme'));
        return;
    }
    const control = document.activeElement, is_in_bar = document.getElementById('bar').contains(control);
    show_route();
    if (is_in_bar)
        control.focus({preventScroll: true});
}

/* The dark colours are in the one rule of the style sheet that asks for them: now always, never, or as the
 * system has it. */
const dark_condition = '(prefers-color-scheme: dark)';
let dark_rule, dark_system, chosen_scheme = ''; /* dark, light or empty */

function apply_scheme() {
    chosen_scheme = choices.get('scheme') || '';
    dark_system = dark_system || matchMedia(dark_condition);
    dark_rule = dark_rule ||
        [...document.styleSheets[0].cssRules].find(rule => rule.conditionText === dark_condition);
    dark_rule.media.mediaText = {dark: 'all', light: 'not all'}[chosen_scheme] || dark_condition;
}

function make_bar() {
    const link = ([view, {title, key, count = () => 1}]) => make('a', {
        href: tab_route(view),
        'data-view': view,
        title: title + ' (' + key + ')',
        class: count() ? null : 'quiet'
    },
        title, count() > 1 && make('small', ' ' + count_text(count())));
    return [
        make('a.skip', {
            href: '#stage',
            click: event => {
                event.preventDefault();
                document.getElementById('view').focus();
            }
        },
            'Skip to the report'),
        make('strong.program', recorded.about.title),
        make('nav', {id: 'views', 'aria-label': 'Views'}, shown_views().map(link)), make_search(),
        waits_switch() || '', bar_menu_button()
    ];
}

function bar_menu_button() {
    const choose = (name, title) =>
        radio_entries(title, choices.get(name) || '', choice_values(name), value => set_choice(name, value));
    return menu_button('bar-menu', '⋯', 'Settings', () => {
        const command = command_of(state.route), table = shown_view;
        return [
            ...choose('unit', 'Unit'), ...choose('scheme', 'Colours'), {text: 'Keys', act: show_help},
            ...table && table.csv
                ? [{text: 'Copy as CSV', act: () => copy_or_download(table.name + '.csv', table.csv())}]
                : [],
            {text: 'Print', act: () => print()},
            {text: 'Copy: ' + command, act: () => copy_or_download('command.txt', command)}
        ];
    }, {title: 'Unit, colours, keys, and the command of this view', 'aria-label': 'Settings'});
}
