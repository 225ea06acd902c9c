// The labelling desk: the text on the left, the nodes with their levels on the right.

import { actWords } from "../../desk/act_words.js";
import { make, pushButton, setText } from "../../desk/dom.js";
import { deskOn } from "../../desk/frame.js";
import { formatted } from "../markup.js";
import { createSearch } from "../search.js";
import { createText } from "../text.js";
import { createCommands } from "./commands.js";
import { KEY_TABLE } from "./key_table.js";
import { createNodes } from "./list.js";
import { viewOf } from "./view.js";

const CLOSED = {
  submitted: "Your levels are submitted.",
  skipped: "You skipped this text. Resume it to label it.",
  lapsed: "Your claim expired. Resume the text to continue.",
};

export default deskOn({
  queue: "labelling",
  table: KEY_TABLE,
  hearsBare: true,
  root: () => make("div", { class: "pz-frame cv tx" }),
  viewOf,
  closed: (data, view) =>
    CLOSED[data.state] ?? (view.isOpen ? "" : view.isSending ? "Your levels are being submitted." : data.note),
  create: createDesk,
});

/** @param {import("../../desk/types.d.ts").Frame} c
 * @returns {import("../../desk/types.d.ts").Desk} */
function createDesk(c) {
  const { root } = c;
  /** @type {{node: string | null, place: number, change: null, finding: null, only: boolean}} */
  const ui = { node: null, place: -1, change: null, finding: null, only: false };
  Object.assign(c, {
    ui,
    stage: () => ({ id: "", url: c.data.url, changes: [] }),
    findings: () => [],
  });
  const text = (c.text = createText(c, formatted));
  const nodes = (c.nodes = createNodes(c));
  const search = (c.search = createSearch(c));
  const label = make("span");
  const primary = /** @type {HTMLButtonElement} */ (pushButton("", () => c.commands.enter(), { class: "cv-primary" }));
  primary.append(label, make("kbd", { text: "Enter" }));
  const captions = KEY_TABLE.caption.flatMap(([key, word]) => [make("kbd", { text: key }), ` ${word} `]);
  const note = make("p", { class: "cv-small tx-note" });
  const right = make(
    "div",
    { class: "tx-right" },
    nodes.element,
    make("div", { class: "cv-row tx-actions" }, primary, c.buttons.help),
    make("div", { class: "tx-end" }, c.receipt, note),
    make("p", { class: "cv-small tx-keys" }, ...captions),
  );
  const left = make("div", { class: "tx-left" }, search.element, text.element);
  root.prepend(make("div", { class: "tx-desk" }, make("div", { class: "tx-main" }, left, right)));

  function primaryWords() {
    if (c.view.isSending) return "Submitting…";
    if (c.data.state !== "open") return c.data.onward;
    return c.view.missing.length === 0 ? "Submit" : "Next node";
  }

  return {
    commands: createCommands(c),
    focus: () => text.element.focus({ preventScroll: true }),
    draw() {
      text.draw();
      nodes.draw();
      setText(label, primaryWords());
      primary.disabled = c.view.isSending;
    },
    drawn() {
      setText(note, c.data.note);
      Object.assign(root.dataset, { state: c.data.state, missing: c.view.missing.length });
    },
    begin() {
      ui.node = c.view.missing[0] ?? null;
    },
    refused: (act) => (act.kind === "label" ? `${act.node}: ${act.level ?? "none"}` : actWords(act.kind)),
  };
}
