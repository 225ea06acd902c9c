// The list of edges: its rows, the chosen one, and where it is scrolled to.

import { make } from "../desk/dom.js";
import { createRow, drawRow, waitingRows } from "./row.js";

const NEW_SHINES_MS = 1800;
const MANY_ROWS = 300; // from here on, rows out of sight are not laid out
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

/** The chosen edge, shared with the figure beside the list: one selection, two bars. What the list chooses of itself, since
 * nobody chose yet, is not told: it must not arm the figure's keys. `isListed(id)`: whether an edge has a row; `show()`
 * shows the one that was chosen on the figure. */
function createShared(c, isListed, show) {
  const { ui } = c;
  let shared = null;
  let heard = null; // an edge chosen on the figure whose row is on its way
  let isHearing = false; // the figure had the last word: nothing is chosen in its place

  function hear({ detail: { id, by, subject } }) {
    if (by === "list" || subject !== c.data.subject) return;
    heard = isListed(id) ? null : id;
    isHearing = true;
    ui.chosen = shared = heard === null ? id : null;
    show();
  }
  addEventListener("edgewise:chosen", hear);

  return {
    tell() {
      if (ui.chosen === shared) return;
      shared = ui.chosen;
      isHearing = false;
      const detail = { id: shared, by: "list", subject: c.data.subject };
      dispatchEvent(new CustomEvent("edgewise:chosen", { detail }));
    },
    /** After new data: `last` is chosen where nothing is. */
    settle(last) {
      if (heard !== null && isListed(heard)) [ui.chosen, shared, heard] = [heard, heard, null];
      if (ui.adding === null && !isListed(ui.chosen)) ui.chosen = shared = isHearing ? null : last;
    },
    close: () => removeEventListener("edgewise:chosen", hear),
  };
}

function shine(node) {
  node.classList.add("new");
  setTimeout(() => node.classList.remove("new"), NEW_SHINES_MS);
}

/** Where the focus goes in the list, and what is scrolled into its sight. */
function createMoves(c, { list, head }, shownRows, nodeOf) {
  let sought = null; // the row revealed last: those before it no longer matter

  // Not scrollIntoView: it would move the page and push the entry line off the screen.
  function scrollTo(node) {
    const headHeight = head.offsetHeight;
    const rowTop = node.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientTop;
    if (rowTop < headHeight) list.scrollTop += rowTop - headHeight;
    else if (rowTop + node.offsetHeight > list.clientHeight)
      list.scrollTop += rowTop + node.offsetHeight - list.clientHeight;
  }

  /** Of many rows those that come into sight have their height some frames later only, and may push it out again. */
  function keepInSight(node, frames) {
    if (node !== sought || !node.isConnected) return;
    scrollTo(node);
    if (frames > 0) requestAnimationFrame(() => keepInSight(node, frames - 1));
  }

  function reveal(node) {
    sought = node;
    keepInSight(node, list.classList.contains("many") ? FRAMES_TO_LAY_OUT : 0);
  }

  function focusOn(row) {
    row.focus({ preventScroll: true });
    reveal(row);
  }

  function focusRow(id) {
    const target = nodeOf(id);
    const row = target && !target.hidden ? target : shownRows()[0];
    if (row !== undefined) focusOn(row);
  }

  /** To the row `target` places further, or to the "first" or "last". */
  function step(target) {
    const shown = shownRows();
    if (shown.length === 0) return;
    const at = shown.indexOf(nodeOf(c.ui.chosen));
    const to = target === "first" ? 0 : target === "last" ? shown.length - 1 : at + target;
    focusOn(shown[Math.max(0, Math.min(shown.length - 1, to))]);
  }

  return { reveal, focusRow, step };
}

/** What was drawn last and is new: shown with the frame it is in. */
function createFollowing({ list, waitingBody }, reveal) {
  /** @type {HTMLElement | null} */
  let newest = null;
  return {
    begin: (node) => (newest = node ?? newest),
    /** Scrolls there, while lines wait to the end; false if nothing is new. */
    follow() {
      const node = newest;
      newest = null;
      if (node === waitingBody) list.scrollTop = list.scrollHeight;
      else if (node?.isConnected) reveal(node);
      return node !== null;
    },
  };
}

