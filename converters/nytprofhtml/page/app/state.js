/* What all of the page follows from. Tables of numbers are derived from it (select.js) and handed on to what
 * shows them; names, units and addresses are read where they are needed. */

const state = {
    route: {view: '', arguments: [], query: {}}, /* the address that is shown (route.js) */
    recorded: {},                                /* the core block with its sums, filled at the begin */
    blocks: {processes: new Map()} /* what is unpacked when a view needs it: requests, durations, cells */
};
const {recorded, blocks} = state;
