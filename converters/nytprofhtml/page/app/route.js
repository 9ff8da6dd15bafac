/* Views and their addresses: #/view/argument/...?key=value&... */

/* By name, in the order of the bar, which has those with a title: {title, key, show(stage, route), within}. show fills
 * the stage and returns null or what the page then calls: stop(), escape(), key(event), csv(). main.js fills it in. */
const views = {};

function parse_route(hash) {
    const text = hash.replace(/^#\/?/, ''), mark = text.indexOf('?');
    const parts = (mark < 0 ? text : text.slice(0, mark)).split('/').map(decode);
    const query = {};
    for (const pair of mark < 0 ? [] : text.slice(mark + 1).split('&')) {
        const at = pair.indexOf('=');
        if (at > 0)
            query[decode(pair.slice(0, at))] = decode(pair.slice(at + 1));
    }
    return {view: Object.hasOwn(views, parts[0]) ? parts[0] : '', arguments: parts.slice(1), query};
}

function decode(text) {
    try {
        return decodeURIComponent(text.replace(/\+/g, '%20'));
    } catch (wrong) {
        return text;
    }
}

function route_text(view, list, query) {
    const pairs = Object.entries(query || {}).filter(([, value]) => value !== null && value !== undefined &&
        value !== '');
    return '#/' + [view, ...list].map(encodeURIComponent).join('/') +
        (pairs.length ? '?' + pairs.map(([name, value]) => name + '=' + encodeURIComponent(value).replace(/%3A/g,
            ':').replace(/%2C/g, ',')).join('&') : '');
}

function go_to(view, list, query) {
    location.hash = route_text(view, list, query);
}

/* For what changes with each letter typed: no new entry in the history. quiet: the view shows it already. */
function replace_route(view, list, query, quiet) {
    history.replaceState(null, '', route_text(view, list, query));
    if (!quiet)
        show_route();
}

let shown_view = null; /* what the view returned */
let shown_subject = null; /* the view, and what it is about; null: nothing is shown yet */

/* Where it is the same view of the same, focus and scrolling stay; otherwise the heading gets the focus. */
function show_route() {
    const route = parse_route(location.hash), view = views[route.view], at_home = route.view === '';
    const overview = document.getElementById('overview'), stage = document.getElementById('stage');
    const place = at_home ? overview : stage, subject = route.view + '/' + (route.arguments[0] || '');
    const same = subject === shown_subject, focused = same ? focused_in(place) : null;
    if (shown_view && shown_view.stop)
        shown_view.stop();
    stage.replaceChildren();
    overview.hidden = !at_home;
    stage.hidden = at_home;
    document.body.dataset.view = route.view || 'overview';
    shown_view = view.show(place, route) || null;
    mark_in_bar(view.within || route.view);
    const heading = place.querySelector('h1');
    document.title = (at_home ? '' : heading.textContent + ' - ') + program_title();
    heading.tabIndex = -1;
    if (focused)
        focus_again(place, focused, heading);
    else if (!same && shown_subject !== null)
        heading.focus({preventScroll: true});
    if (!same && !(route.view === 'file' && route.arguments[1]))
        window.scrollTo(0, 0);
    shown_subject = subject;
}

function mark_in_bar(name) {
    for (const link of document.querySelectorAll('#views a')) {
        if (link.dataset.view === name)
            link.setAttribute('aria-current', 'page');
        else
            link.removeAttribute('aria-current');
    }
}

/* How to find the element with the focus again, when the view has been made anew. null: it is elsewhere. */
function focused_in(place) {
    const element = document.activeElement;
    if (!place.contains(element))
        return null;
    const selector = element.localName + (element.hasAttribute('href') ? `[href="${CSS.escape(element.getAttribute('href'))}"]` : '');
    return {selector, number: [...place.querySelectorAll(selector)].indexOf(element), caret: element.selectionStart};
}

/* Some of a view, such as source, is there a little later; what never is leaves the focus to the heading. */
function focus_again(place, {selector, number, caret}, heading, is_later) {
    const again = place.querySelectorAll(selector)[number];
    if (!again && !is_later) {
        setTimeout(() => focus_again(place, {selector, number, caret}, heading, true));
        return;
    }
    (again || heading).focus({preventScroll: true});
    if (again && typeof caret === 'number')
        again.setSelectionRange(caret, caret);
}

function program_title() {
    const heading = document.querySelector('#overview h1');
    return (heading ? heading.textContent : 'Perl profile') + ' - Perl profile';
}
