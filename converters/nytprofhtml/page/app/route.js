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
        show_route(true);
}

let shown_view = null; /* what the view returned */

/* keep: the same view again, so that focus and scrolling stay. */
function show_route(keep) {
    const route = parse_route(location.hash), view = views[route.view];
    const stage = document.getElementById('stage'), overview = document.getElementById('overview');
    const focused = keep && document.activeElement && document.activeElement.id, caret = focused
        ? document.activeElement.selectionStart : 0;
    if (shown_view && shown_view.stop)
        shown_view.stop();
    stage.replaceChildren();
    const at_home = route.view === '';
    overview.hidden = !at_home;
    stage.hidden = at_home;
    document.body.dataset.view = route.view || 'overview';
    shown_view = view.show(at_home ? overview : stage, route) || null;
    for (const link of document.querySelectorAll('#views a')) {
        const mine = link.dataset.view === (view.within || route.view);
        if (mine)
            link.setAttribute('aria-current', 'page');
        else
            link.removeAttribute('aria-current');
    }
    const heading = (at_home ? overview : stage).querySelector('h1');
    document.title = (at_home || !heading ? '' : heading.textContent + ' - ') + program_title();
    if (focused) {
        const again = document.getElementById(focused);
        if (again) {
            again.focus();
            if (again.setSelectionRange)
                again.setSelectionRange(caret, caret);
        }
    }
    if (!keep && !(route.view === 'file' && route.arguments[1]) && route.view + route.arguments !== show_route.last)
        window.scrollTo(0, 0);
    show_route.last = route.view + route.arguments;
}

function program_title() {
    const heading = document.querySelector('#overview h1');
    return (heading ? heading.textContent : 'Perl profile') + ' - Perl profile';
}
