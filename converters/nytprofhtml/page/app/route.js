/* Views and their addresses: #/view/argument?key=value&... An argument may have slashes. */

/* By name, in the order of the bar, which has those with a title: {title, key, go (the key after g, if
 * another), of and list (the view and the arguments that its link leads to, if others than its name and
 * none), count() (how many things it is of), show(stage, route), within(route) (the name in the bar),
 * about(route), is_of_lines, is_there()}. show fills the stage and returns null or what the page then calls:
 * stop(), escape(), key(event), csv() with the name of its table. about returns {subject, line}, of a view
 * that is about different things. main.js fills it in. */
const views = {};

function parse_route(hash) {
    const text = hash.replace(/^#\/?/, ''), mark = text.indexOf('?');
    const path = mark < 0 ? text : text.slice(0, mark), [view] = path.split('/', 1);
    const query = {};
    for (const pair of mark < 0 ? [] : text.slice(mark + 1).split('&')) {
        const at = pair.indexOf('=');
        if (at > 0)
            query[decode(pair.slice(0, at))] = decode(pair.slice(at + 1));
    }
    return {
        view: Object.hasOwn(views, view) ? view : '',
        arguments: [decode(path.slice(view.length + 1))].filter(Boolean),
        query
    };
}

function decode(text) {
    try {
        return decodeURIComponent(text.replace(/\+/g, '%20'));
    } catch (wrong) {
        return text;
    }
}

/* Addresses keep what is selected, unless the query says otherwise. */
function route_text(view, list, query) {
    const pairs = Object.entries({...shown_profile(state).selection.query, ...query}).filter(([,
        value]) => value !== null && value !== undefined && value !== '');
    return '#/' + [view, ...list].map(part => escaped(part).replace(/%2F/g, '/')).join('/') +
        (pairs.length ? '?' + pairs.map(([name, value]) => name + '=' + escaped(value)).join('&') : '');
}

/* What may stand in an address as it is stays readable. */
function escaped(text) {
    return encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%40/g, '@');
}

/* Several names as one value of a query: a comma parts them. */
function list_text(names) {
    return names.map(name => name.replace(/[%,]/g, encodeURIComponent)).join(',');
}

function listed(text) {
    return (text || '').split(',').filter(Boolean).map(name => name.replace(/%(25|2C)/g, decodeURIComponent));
}

function go_to(view, list, query) {
    location.hash = route_text(view, list, query);
}

/* To the same view of the same, with other words in the query; null takes one out. */
function change_query(changes) {
    const {view, arguments: list, query} = parse_route(location.hash);
    go_to(view, list, {...query, ...changes});
}

/* For what changes with each letter typed: no new entry in the history. quiet: the view shows it already. */
function replace_route(view, list, query, quiet) {
    history.replaceState(history.state, '', route_text(view, list, query));
    if (quiet)
        shown_hash = location.hash;
    else
        show_route();
}

let shown_view = null;    /* what the view returned; ready: a promise, if some of it is there later */
let shown_subject = null; /* the view, and what it is about; null: nothing is shown yet */

/* What was left in each entry of the history, by its number: how far it was scrolled, what had the focus,
 * what was opened. */
const entries = new Map();
let here = {y: 0, focus: null, opened: new Set()}; /* that of the entry that is shown */
let next_entry = Date.now(); /* entries of an earlier life of the page have other numbers */

/* Returns whether the entry was shown before. */
function enter_entry() {
    const known = entries.get(history.state && history.state.entry);
    here = known || {y: 0, focus: null, opened: new Set()};
    if (!known) {
        entries.set(next_entry, here);
        history.replaceState({entry: next_entry++}, '');
    }
    return !!known;
}

/* An entry that was shown before has its focus, its scrolling and what was opened again, and so has another
 * state of the same view of the same; otherwise the heading gets the focus. */
function show_route() {
    const route = parse_route(location.hash), view = views[route.view], at_home = route.view === '',
          loading = loading_selection(route.query);
    if (loading) {
        loading.then(show_route, wrong => {
            shown_hash = location.hash;
            show_failure(document.getElementById('stage'), wrong);
        });
        return;
    }
    shown_hash = location.hash;
    const overview = document.getElementById('overview'), stage = document.getElementById('stage');
    const place = at_home ? overview : stage, about = view.about ? view.about(route) : {subject: ''};
    const subject = route.view + '/' + about.subject;
    const same = subject === shown_subject, first = shown_subject === null, left = here;
    Object.assign(left, {y: window.scrollY, focus: focused_in(document.getElementById('view'))});
    const known = enter_entry();
    if (same && !known)
        Object.assign(here, left, {opened: new Set(left.opened)});
    stop_view();
    stage.replaceChildren();
    overview.hidden = !at_home;
    stage.hidden = at_home;
    document.body.dataset.view = route.view || 'overview';
    route.again = known;
    const has_failed = !show_view(view, place, route);
    mark_in_bar(view.within ? view.within(route) : route.view);
    const heading = (has_failed ? stage : place).querySelector('h1');
    document.title = (at_home ? '' : heading.textContent + ' - ') + shown_title() + ' - Perl profile';
    heading.tabIndex = -1;
    shown_subject = subject;
    if (!first && (known || same || !about.line))
        window.scrollTo(0, here.y);
    const is_back = here.focus !== null && focus_again(document.getElementById('view'), here.focus);
    if (!is_back && !first && (!same || known || here.focus))
        heading.focus({preventScroll: true});
    if (!is_back && here.focus)
        focus_later(place, heading);
    if (shown_view && shown_view.ready && (known || same))
        scroll_when_ready(shown_view.ready, here);
}

