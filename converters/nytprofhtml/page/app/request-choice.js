/* Requests one by one, above the table of their routes: a plot, the slowest, and the one that is chosen. */

const most_slowest = 50, first_slowest = 6;

/* route: a label; the others are drawn without colours, and are not among the slowest. -1: all are. */
class Requests {
    constructor(profile, place, labels, {query, keep}) {
        this.query = query;
        this.keep = keep;
        this.stop_calls = () => {};
        this.profile = profile;
        this.list = requests_of(labels, profile.selection);
        this.route = this.route_of(query);
        const named = Number(query.request || -1),
              chosen = this.list.includes(named) ? named : this.longest_of_first();
        const frame = make('div.request-frame'), tip = make_tip();
        this.head = make('div', {'aria-live': 'polite'});
        this.calls = make('div');
        this.links = make('div');
        this.slowest = make('section', make('h2', 'Longest'), this.slowest_table());
        place.append(make('section', make('h2', 'Requests'), frame,
                         make('p.quiet.hint', requests_note(this.list.length))),
            this.slowest,
            make('section.chosen-request', {'aria-label': 'The chosen request'}, this.head, this.calls,
                this.links));
        frame.append(tip);
        this.plot = new RequestPlot(frame, {
            requests: this.list,
            is_dim: label => this.route >= 0 && label !== this.route,
            medians: has_durations(profile) ? profile.labels.median : null,
            chosen,
            on_hover: (request, point) => show_request_tip(tip, request, point),
            on_choose: request => this.choose(request)
        });
        this.show(chosen);
    }

    /* The page keeps only some requests: of a route that has time in the range, it may have none. */
    route_of(query) {
        const route = label_at(query.route);
        return this.list.some(request => blocks.requests.label[request] === route) ? route : -1;
    }

    /* The address says which one it is, without a step of its own for Back. */
    choose(request) {
        this.query.request = String(request);
        this.keep();
        this.show(request);
        this.plot.chosen = request;
        this.plot.draw();
    }

    show(request) {
        const of = blocks.requests.label[request],
              next = (text, step, key) => make('button', {
                  title: text.replace(/[‹› ]/g, '') + ' one of the route (' + key + ')',
                  disabled: this.beside(step) < 0,
                  click: () => this.choose(this.beside(step))
              },
                  text);
        this.chosen = request;
        this.answer = make('h3');
        this.head.replaceChildren(
            make('h2', route_glyph(of), make('a', {href: label_route(of)}, label_text(of)), ' ',
                next('‹ shorter', 1, ','), ' ', next('longer ›', -1, '.')),
            this.answer, ...request_facts(this.profile, request));
        this.links.replaceChildren(request_links(this.profile, request));
        this.show_calls(request);
        for (const row of this.slowest.querySelectorAll('tr[data-request]'))
            row.classList.toggle('here', Number(row.dataset.request) === request);
    }

    /* The request of the same route that is as many steps shorter, of those of which more than their length
     * is known; -1: there is none. */
    beside(steps) {
        const {label, ticks} = blocks.requests,
                      of = this.list
                               .filter(one => one === this.chosen ||
                                       label[one] === label[this.chosen] && has_calls_of_request(one))
                               .sort(most_first(ticks));
        return of[of.indexOf(this.chosen) + steps] ?? -1;
    }

    key({key}) {
        const to = key === ',' ? this.beside(1) : key === '.' ? this.beside(-1) : -1;
        if (to >= 0)
            this.choose(to);
        return to >= 0;
    }

    /* Shows the calls of the chosen request as soon as they are unpacked. */
    async show_calls(request) {
        const place = make('div.calls-of-request');
        this.stop_calls();
        this.stop_calls = () => {};
        this.calls.replaceWith(place);
        this.calls = place;
        if (!has_calls_of_request(request)) {
            place.append(make('p.quiet.hint', 'Only of the slowest is kept what they called.'));
            return;
        }
        const [stacks] =
            await Promise.all([load_calls_of_request(request), blocks.durations || load_durations()]);
        if (!place.isConnected)
            return;
        this.answer.textContent = answer_of_request(stacks, labels_of_request(stacks));
        this.stop_calls = show_calls_of_request(place, stacks);
    }

    slowest_ones() {
        const {label, ticks} = blocks.requests;
        return this.list.filter(request => this.route < 0 || label[request] === this.route)
            .sort(most_first(ticks))
            .slice(0, most_slowest);
    }

    /* Of the route with most work, unless another is chosen. */
    longest_of_first() {
        const list = this.slowest_ones(), rank = request => rank_of_route(blocks.requests.label[request]);
        return list.reduce((first, request) => rank(request) < rank(first) ? request : first, list[0]);
    }