export function createList(c) {
  const parts = createGrid();
  const { body, waitingBody, list, hold } = parts;
  const rows = new Map();
  const { ui } = c;
  const revealChosen = () => rows.has(ui.chosen) && reveal(rows.get(ui.chosen).node);
  const shared = createShared(
    c,
    (id) => rows.has(id),
    () => {
      markChosen();
      revealChosen();
    },
  );

  const shownRows = () => [...body.children].filter((row) => !row.hidden);
  const nodeOf = (id) => rows.get(id)?.node;
  const { reveal, focusRow, step } = createMoves(c, parts, shownRows, nodeOf);
  const following = createFollowing(parts, reveal);
  const lastId = () => c.view.edges.at(-1)?.id;

  // -- the chosen edge
  function markChosen() {
    const entryId = ui.chosen ?? lastId(); // Tab reaches the list even while no edge is chosen
    for (const [id, { node }] of rows) {
      node.tabIndex = id === entryId ? 0 : -1;
      node.setAttribute("aria-selected", String(id === ui.chosen));
    }
    c.tools.draw();
  }

  function choose(id) {
    ui.adding = null;
    if (ui.chosen !== id) {
      ui.chosen = id;
      markChosen();
    }
    shared.tell();
  }

  // -- its rows
  function addRow(id) {
    const row = createRow({
      choose: () => choose(id),
      cycleSign: () => c.commands.cycleSign(id),
      edit: (end) => c.editing.ends(id, end),
    });
    rows.set(id, row);
    if (ui.adding !== null) ui.adding.newest = id;
    if (!ui.isFirst) shine(row.node);
    return row;
  }

  /** A row whose edge is gone: hand focus and what was being typed on. */
  function leave(id, row) {
    const next = row.node.nextElementSibling ?? row.node.previousElementSibling;
    const nextId = [...rows].find(([, other]) => other.node === next)?.[0] ?? null;
    const hadFocus = row.node.contains(c.focused());
    c.editing.giveUp(id);
    row.node.remove();
    rows.delete(id);
    if (ui.chosen !== id) return;
    ui.chosen = nextId;
    if (hadFocus) (rows.get(nextId)?.node ?? c.line).focus({ preventScroll: true });
  }

  /** Returns the newest row among those added, null if none was. */
  function drawRows() {
    const known = new Set(c.view.edges.map((edge) => edge.id));
    for (const [id, row] of rows) if (!known.has(id)) leave(id, row);
    let newest = null;
    c.view.edges.forEach((edge, place) => {
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

  /** Once no typed line waits, their newest edge is the chosen one; without any it stays what it was. */
  function settleChosen() {
    if (ui.adding !== null && c.view.lines.length === 0) {
      ui.chosen = ui.adding.newest ?? ui.adding.before;
      ui.adding = null;
    }
    shared.settle(lastId() ?? null);
    shared.tell();
  }

  return {
    element: list,
    focusRow: (id = ui.chosen ?? lastId()) => focusRow(id),
    choose,
    step,
    shownRows,
    nodeOf,
    rowOf: (id) => rows.get(id),
    show: (id, isShown) => void (rows.get(id).node.hidden = !isShown),
    /** How high the list is now, in CSS pixels. */
    room: () => list.clientHeight,
    close: shared.close,
    revealChosen,
    draw() {
      const newest = drawRows();
      const before = waitingBody.children.length;
      waitingBody.replaceChildren(...c.view.lines.flatMap((one) => waitingRows(one, c.data.halted)));
      hold(c.view.edges.length, c.view.lines.length);
      c.filter.draw();
      settleChosen();
      markChosen();
      following.begin(waitingBody.children.length > before || ui.isFirst ? waitingBody : newest);
    },
    follow: following.follow,
  };
}
