/* One search field for subs, files, lines, queries and packages. */

/* Whether a name has the letters in their order. */
function has_in_order(name, letters) {
    let at = 0;
    for (const letter of name)
        at += letter === letters[at] ? 1 : 0;
    return at === letters.length;
}

/* What has all words of a text; if nothing has them, what has its letters in their order. "Foo.pm:12" is a
 * line. */
function search_hits({subs, files, packages, labels}, text, most = 30) {
    const problems = [], lower = text.toLowerCase(), [, base, line] = /^(.+):(\d+)$/.exec(text) || [],
          patterns = text.split(/\s+/).map(word => new Pattern(word, problems));
    const rank = name => {
        const at = name.toLowerCase(), last = at.slice(at.lastIndexOf(':') + 1);
        return at === lower || last === lower ? 0 : last.startsWith(lower) || at.startsWith(lower) ? 1 : 2;
    };
    const all_hits = test => {
        const hits = [],
              add = (what, name, weight, href) =>
                  test(name) && hits.push({what, name, weight, href, rank: rank(name)});
        subs.name.forEach((name, sub) => is_eval(sub) || add('sub', name, subs.incl[sub], sub_route(sub)));
        files.name.forEach((name, file) => {
            add('file', name, files.ticks[file], file_route(file));
            if (line && name.endsWith(base))
                hits.push(
                    {what: 'line', name: name + ':' + line, href: file_route(file, Number(line)), rank: 0});
        });
        packages.name.forEach(
            name => name && add('package', name, 0, route_text('subs', [], {q: 'pkg:' + name})));
        (labels ? labels.text : [])
            .forEach((name, label) => add(label_kinds[labels.kind[label]].one, label_text(label),
                         labels.incl[label], label_route(label)));
        return hits;
    };
    const found = all_hits(name => patterns.every(pattern => pattern.test(name))),
          letters = lower.replace(/\s/g, ''),
          hits = found.length ? found : all_hits(name => has_in_order(name.toLowerCase(), letters));
    hits.sort((a, b) => a.rank - b.rank || (b.weight || 0) - (a.weight || 0) || (a.name < b.name ? -1 : 1));
    return {all: hits.length, hits: hits.slice(0, most), problems};
}

function make_search() {
    const list = make('ul', {id: 'hit-list', role: 'listbox', 'aria-label': 'Found'});
    const note = make('p.quiet', {role: 'status'}),
          box = make('div', {id: 'hits', hidden: true, tabindex: '-1'}, list, note);
    const input = make('input', {
        type: 'search',
        id: 'search',
        placeholder: 'Search subs, files, lines, queries',
        'aria-label': 'Search subs, files, lines and queries',
        role: 'combobox',
        'aria-controls': 'hit-list',
        'aria-expanded': 'false',
        autocomplete: 'off',
        spellcheck: 'false'
    });
    let chosen = -1;
    const close = () => {
        box.hidden = true;
        chosen = -1;
        input.setAttribute('aria-expanded', 'false');
        input.removeAttribute('aria-activedescendant');
    };
    const choose = number => {
        const items = [...list.querySelectorAll('[role=option]')];
        if (!items.length)
            return;
        chosen = (number + items.length) % items.length;
        items.forEach((item, i) => item.setAttribute('aria-selected', i === chosen));
        items[chosen].scrollIntoView({block: 'nearest'});
        input.setAttribute('aria-activedescendant', items[chosen].id);
    };
    const show = () => {
        const text = input.value.trim();
        if (!text) {
            close();
            return;
        }
        const {all, hits, problems} = search_hits(shown_profile(state), text);
        list.replaceChildren(
            ...hits.map((hit, i) => make('li', {role: 'none'},
                            make('a', {
                                role: 'option',
                                id: 'hit-' + i,
                                'aria-selected': 'false',
                                href: hit.href,
                                tabindex: '-1',
                                click: close
                            },
                                make('span.tag', hit.what), make('span.hit-name', name_parts(hit.name)),
                                hit.weight ? make('span.quiet', time_text(hit.weight)) : null))));
        list.hidden = !all;
        note.textContent = [
            !all                    ? 'nothing found'
                : all > hits.length ? 'and ' + count_text(all - hits.length) + ' more'
                                    : '',
            ...problems
        ].filter(Boolean).join('. ');
        box.hidden = false;
        input.setAttribute('aria-expanded', String(all > 0));
        input.removeAttribute('aria-activedescendant');
        chosen = -1;
        if (all)
            choose(0);
    };
    input.addEventListener('input', show);
    input.addEventListener('focus', show);
    input.addEventListener('keydown', event => {
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            choose(chosen + (event.key === 'ArrowDown' ? 1 : -1));
            event.preventDefault();
        } else if (event.key === 'Enter' && chosen >= 0) {
            location.hash = list.querySelectorAll('[role=option]')[chosen].getAttribute('href');
            close();
            input.blur();
        } else if (event.key === 'Escape') {
            close();
            input.blur();
            event.stopPropagation();
        }
    });
    document.addEventListener('mousedown', event => {
        if (!event.target.closest('.search'))
            close();
    });
    const search =
        make('div.search', {focusout: event => !search.contains(event.relatedTarget) && close()}, input, box);
    return search;
}