    slowest_table() {
        const {label, ticks, begin, process} = blocks.requests, list = this.slowest_ones(),
                                    {pid} = recorded.processes;
        const name = request => [route_glyph(label[request]),
            make('button.link', {click: () => this.choose(request)}, label_text(label[request]))];
        const queries = request => {
            const cell = make('span');
            queries_of_request(request).then(text => cell.textContent = text);
            return cell;
        };
        const columns = [
            time_column('Time', request => ticks[request]),
            time_column('Work', request => parts_of_request(request)[0].ticks),
            number_column('Begin', request => time_text(begin[request])),
            pid.length > 1 && number_column('Process', request => pid[process[request]] || '', {of: 'wide'}),
            recorded.labels.kind.includes(sql_kind) && number_column('Queries', queries, {of: 'wide'}),
            name_column('Request', name)
        ];
        return short_table('Longest', columns, list,
            {most: first_slowest, attributes: request => ({'data-request': request})});
    }

    stop() {
        this.plot.stop();
        this.stop_calls();
    }
}

function show_request_tip(tip, request, point) {
    const {label, ticks, begin} = blocks.requests;
    const lines = request >= 0 && point && [
        label_text(label[request]),
        time_text(ticks[request]) + ' = ' + parts_of_request(request).map(part_text).join(' + '),
        'began at ' + time_text(begin[request])
    ];
    show_tip(tip, lines, point);
}

/* The address of the overview of its process while it was there. null: that is not known well enough. */
function overview_of_request(request) {
    const {begin, ticks, process} = blocks.requests, range = range_of(begin[request], ticks[request]),
                         is_only = recorded.processes.pid.length === 1, of = process[request];
    return range && (is_only || has_stacks(of))
        ? route_text('', [], {range: range_address(range), process: is_only ? null : process_name(of)})
        : null;
}

/* What the latency of a request is made of. */
function parts_of_request(request) {
    const {ticks, asleep, queued, others, rest} = blocks.requests;
    return [
        {
            ...part_words.work,
            key: 'work',
            ticks: ticks[request] - asleep[request] - queued[request] - rest[request]
        },
        {key: 'queued', title: 'Queued', ticks: queued[request]},
        {key: 'asleep', title: asleep_title(), ticks: asleep[request]},
        {key: 'others', title: 'Turns of others', ticks: others[request]}, {
            key: 'profiler',
            title: is_filtered() ? 'Not counted' : 'Profiler',
            ticks: rest[request] - others[request]
        }
    ].filter(({key, ticks: part}) => part > 0 || key === 'work');
}

function request_facts({labels}, request) {
    const {begin, ticks, label, process, all} = blocks.requests, parts = parts_of_request(request),
                                         at = process[request], {pid} = recorded.processes;
    return [
        time_bar('div.share-bar', parts, ticks[request]),
        make('dl.facts', fact('Latency', time_text(ticks[request])),
            parts.map(part => fact(part.title, time_text(part.ticks))),
            fact('Begin', time_text(begin[request])),
            at < pid.length &&
                fact('Process',
                    has_stacks(at)
                        ? make('a', {href: route_text('labels', ['span'], {process: process_name(at)})},
                              process_title(at, recorded.processes))
                        : process_title(at, recorded.processes)),
            pid.length > 1 && label.length === all &&
                fact('Meanwhile', number_of(requests_beside(request), 'request'), 'in other processes'),
            has_durations({labels}) && fact('p50 of all', time_text(labels.median[label[request]])))
    ];
}

/* How many requests other processes had while this one went on. */
function requests_beside(request) {
    const {begin, ticks, process} = blocks.requests,
                         range = {from: begin[request], to: begin[request] + ticks[request]};
    return [...begin.keys()]
        .filter(one => process[one] !== process[request] && is_in_range(range, begin[one], ticks[one]))
        .length;
}

function request_links(profile, request) {
    const {begin, ticks} = blocks.requests, end = begin[request] + ticks[request],
                  overview = overview_of_request(request), room = ticks[request] * 0.05,
                  zoom = Math.max(0, Math.floor(begin[request] - room)) + '-' + Math.ceil(end + room);
    return make('p',
        profile.calls.sub.length > 0 &&
            [make('a', {href: route_text('time', [], {zoom})}, 'What ran meanwhile, in the time line'), '. '],
        overview && [make('a', {href: overview}, 'Subs and lines of its process in that time'), '. '],
        !is_filtered() && make('code', command_of_request(request)));
}

/* How many requests there are dots for. */
function requests_note(shown) {
    const {all, slowest, label} = blocks.requests, whole = number_of(all, 'request');
    const kept = shown < all ? count_text(shown) + ' of ' + whole : whole;
    return (label.length === all ? kept
                   : slowest ? kept + ', the slowest ' + slowest + ' of each and a fair sample of the others'
                             : 'A fair sample: ' + kept) +
        '. A click on one says more of it; in the plot, arrows walk through them.';
}

/* Fills a place above the table. Returns {stop, ready}. labels are those of the table; keep() puts the query
 * into the address. */
function show_requests(profile, place, labels, options) {
    const shown = {stop: () => {}, ready: null};
    const fill = () => {
        if (!place.isConnected || !requests_of(labels, profile.selection).length)
            return;
        const requests = new Requests(profile, place, labels, options);
        Object.assign(shown, {stop: () => requests.stop(), key: event => requests.key(event)});
    };
    if (blocks.requests)
        fill();
    else if (has_requests())
        shown.ready = load_requests().then(fill);
    return shown;
}
