/* Memory over time: a picture of what was live, and tables of the moment or range that is chosen. */

/* The last one is for all others. */
const layer_colors = ['area-3', 'area-7', 'area-11', 'area-5', 'area-6', 'area-4', 'area-2'];

const memory_choices = [['sub', 'by sub'], ['kind', 'by kind'], ['package', 'by package']];

/* Seconds as addresses and --memory=at= have them; all digits, since the ends of slices are powers of two. */
function seconds_address(s) {
    return Number(s.toFixed(12)) + 's';
}

/* The slice of a moment in the address; -1: none. */
function slice_of_moment({width_s, count}, text) {
    const s = seconds_in(text || '');
    return s >= 0 ? Math.max(0, Math.min(count - 1, Math.ceil(s / width_s - 1e-9) - 1)) : -1;
}

/* The columns of the tables (memory-tables.js), of the range or the moment that is chosen, or of the run. */
function memory_columns(memory, process, {range, slice, when}) {
    if (range) {
        const came = memory_that_came(memory, process, range),
              stays = memory_that_stays(memory, process, range),
              went = {...came, bytes: came.bytes.map((bytes, place) => bytes - stays.bytes[place])};
        return [
            {title: 'Stays', when, sums: stays, hint: 'What came less what went'},
            {title: 'Came', when, sums: came, hint: 'What was allocated in the range'},
            {title: 'Went', when, sums: went, hint: 'What was freed in it'}
        ];
    }
    const peak = memory_of_parts(memory, memory.peaks, process), end = memory_at_end(memory, process),
          all = memory_that_came(memory, process, {first: 0, end: memory.count});
    return [
        ...slice >= 0
            ? [{title: 'Then', when, sums: memory_at(memory, process, slice), hint: 'What was live'}]
            : [],
        {title: 'Peak', when: 'at the peak', sums: peak, hint: 'What was live when most was'},
        {title: 'End', when: 'at the end', sums: end, hint: 'What was live when the program ended'},
        {title: 'Allocated', when: 'of the whole run', sums: all, hint: 'All that was allocated'}
    ];
}

/* The groups that had most at any moment, and the others together, the largest first: {name, color, bytes (by
 * slice), groups}. */
function memory_layers(memory, process, by) {
    const over_time = memory_over_time(memory, process, by), {keys} = memory_groups(memory, by),
          most = over_time.map(bytes => Math.max(...bytes)), most_layers = layer_colors.length - 1;
    const order = [...keys.keys()].filter(group => most[group] > 0).sort(most_first(most)), layers = [];
    order.forEach((group, i) => {
        const bytes = over_time[group];
        if (i < most_layers)
            layers.push({
                name: group_name(memory, keys[group]),
                color: layer_colors[i],
                bytes: [...bytes],
                groups: [group]
            });
        else if (i === most_layers)
            layers.push({name: 'others', color: layer_colors[i], bytes: [...bytes], groups: [group]});
        else {
            layers[most_layers].groups.push(group);
            bytes.forEach((one, slice) => layers[most_layers].bytes[slice] += one);
        }
    });
    return layers;
}

/* ---- texts */

function all_bytes({bytes}) {
    return total_of(bytes);
}

/* The heading: a request that leaves values behind, or memory that grows, or what most of the peak is. */
function memory_answer(memory, process, peak) {
    const leak = document.querySelector('#findings [data-rule=growth]'), whole = all_bytes(peak);
    const live = memory_over_time(memory, process, 'sub'),
          at = slice => live.reduce((sum, bytes) => sum + bytes[slice], 0), end = at(memory.count - 1),
          grown = end - at(memory.count >> 1);
    if (leak && process < 0)
        return leak.lastElementChild.textContent.replace(/:.*/s, '');
    return grown > 0.1 * end && end > 0.8 * whole && grown > 1 << 20
        ? `Memory grew by ${bytes_text(grown)} in the last half, to ${bytes_text(end)}`
        : what_the_peak_is(memory, peak, whole);
}

function what_the_peak_is(memory, peak, whole) {
    const {keys, places} = memory_groups(memory, 'sub'),
                 size = places.map(some => sum_of_places(peak, some).bytes),
                 [first, second] = [...size.keys()].sort(most_first(size)),
                 share = group => Math.round(100 * share_of(size[group], whole)) + ' %',
                 name = group => group_name(memory, keys[group]);
    if (!(size[second] > 0))
        return `The peak is ${bytes_text(whole)}`;
    return keys[first] === compiled_code
        ? `${share(first)} of the peak is compiled code; ${name(second)} holds ${share(second)}`
        : `${name(first)} holds ${share(first)} of the peak, ${name(second)} ${share(second)}`;
}

function what_memory_was({peak_s}, columns) {
    const [peak, end, allocated] = columns.map(({sums}) => all_bytes(sums)),
                      rate = Number(setting_of('heap')), every = rate > 1 ? rate : 65536,
                      error = mib => Math.round(100 * Math.sqrt(every / (mib * 2 ** 20))) + ' %';
    return `Peak ${bytes_text(peak)} after ${seconds_text(peak_s)}; ${
               bytes_text(allocated)} were allocated, and ` +
        `${bytes_text(end)} were left at the end. Sampled every ${bytes_text(every)}: standard error ${
            error(10)} at 10 MiB, ${error(1)} at 1 MiB.`;
}

