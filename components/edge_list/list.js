// The list of edges: its rows, the selected one, and its scroll position.

import { make } from "../desk/dom.js";
import { isTextField } from "../desk/keys.js";
import { createRow, drawRow, waitingRows } from "./row.js";

const NEW_SHINES_MS = 1800;
const MANY_ROWS = 300; // from here on, hidden rows are not laid out
const FRAMES_TO_LAY_OUT = 4;

function createGrid() {
  const head = make(
    "div",
    { class: "row head", role: "row" },
    ...["Source", "Sign", "Sink", "Marks"].map((text) => make("span", { role: "columnheader", text })),
  );
  const body = make("div", { role: "rowgroup" });
  const waitingBody = make("div", { role: "rowgroup" });
  const empty = make("p", { class: "empty", text: "No edges yet. Type one above: source -> sink." });
  const grid = make(
    "div",
    { class: "grid", role: "grid", "aria-label": "Edges", "aria-colcount": "4" },
    make("div", { role: "rowgroup", class: "heads" }, head),
    body,
    waitingBody,
  );
  const list = make("div", { class: "list" }, grid, empty);

  function hold(edges, lines) {
    list.classList.toggle("many", edges > MANY_ROWS);
    empty.hidden = edges + lines > 0;
    grid.hidden = !empty.hidden;
  }

  return { head, body, waitingBody, list, hold };
}

function shine(node) {
  node.classList.add("new");
  setTimeout(() => node.classList.remove("new"), NEW_SHINES_MS);
}

/** Typed lines whose edges are not known yet. */
const linesOf = (c) => c.pending().filter(({ kind }) => kind === "lines");

/** Focus and scrolling in the list. */
function createMoves(c, { list, head }, shownRows, nodeOf) {
  let rowToReveal = null; // the last row to reveal; earlier requests no longer matter

  // Not scrollIntoView: it would move the page and push the entry line off the screen.
  function scrollTo(node) {
    const headHeight = head.offsetHeight;
    const rowTop = node.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientTop;
    if (rowTop < headHeight) list.scrollTop += rowTop - headHeight;
    else if (rowTop + node.offsetHeight > list.clientHeight)
      list.scrollTop += rowTop + node.offsetHeight - list.clientHeight;
  }

  /** Keep a row visible: new rows get their height some frames later and may push it out again. */
  function keepVisible(node, frames) {
    if (node !== rowToReveal || !node.isConnected) return;
    scrollTo(node);
    if (frames > 0) requestAnimationFrame(() => keepVisible(node, frames - 1));
  }

  function reveal(node) {
    rowToReveal = node;
    keepVisible(node, list.classList.contains("many") ? FRAMES_TO_LAY_OUT : 0);
  }

  function focusOn(row) {
    row.focus({ preventScroll: true });
    reveal(row);
  }

  function focusRow(id) {
    const target = nodeOf(id);
    const row = target !== null && !target.hidden ? target : shownRows()[0];
    if (row !== undefined) focusOn(row);
  }

  /** Go to the row `target` places further, or to the "first" or "last". */
  function step(target) {
    const shown = shownRows();
    if (shown.length === 0) return;
    const at = shown.indexOf(nodeOf(c.selection.id()));
    const to = target === "first" ? 0 : target === "last" ? shown.length - 1 : at + target;
    focusOn(shown[Math.max(0, Math.min(shown.length - 1, to))]);
  }

  return { reveal, focusRow, step };
}

/** Scrolling to the newest row, in the frame in which it appears. */
function createFollowing({ list, waitingBody }, reveal) {
  /** @type {HTMLElement | null} */
  let newest = null;
  return {
    begin: (node) => (newest = node ?? newest),
    /** Scroll to it, or to the end while lines wait; false if nothing is new. */
    follow() {
      const node = newest;
      newest = null;
      if (node === waitingBody) list.scrollTop = list.scrollHeight;
      else if (node?.isConnected) reveal(node);
      return node !== null;
    },
  };
}

