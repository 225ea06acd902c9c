// Parts around the figure: tray, banner of the sweep, status line, receipt, buttons, notices.

import { count, make, pushButton, setText } from "../../desk/dom.js";
import { createTray } from "../parts.js";
import { createBanner } from "./banner.js";
import { createBar } from "./bar.js";
import { goingOn } from "./going_on.js";

/** {draw(), drawn(), drawTray(codes), say(text), remedies(act), foot, tray} for the canvas `c`.
 * @param {import("../types.d.ts").Canvas} c */
export function createAround(c) {
  const tray = createTray(c.viewport, {
    onPick: (name, event) => c.commands.pickName(name, event.shiftKey),
    onDrag: (name, event) => c.pointer.dragFromTray(name, event),
    onKey: (name, event) => {
      c.commands.choose("node", name);
      if (event.key === "Enter") event.stopPropagation(); // the button's own click picks
    },
  });
  const bar = createBar(c);
  const { undo, redo, help } = c.buttons;
  undo.title = "Ctrl Z";
  redo.title = "Ctrl Shift Z or Ctrl Y";
  const names = pushButton("Find", () => c.commands.find(), { title: "Find or make a node (/)" });
  const sweepButton = pushButton("Sweep", () => c.commands.sweep(), {
    title: "Go through the nodes for missing edges (S)",
  });
  const regionButton = pushButton("Select region", () => c.commands.region(), {
    title: "Draw around proposals or texts (O)",
  });
  const fullButton = pushButton("Full window", () => c.commands.fullWindow(), {
    title: "The canvas alone in the whole window (F)",
  });
  const hintButton = pushButton("Hints", () => c.commands.hints(), {
    title: "A short code next to every node, and the text read above it (H)",
  });
  const foot = make(
    "div",
    { class: "pz-foot cv-foot" },
    c.receipt,
    make(
      "div",
      { class: "cv-row cv-tools" },
      names,
      undo,
      redo,
      hintButton,
      regionButton,
      sweepButton,
      fullButton,
      help,
    ),
  );
  c.root.append(c.notices.element, foot);
  const drawBanner = createBanner(c);

  function draw() {
    const [kind, state] = goingOn(c);
    bar.draw(kind, state);
    drawBanner();
  }

  function drawn() {
    names.disabled = !c.isEditable();
    regionButton.disabled = !c.isEditable();
    regionButton.setAttribute("aria-pressed", String(c.ui.region !== null));
    hintButton.setAttribute("aria-pressed", String(c.ui.hints));
    fullButton.setAttribute("aria-pressed", String(c.fullWindow.isFull()));
    drawSweepButton();
  }

  function drawSweepButton() {
    const { done, names: total } = c.sweep.counts();
    const swept = done.toLocaleString("en");
    setText(sweepButton, total > 0 ? `Sweep ${swept}/${total.toLocaleString("en")}` : "Sweep");
    sweepButton.setAttribute("aria-label", `Sweep: ${swept} of ${count(total, "node")} swept`);
    sweepButton.setAttribute("aria-pressed", String(c.ui.sweep !== null));
    sweepButton.disabled = !c.isEditable() || total === 0;
  }

  /** Remedies for an act that the store refused, other than a retry.
   * @returns {[string, () => void][]} */
  function remedies({ kind, node, name, x, y }) {
    if (kind === "rename_node") return [["Change name", () => c.commands.renameTo(node, name)]];
    if (kind !== "place_node") return [];
    return [["Change name", () => c.commands.openNames({ point: { x, y }, value: name })]];
  }

  return {
    draw,
    drawn,
    remedies,
    foot,
    tray: tray.element,
    say: bar.say,
    drawTray(codes) {
      const { armed, chosen } = c.ui;
      const node = chosen?.kind === "node" ? chosen.key : null; // else each highlighted proposal redraws all chips
      tray.draw(c.scene.unplaced, { armed, chosen: node, codes, isEditable: c.isEditable() });
    },
  };
}