/* Returns whether the place has all of the view; otherwise the stage says why not. */
function show_view(view, place, route) {
    try {
        const profile = shown_profile({...state, route});
        state.route = route;
        show_selection(profile, route.view);
        if (time_strip)
            time_strip.show(profile, route);
        shown_view = view.show(place, {profile, route}) || null;
    } catch (wrong) {
        show_failure(document.getElementById('stage'), wrong);
        return false;
    }
    const shown = shown_view;
    if (shown && shown.ready)
        shown.ready = shown.ready.catch(wrong => shown === shown_view && show_failure(place, wrong));
    return true;
}

function stop_view() {
    const view = shown_view;
    shown_view = null;
    late_focus.disconnect();
    if (view && view.stop)
        view.stop();
}

/* Nothing of half a view stays. */
function show_failure(place, wrong) {
    place.replaceChildren(make('h1', 'This view cannot be shown'),
        make('p.empty',
            'The page failed: ' + wrong.message +
                '. If the file is whole, that is a fault of nytprofhtml; its address helps to find it.'),
        make('p', make('a', {href: '#/'}, 'Overview')));
    place.hidden = false;
    console.error(wrong);
}

/* Scrolls when the view is complete, because before that the page may be too short. If the reader has
 * scrolled in the meantime, nothing happens. */
function scroll_when_ready(ready, entry) {
    const {y} = entry, began = window.scrollY;
    ready.then(() => entry === here && window.scrollY === began && window.scrollTo(0, y));
}

function tab_route(name) {
    const {of = name, list = []} = views[name];
    return route_text(of, list, {});
}

function mark_in_bar(name) {
    for (const link of document.querySelectorAll('#views a')) {
        link.href = tab_route(link.dataset.view);
        if (link.dataset.view === name) {
            link.setAttribute('aria-current', 'page');
            const strip = link.parentNode, before = link.offsetLeft - strip.offsetLeft;
            if (before < strip.scrollLeft || before + link.offsetWidth > strip.scrollLeft + strip.clientWidth)
                strip.scrollLeft = before - strip.clientWidth / 3;
        } else
            link.removeAttribute('aria-current');
    }
}

/* What a control is called, without the sign of an order. */
function name_of_control(element) {
    return element.id || element.getAttribute('aria-label') ||
        (element.closest('label') || element).textContent.replace(/ [▾▴]$/, '');
}

/* How to find the element with the focus again, when the view has been made anew: by its row, what it is, its
 * name, and its number among those of that name. null: it is elsewhere. */
function focused_in(place) {
    const element = document.activeElement, row = element.closest('[aria-rowindex]');
    if (!place.contains(element) || element === place || element.localName === 'h1')
        return null;
    const href = element.getAttribute('href');
    const selector = (row ? `[aria-rowindex="${row.getAttribute('aria-rowindex')}"] ` : '') +
        element.localName + (href === null ? '' : `[href="${CSS.escape(href)}"]`);
    const found = {selector, name: name_of_control(element), caret: element.selectionStart};
    found.number = controls_like(place, found).indexOf(element);
    return found;
}

function controls_like(place, {selector, name}) {
    return [...place.querySelectorAll(selector)].filter(
        one => one.offsetParent && name_of_control(one) === name);
}

/* Returns whether the element is there. */
function focus_again(place, wanted) {
    const found = controls_like(place, wanted), again = found[wanted.number] || found[0];
    if (!again)
        return false;
    again.focus({preventScroll: true});
    if (typeof wanted.caret === 'number')
        again.setSelectionRange(wanted.caret, wanted.caret);
    return true;
}

let late_focus = {disconnect() {}}; /* looks for what had the focus whenever something is added to the view */

/* Some of a view is there later: source, and rows that come into the window. Until then the heading has the
 * focus. */
function focus_later(place, heading) {
    const {focus} = here;
    late_focus = new MutationObserver(() => {
        if (here.focus !== focus || document.activeElement !== heading || focus_again(place, focus))
            late_focus.disconnect();
    });
    late_focus.observe(place, {childList: true, subtree: true});
}

/* What the page is about: all of the profile, or one process of it, or a range of its time. */
function shown_title() {
    const {process, range} = shown_profile(state).selection;
    return (process < 0 ? recorded.about.title : 'Process ' + process_title(process)) +
        (range ? ', ' + range_title(range) : '');
}
