/* Begins when all of the page is there. */

async function begin() {
    /* A page that was saved has what the script made when it was: begin with none of it. */
    document.getElementById('extras').replaceChildren();
    document.getElementById('bar').replaceChildren();
    document.getElementById('stage').replaceChildren();
    if (!window.DecompressionStream) {
        document.getElementById('view').prepend(make('p', {class: 'banner'},
            'This browser is too old for more than the overview: it lacks DecompressionStream.'));
        return;
    }
    apply_scheme();
    try {
        await load_profile();
    } catch (wrong) {
        document.getElementById('view').prepend(make('p', {class: 'banner'},
            'The data of this report cannot be read (' + wrong.message + '). Was the file cut short?'));
        return;
    }
    document.getElementById('bar').append(...make_bar());
    document.getElementById('extras').append(make('div', {id: 'announcement', role: 'status'}), make_help());
    document.addEventListener('keydown', on_key);
    window.addEventListener('hashchange', () => show_route(false));
    show_route(false);
    document.documentElement.dataset.ready = '1';
    performance.mark('ready');
}

begin();
