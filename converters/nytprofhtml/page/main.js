/* Lists the views, and begins when all of the page is there. */

Object.assign(views, {
    '': {title: 'Overview', key: 'o', show: show_overview},
    labels: {
        title: 'Requests',
        key: 'r',
        list: ['span'],
        count: () =>
            labels_of_kind(recorded, span_kind).reduce((sum, label) => sum + recorded.labels.calls[label], 0),
        show: show_labels,
        within: tab_of_labels,
        about: route => ({subject: route.arguments[0]})
    },
    queries: {
        get title() {
            return label_kinds[other_kind()].title;
        },
        key: 'q',
        of: 'labels',
        get list() {
            return [label_kinds[other_kind()].address];
        },
        count: () => labels_of_kind(recorded, other_kind()).length,
        show: show_labels
    },
    label: {show: show_label, within: tab_of_labels, about: route => ({subject: route.arguments[0]})},
    flame: {title: 'Flame graph', key: 'f', show: show_flame},
    time: {title: 'Time line', key: 'l', go: 't', show: show_time, is_there: () => !is_memory()},
    memory: {
        title: 'Memory',
        key: 'y',
        go: 'm',
        show: (stage, context) => has_live_memory()
            ? show_memory(stage, context)
            : nothing_to_show(stage, 'Memory', 'No samples of memory are in this profile: ',
                  make('code', 'NYTPROF=heap=1'), ' records them.'),
        is_there: has_live_memory
    },
    kinds: {
        title: 'Kinds',
        key: 'k',
        show: show_kinds,
        is_there: is_memory,
        about: route => ({subject: route.arguments[0]})
    },
    subs: {title: 'Subs', key: 's', show: show_subs},
    sub: {show: show_sub, within: () => 'subs', about: route => ({subject: sub_at(route.arguments[0])})},
    files: {title: 'Files', key: 'i', show: show_files, is_of_lines: true},
    file: {
        show: show_file,
        within: () => 'files',
        is_of_lines: true,
        about: route => {
            const {file, line} = place_at(route.arguments[0]);
            return {subject: file, line};
        }
    },
    map: {show: show_map, within: () => 'files', is_of_lines: true},
    modules: {title: 'Start-up', key: 'm', go: 'u', show: show_modules}
});

async function begin_page() {
    /* A page that was saved has what the script made when it was: begin with none of it. */
    for (const id of ['extras', 'bar', 'stage', 'selection', 'time-strip'])
        document.getElementById(id).replaceChildren();
    if (!window.DecompressionStream) {
        document.getElementById('view').prepend(make(
            'p.banner', 'This browser is too old for more than the overview: it lacks DecompressionStream.'));
        return;
    }
    apply_scheme();
    try {
        await load_profile();
    } catch (wrong) {
        document.getElementById('view').prepend(make('p.banner',
            'The data of this report cannot be read (' + wrong.message + '). Was the file cut short?'));
        return;
    }
    add_strip(document.getElementById('time-strip'));
    document.getElementById('bar').append(...make_bar());
    document.getElementById('extras').append(make('div', {id: 'announcement', role: 'status'}), make_help());
    document.addEventListener('keydown', on_key);
    watch_tab();
    window.addEventListener('hashchange', show_route);
    history.scrollRestoration = 'manual';
    watch_text_size();
    watch_bar(document.getElementById('bar'));
    show_route();
    document.documentElement.dataset.ready = '1';
    performance.mark('ready');
}

/* A function of a profile, called with the one that is shown. */
const of_shown = derive => (...args) => derive(shown_profile(state), ...args);

/* The only global name: what tests and the browser's console may look at. */
window.report = {
    arcs_by: of_shown(arcs_by),
    build_tree: of_shown(build_tree),
    columns_of,
    durations_of,
    file_route,
    fitted_name,
    hidden,
    lay_out,
    load_durations,
    load_requests,
    load_tree: of_shown(load_tree),
    name_parts,
    place_at,
    quantile_of,
    settled,
    statements_of: of_shown(statements_of),
    sub_label,
    sub_route,
    get layout() {
        return layouts_of(shown_profile(state)).last;
    },
    get requests() {
        return blocks.requests;
    },
    get profile() {
        return shown_profile(state);
    },
    get view() {
        return shown_view;
    }
};

const begun = begin_page();
