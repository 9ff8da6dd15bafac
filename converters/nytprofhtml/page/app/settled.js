/* Whether the page shows all that it is going to show. Tests, which look at it from outside, wait for
 * that. */

let working = 0; /* how much is not done yet: data that are unpacked, what is done a little later, moving */
let shown_hash = null; /* the address of what is shown */

/* Returns what is to be called when it is done, or is not to be done any more. */
function begin_work() {
    let done = false;
    working++;
    return () => {
        working -= done ? 0 : 1;
        done = true;
    };
}

/* Calls act after that many ms. Returns a function that cancels the call. */
function later(ms, act) {
    const end = begin_work(), timer = setTimeout(() => {
        end();
        act();
    }, ms);
    return () => {
        clearTimeout(timer);
        end();
    };
}

/* Calls act(now) in each frame until act returns false. Returns a function that ends the calls. */
function each_frame(act) {
    const end = begin_work();
    let frame = 0;
    const step = now => {
        if (act(now))
            frame = requestAnimationFrame(step);
        else
            end();
    };
    frame = requestAnimationFrame(step);
    return () => {
        cancelAnimationFrame(frame);
        end();
    };
}

/* Resolves when what the address names is shown and nothing is under way. What follows from the layout of one
 * frame is drawn in the next one, so there are two without work. */
async function settled() {
    await begun;
    for (let quiet = 0; quiet < 2; quiet = working || shown_hash !== location.hash ? 0 : quiet + 1)
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
}
