/* A menu at a place of the page: arrows, Home and End walk, Enter acts, Escape closes, and so does whatever
 * takes the focus. */

let close_menu = null; /* of the menu that is open */

/* entries: [{text, href or act, role ("menuitem" if none), checked}]. x, y: in the window. Afterwards the
 * focus returns to opener. */
function open_menu(label, entries, x, y, opener) {
    if (close_menu)
        close_menu();
    const menu =
        make('div.menu', {role: 'menu', 'aria-label': label, keydown: event => menu_key(event, menu)},
            make('p.quiet', {role: 'presentation'}, label), entries.map(menu_item));
    const outside = event => {
        if (!menu.contains(event.target))
            close_menu();
    };
    const left = event => {
        if (!menu.contains(event.relatedTarget))
            close_menu();
    };
    close_menu = back => {
        close_menu = null;
        menu.removeEventListener('focusout', left);
        menu.remove();
        document.removeEventListener('pointerdown', outside, true);
        window.removeEventListener('hashchange', close_menu);
        if (back === 'back')
            opener.focus({preventScroll: true});
    };
    document.addEventListener('pointerdown', outside, true);
    window.addEventListener('hashchange', close_menu);
    document.getElementById('extras').append(menu);
    menu.style.left =
        Math.max(4, Math.min(x, document.documentElement.clientWidth - menu.offsetWidth - 4)) + 'px';
    menu.style.top = Math.max(4, Math.min(y, window.innerHeight - menu.offsetHeight - 4)) + 'px';
    menu.querySelector('[role^=menuitem]').focus({preventScroll: true});
    menu.addEventListener('focusout', left);
}

/* Beside the pointer, within the window. */
function place_beside(element, {clientX, clientY}) {
    const {clientWidth} = document.documentElement, {offsetWidth, offsetHeight} = element, gap = 14;
    const x = clientX + gap + offsetWidth > clientWidth ? clientX - gap - offsetWidth : clientX + gap;
    const y =
        clientY + gap + offsetHeight > window.innerHeight ? clientY - gap - offsetHeight : clientY + gap;
    element.style.left = Math.max(4, x) + 'px';
    element.style.top = Math.max(4, y) + 'px';
}

function make_tip() {
    return make('div.tip', {'aria-hidden': 'true', hidden: true});
}

/* Shows lines at the pointer; none hides it. */
function show_tip(tip, lines, point) {
    tip.hidden = !lines;
    if (!lines)
        return;
    tip.replaceChildren(...lines.map(line => make('div', line)));
    place_beside(tip, point);
}

/* Entries of which one is chosen. values: [value, text]. */
function radio_entries(title, chosen, values, choose) {
    return values.map(([value, text]) => ({
        text: title + ' ' + text,
        role: 'menuitemradio',
        checked: chosen === value,
        act: () => choose(value)
    }));
}

/* A button that opens a menu below it. */
function menu_button(id, text, label, make_entries, attributes) {
    const button = make('button', {
        id,
        'aria-haspopup': 'menu',
        ...attributes,
        click: () => {
            const {left, bottom} = button.getBoundingClientRect();
            open_menu(label, make_entries(), left, bottom, button);
        }
    },
        text);
    return button;
}

function menu_item({text, href, act, role, checked}) {
    const close = () => close_menu('back');
    return href ? make('a', {role: 'menuitem', tabindex: '-1', href, click: close}, text)
                : make('button', {
                      role: role || 'menuitem',
                      'aria-checked': role && String(checked),
                      tabindex: '-1',
                      click: () => {
                          close();
                          act();
                      }
                  },
                      text);
}

function menu_key(event, menu) {
    const items = [...menu.querySelectorAll('[role^=menuitem]')], at = items.indexOf(document.activeElement);
    const to = {ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1}[event.key];
    if (to !== undefined)
        items[to % items.length].focus();
    else if (event.key === 'Escape' || event.key === 'Tab')
        close_menu('back');
    else if (event.key !== 'Enter' && event.key !== ' ')
        return;
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== ' ')
        event.preventDefault();
}