/* ---- the view */

function show_memory(stage, {profile, route}) {
    stage.append(make('h1', 'Memory'));
    return shown_later(load_live_memory(), memory => {
        const chart = fill_memory(stage, memory, profile, route.query);
        return {
            stop: chart.stop,
            key: event => chart.key(event),
            escape: () => Boolean(route.query.at) && (change_query({at: null}), true)
        };
    });
}

/* What the address chooses of it. */
function chosen_memory(memory, {process, range: of_time}, query) {
    const by = memory_choices.some(([one]) => one === query.by) ? query.by : 'sub',
          range = of_time && memory_slices(memory, of_time),
          slice = range ? -1 : slice_of_moment(memory, query.at), at_s = (slice + 1) * memory.width_s,
          when = range ? 'from ' + range_title(of_time) : 'at ' + seconds_text(at_s),
          of_run = memory_columns(memory, process, {slice: -1}),
          columns = range || slice >= 0 ? memory_columns(memory, process, {range, slice, when}) : of_run;
    return {
        memory,
        process,
        by,
        range,
        at_s: slice >= 0 ? at_s : -1,
        when,
        of_run,
        columns,
        sorted: Math.max(0, columns.findIndex(({title}) => title.toLowerCase() === query.sort)),
        groups: memory_groups(memory, by),
        layers: memory_layers(memory, process, by)
    };
}

function fill_memory(stage, memory, profile, query) {
    const chosen = chosen_memory(memory, profile.selection, query), {process, by, at_s, of_run} = chosen,
          figure = make('figure');
    stage.querySelector('h1').textContent = memory_answer(memory, process, of_run[0].sums);
    stage.append(make('p.quiet', what_memory_was(memory, of_run)),
        make('div.controls',
            select_control(
                'Layers', by, memory_choices, value => change_query({by: value === 'sub' ? null : value})),
            at_s >= 0 &&
                make('button.chip', {title: 'Show the peak again', click: () => change_query({at: null})},
                    chosen.when + ' ✕')),
        memory_legend(chosen), figure, ...memory_tables(chosen));
    return memory_chart(figure, chosen);
}

function memory_legend({layers, columns: [{sums}], groups: {places}}) {
    const bytes_of = layer =>
        layer.groups.reduce((sum, group) => sum + sum_of_places(sums, places[group]).bytes, 0);
    return make('ul.legend', [...layers].reverse().map(layer => {
        const bytes = Math.round(bytes_of(layer));
        return legend_item(
            `var(--${layer.color})`, [layer.name + ' ', bytes !== 0 && make('strong', bytes_text(bytes))]);
    }));
}

function memory_chart(
    figure, {memory, layers, range, at_s, of_run: [{sums: peak}], columns: [{sums: then}]}) {
    const mark = (s, sums, more) =>
              ({s, text: `${bytes_text(all_bytes(sums))} at ${seconds_text(s)}`, ...more}),
          at_peak = mark(memory.peak_s, peak);
    return new MemoryChart(figure, {
        memory,
        layers,
        marks: [
            {...at_peak, text: 'peak ' + at_peak.text},
            ...at_s >= 0 ? [mark(at_s, then, {is_chosen: true})] : []
        ],
        moments: memory.moments.s.map((s, row) => ({s, name: memory.names.text[memory.moments.name[row]]}))
                     .sort((a, b) => a.s - b.s),
        range,
        most: all_bytes(peak),
        label: 'Live memory over time; the tables below have its numbers',
        on_choose: slice => change_query({at: seconds_address((slice + 1) * memory.width_s), range: null})
    });
}

function memory_tables(chosen) {
    const {memory, process, by, groups, layers} = chosen, kinds = memory_groups(memory, 'kind');
    const sites = groups.keys.map((key, group) => ({
        places: groups.places[group],
        color: (layers.find(layer => layer.groups.includes(group)) || {}).color,
        name: () => group_link(memory, key),
        open: () => parts_of_group(memory, by, key, groups.places[group])
    }));
    const of_kinds =
        kinds.keys.map((key, kind) => ({places: kinds.places[kind], name: () => group_link(memory, key)}));
    return [
        make('div.columns',
            memory_table(chosen, {sub: 'Sites', kind: 'Kinds', package: 'Packages'}[by], by, sites, 14),
            make('div',
                memory_table(chosen, 'Lines', 'line', lines_of_memory(memory, all_places(memory)), 10),
                by !== 'kind' && memory_table(chosen, 'Kinds', 'kind', of_kinds, 12))),
        memory.holders.place.length ? holders_section(memory, process) : '',
        make('p.quiet.hint', 'A report of it alone, with a flame graph and the source: ',
            make('code', 'nytprofhtml --memory=peak ' + profile_words()))
    ];
}