/** Marking and reveal of the selected edge's row. `rows`: those of the list by edge id. */
function createSelected(c, { body, waitingBody }, rows, lastId, reveal) {
  /** @type {string | null} */
  let revealed = null; // the edge that was revealed last
  /** @type {HTMLElement | null} */
  let selected = null; // the row that is marked
  /** @type {HTMLElement | undefined} */
  let entry; // the row that Tab reaches
  const nodeNow = () => rows.get(c.selection.id())?.node ?? null;

  /** Change the marked rows alone: a browser would paint every row that is written to.
   * @param {HTMLElement | null} chosen */
  function markRows(chosen) {
    if (chosen !== selected) {
      selected?.setAttribute("aria-selected", "false");
      chosen?.setAttribute("aria-selected", "true");
      selected = chosen;
    }
    if (entry) entry.tabIndex = -1;
    entry = chosen ?? rows.get(lastId())?.node; // Tab reaches the list while no edge is selected
    if (entry) entry.tabIndex = 0;
  }

  function mark() {
    const chosen = nodeNow();
    markRows(chosen);
    const focused = c.focused();
    const isElsewhere = body.contains(focused) && !isTextField(focused) && !chosen?.contains(focused);
    if (chosen !== null && isElsewhere) chosen.focus({ preventScroll: true }); // keys act on the selected edge
    c.tools.draw();
  }

  function revealNow() {
    const node = nodeNow();
    revealed = node && c.selection.id();
    if (node !== null) reveal(node);
  }

  return {
    mark,
    reveal: revealNow,
    select(id) {
      c.ui.adding = null;
      c.selection.select(id);
      mark();
      revealNow();
    },
    /** Reveal after a drawing: the selected row, else a new one. */
    followed(newest) {
      const node = nodeNow();
      const isDue = newest !== null || c.selection.id() !== revealed;
      revealed = node && c.selection.id();
      if (node !== null) return isDue ? node : null;
      return c.ui.isFirst ? waitingBody : newest;
    },
  };
}

export function createList(c) {
  const parts = createGrid();
  const { body, waitingBody, list, hold } = parts;
  const rows = new Map();
  const { ui } = c;
  const shownRows = () => /** @type {HTMLElement[]} */ ([...body.children]).filter((row) => !row.hidden);
  const nodeOf = (id) => rows.get(id)?.node ?? null;
  const { reveal, focusRow, step } = createMoves(c, parts, shownRows, nodeOf);
  const following = createFollowing(parts, reveal);
  const lastId = () => [...c.graph.view().edges.keys()].at(-1);
  const selected = createSelected(c, parts, rows, lastId, reveal);

  // -- its rows
  function addRow(id) {
    const row = createRow({
      select: () => selected.select(id),
      cycleSign: () => c.commands.cycleSign(id),
      edit: (end) => c.editing.ends(id, end),
    });
    rows.set(id, row);
    if (ui.adding !== null) ui.adding.newest = id;
    if (!ui.isFirst) shine(row.node);
    return row;
  }

  /** Remove the row of a deleted edge; pass on the focus and unfinished text. */
  function leave(id, row) {
    const next = row.node.nextElementSibling ?? row.node.previousElementSibling;
    const hadFocus = row.node.contains(c.focused());
    c.editing.giveUp(id);
    row.node.remove();
    rows.delete(id);
    if (hadFocus) (next ?? c.line).focus({ preventScroll: true }); // keys still act on the list
  }

  /** Draw the rows; return the newest added one, null if none was. */
  function drawRows() {
    const { edges } = c.graph.view();
    for (const [id, row] of rows) if (!edges.has(id)) leave(id, row);
    let newest = null;
    [...edges.values()].forEach((edge, place) => {
      let row = rows.get(edge.id);
      if (row === undefined) {
        row = addRow(edge.id);
        newest = row.node;
      }
      drawRow(row, edge, c.isEditable());
      if (body.children[place] !== row.node) body.insertBefore(row.node, body.children[place] ?? null);
    });
    return newest;
  }

  /** Once no typed line waits, select their newest edge; without any, restore the previous selection. */
  function settleAdding() {
    if (ui.adding === null || linesOf(c).length > 0) return;
    if (c.selection.id() === null) c.selection.select(ui.adding.newest ?? ui.adding.before);
    ui.adding = null;
  }

  return {
    element: list,
    focusRow: () => focusRow(rows.has(c.selection.id()) ? c.selection.id() : lastId()),
    /** Return to an edge whose editor was closed, unless another was selected on the figure meanwhile. */
    returnTo(id) {
      selected.select(id);
      c.filter.draw();
      focusRow(id);
    },
    select: selected.select,
    step,
    shownRows,
    nodeOf,
    rowOf: (id) => rows.get(id),
    /** An edge whose row is not drawn yet is filtered with its first drawing. */
    show: (id, isShown) => rows.get(id)?.node.toggleAttribute("hidden", !isShown),
    /** Current height of the list, in CSS pixels. */
    room: () => list.clientHeight,
    revealSelected: selected.reveal,
    /** Draw a selection that changed on the figure. */
    drawSelection() {
      c.filter.draw();
      selected.mark();
      selected.reveal();
    },
    draw() {
      const newest = drawRows();
      const before = waitingBody.children.length;
      const lines = linesOf(c);
      waitingBody.replaceChildren(...lines.flatMap((one) => waitingRows(one, c.data.halted)));
      hold(c.graph.view().edges.size, lines.length);
      settleAdding();
      c.filter.draw();
      selected.mark();
      const shown = selected.followed(newest);
      following.begin(waitingBody.children.length > before ? waitingBody : shown);
    },
    follow: following.follow,
  };
}
