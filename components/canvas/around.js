// What stands around the figure: tray, banner of the sweep, the line of what is going on, receipt, buttons, notices.

import { count, make, pushButton, setText } from "../desk/dom.js";
import { createSheet, receiptState, receiptText } from "../desk/keys.js";
import { createNotices } from "../desk/notices.js";
import { createBanner } from "./banner.js";
import { createBar } from "./bar.js";
import { goingOn } from "./going_on.js";
import { KEY_TABLE } from "./key_table.js";
import { arrowText } from "./paint.js";
import { createTray } from "./parts.js";

/** {draw(), drawStatus(), drawTray(codes), say(text), refuse(returned), foot, tray} for the canvas `c`.
 * @param {import("./types.d.ts").Canvas} c */
export function createAround(c, outbox) {
  const tray = createTray(c.viewport, {
    onPick: (name, event) => c.deeds.pickName(name, event.shiftKey),
    onDrag: (name, event) => c.pointer.dragFromTray(name, event),
    onKey: (name, event) => {
      c.ui.chosen = { kind: "node", key: name };
      if (event.key === "Enter") event.stopPropagation(); // the button's own click picks
    },
  });
  const status = make("p", { class: "cv-receipt" });
  const bar = createBar(c);
  const undo = pushButton("Undo", () => c.deeds.undo(), { title: "Ctrl+Z" });
  const redo = pushButton("Redo", () => c.deeds.redo(), { title: "Ctrl+Shift+Z or Ctrl+Y" });
  const names = pushButton("Find", () => c.deeds.find(), { title: "Find or make a node (/)" });
  const sweepButton = pushButton("Sweep", () => c.deeds.sweep(), {
    title: "Go through the nodes for missing edges (S)",
  });
  const hintButton = pushButton("Hints", () => c.deeds.hints(), {
    title: "A short code beside every node (H)",
  });
  const help = pushButton("?", () => c.sheet.open(), {
    class: "cv-square",
    title: "All keys (?)",
    "aria-label": "All keys",
  });
  const notices = createNotices(c.root);
  const foot = make(
    "div",
    { class: "pz-foot cv-foot" },
    status,
    make("div", { class: "cv-row cv-tools" }, names, undo, redo, hintButton, sweepButton, help),
  );
  c.root.append(foot);
  const drawBanner = createBanner(c);
  c.sheet = createSheet(c.root, KEY_TABLE);

  function draw() {
    const [kind, state] = goingOn(c);
    bar.draw(kind, state);
    drawBanner();
    drawStatus();
  }

  function drawStatus() {
    const state = outbox.status();
    setText(status, receiptText(state, c.graph.view().isGuess && state.waiting > 0 ? "Saving…" : c.data.receipt));
    status.dataset.state = receiptState(state);
    undo.disabled = !c.can("undo");
    redo.disabled = !c.can("redo");
    names.disabled = !c.isEditable();
    hintButton.setAttribute("aria-pressed", String(c.ui.hints));
    drawSweepButton();
    c.root.dataset.waiting = String(state.waiting);
    c.root.dataset.version = c.data.version;
    c.root.dataset.editable = String(c.isEditable());
  }

  function drawSweepButton() {
    const { done, names: total } = c.sweep.counts();
    setText(sweepButton, total > 0 ? `Sweep ${done}/${total}` : "Sweep");
    sweepButton.setAttribute("aria-label", `Sweep: ${done} of ${count(total, "node")} swept`);
    sweepButton.setAttribute("aria-pressed", String(c.ui.sweep !== null));
    sweepButton.disabled = !c.isEditable() || total === 0;
  }

  // -- acts the store refused

  function refuse({ act, message }) {
    const { id: _id, seq: _seq, kind, ...payload } = act;
    const again = () => {
      c.act(kind, payload);
      c.draw();
    };
    const actions = [["Try again", again]];
    if (kind === "rename_node") actions.unshift(["Change name", () => c.deeds.renameTo(act.node, act.name)]);
    if (kind === "place_node")
      actions.unshift(["Change name", () => c.deeds.openNames({ point: { x: act.x, y: act.y }, value: act.name })]);
    notices.add(`${message} (${describe(act, c.graph.view().edges)})`, actions);
    c.say(message);
  }

  return {
    draw,
    drawStatus,
    refuse,
    foot,
    tray: tray.element,
    say: bar.say,
    drawTray: (codes) =>
      tray.draw(c.scene.unplaced, { armed: c.ui.armed, chosen: c.ui.chosen?.key, codes, isEditable: c.isEditable() }),
  };
}

/** An act in words: what it was about, and what it changed. */
function describe({ kind, node, name, text, field, value, proposal_ids: ids, ...act }, edges) {
  const edge = act.source === undefined ? edges.get(act.edge_id) : act;
  const what = edge ? arrowText(edge) : (node ?? name ?? text ?? "");
  const more =
    kind === "rename_node"
      ? `to “${name}”`
      : field
        ? `${field} ${String(value) || "none"}`
        : ids
          ? count(ids.length, "proposal")
          : "";
  return [kind.replaceAll("_", " "), what && `“${what}”`, more].filter(Boolean).join(" ");
}
