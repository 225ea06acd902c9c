// What stands around the figure: tray, banner of the sweep, the line of what is going on, receipt, buttons, notices.

import { count, make, pushButton, setText } from "../desk/dom.js";
import { createSheet, receiptState, receiptText } from "../desk/keys.js";
import { createBar } from "./bar.js";
import { CANVAS_KEYS, SMALL_LETTERS } from "./key_table.js";
import { arrowText } from "./paint.js";
import { createNotices, createTray } from "./parts.js";

/** {draw(), drawStatus(), drawTray(codes), say(text), refuse(returned), foot, tray} for the canvas `c`. */
export function createAround(c, outbox) {
  const tray = createTray(c.viewport, {
    onPick: (name, event) => c.deeds.pickName(name, event.shiftKey),
    onDrag: (name, event) => c.pointer.dragFromTray(name, event),
    onKey: (name, event) => {
      c.ui.chosen = { kind: "node", key: name };
      if (event.key === "Enter") event.stopPropagation(); // the button's own click picks
    },
  });
  const banner = make("div", { class: "cv-banner", "data-no-drag": true, hidden: true });
  const status = make("p", { class: "cv-receipt" });
  const late = { home: () => c.home(), redraw: () => c.root.isConnected && draw() };
  for (const name of [
    "setSign",
    "toggleDelay",
    "setFlag",
    "remove",
    "putHere",
    "cancel",
    "accept",
    "refuse",
    "nextProposal",
    "acceptCertain",
    "menuHere",
    "sweep",
    "reverse",
    "retypeSource",
    "retypeSink",
  ]) {
    late[name] = (...given) => c.deeds[name](...given);
  }
  const bar = createBar(c.root, late);
  const undo = pushButton("Undo", () => c.deeds.undo(), { title: "Ctrl+Z" });
  const redo = pushButton("Redo", () => c.deeds.redo(), { title: "Ctrl+Shift+Z or Ctrl+Y" });
  const names = pushButton("Find", () => c.deeds.find(), { title: "Find or make a node (/)" });
  const sweepButton = pushButton("Sweep", () => c.deeds.sweep(), {
    title: "Go through the nodes for missing edges (S)",
  });
  const hintButton = pushButton("Hints", () => c.setHints(!c.ui.hints), {
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
  c.viewport.before(banner);
  c.sheet = createSheet(c.root, { keys: CANVAS_KEYS, label: "Canvas keys", note: SMALL_LETTERS });

  function draw() {
    const view = c.graph.view();
    const edge = view.edges.get(c.ui.chosen?.kind === "edge" ? c.ui.chosen.key : c.ui.last) ?? null;
    const proposal = c.ui.proposal === null ? null : (view.proposals.get(c.ui.proposal) ?? null);
    const { armed, sign, delay, typed, move } = c.ui;
    if (move !== null) bar.draw("move", { move });
    else if (proposal !== null)
      bar.draw("proposal", {
        proposal,
        place: 1 + [...view.proposals.keys()].indexOf(proposal.id),
        total: view.proposals.size,
        certain: certainIn(view),
      });
    else if (armed !== null) bar.draw("armed", { armed, sign, delay, typed });
    else if (typed !== "") bar.draw("typed", { typed });
    else if (edge !== null && !c.isEditable()) bar.draw("looked", { edge });
    else if (edge !== null) bar.draw("edge", { edge, flags: c.data.flags });
    else
      bar.draw("idle", {
        hint: idleText(view),
        proposals: c.isEditable() ? view.proposals.size : 0,
        certain: certainIn(view),
        mayView: c.isEditable() && c.ui.sweep === null,
      });
    drawBanner(view);
    drawStatus();
  }

  const certainIn = (view) => [...view.proposals.values()].filter(({ is_certain: isCertain }) => isCertain).length;

  /** The next step, in a sentence. */
  function idleText(view) {
    if (!c.isEditable()) return c.data.halted ? "This copy is stale." : "";
    if (c.ui.sweep?.kind === "node") return "Draw missing edges: click the sink, or type its code. T: no more.";
    if (c.ui.sweep !== null) return "T: not a variable. Enter or click: make node.";
    const certain = certainIn(view);
    if (view.proposals.size > 0) {
      return `${count(view.proposals.size, "edge")} proposed${certain > 0 ? `, ${certain} of them certain` : ""}. Review them or draw edges.`;
    }
    const fresh = c.scene.places.some(({ kind }) => kind === "word");
    if (view.nodes.size === 0 && !fresh) return "Click a variable in the figure and type its name, or press /.";
    const isTouch = matchMedia("(pointer: coarse)").matches;
    const advice = isTouch
      ? "Tap the source, then the sink."
      : "Click the source, then the sink; or H and type their codes.";
    if (view.edges.size === 0) return isTouch ? advice : `${advice} ? shows all keys.`;
    if (c.sweep.counts().left === 0) return "All nodes are swept. Submit when you are ready.";
    return `${advice} Then sweep for missing edges${isTouch ? "" : " (S)"}.`;
  }

  function drawBanner(view) {
    const { sweep } = c.ui;
    banner.hidden = sweep === null;
    if (sweep === null) return;
    const isWord = sweep.kind === "word";
    const isSwept = !isWord && (view.nodes.get(sweep.name)?.swept ?? false);
    const text = c.sweep.question();
    const { left } = c.sweep.counts();
    const identity = JSON.stringify([text, left, c.isEditable()]);
    if (banner.dataset.identity === identity) return;
    banner.dataset.identity = identity;
    const settle = isWord ? "Not a variable (T)" : isSwept ? "Not swept (T)" : "No more (T)";
    const buttons = [
      pushButton(settle, () => c.deeds.tick(), { class: isSwept ? "" : "cv-primary" }),
      ...(isWord ? [pushButton("Make node", () => c.deeds.press("word", sweep.key, true), { title: "Enter" })] : []),
      pushButton("Skip", () => c.sweep.next(), { title: "Skip to the next (S)" }),
      pushButton("End sweep", () => c.sweep.end(), { title: "Esc" }),
    ];
    for (const button of buttons.slice(0, -1)) button.disabled = !c.isEditable();
    const held = banner.contains(banner.getRootNode().activeElement);
    banner.replaceChildren(
      make("span", { class: "cv-asked", text }),
      make("span", { class: "cv-left", text: `${left} left` }),
      make("span", { class: "cv-row" }, ...buttons),
    );
    if (held) buttons[0].focus({ preventScroll: true });
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
    notices.add(`${message} (${describe(act)})`, actions);
    c.say(message);
  }

  function describe({ kind, node, name, text, source, sink, sign, field, value, proposal_ids: ids }) {
    const what = source !== undefined ? arrowText({ source, sink, sign }) : (node ?? name ?? text ?? "");
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
