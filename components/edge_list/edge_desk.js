// The edge desk: type edges, correct faulty lines, work the list.

import { make, oncePerFrame } from "../desk/dom.js";
import { deskOn } from "../desk/frame.js";
import { isTextField } from "../desk/keys.js";
import { createSelection } from "../desk/selection.js";
import { createLoners, describe } from "./around.js";
import { createCommands } from "./commands.js";
import { createCompletion } from "./completion.js";
import { createEditing } from "./editing.js";
import { createFaults } from "./faults.js";
import { createFilter } from "./filter.js";
import { KEY_TABLE } from "./key_table.js";
import { createLine } from "./line.js";
import { createList } from "./list.js";
import { fold } from "./names.js";
import { overlayOf } from "./overlay.js";
import { createTools } from "./tools.js";

export default deskOn({
  queue: "desk",
  table: KEY_TABLE,
  root: () => make("section", { class: "desk", "aria-label": "Edges" }),
  viewOf: overlayOf,
  closed: ({ editable }) => (editable ? "" : "This graph is closed to changes."),
  /** In the empty line Ctrl Z undoes; elsewhere a field has its own. */
  isTyping: (c, element) => isTextField(element) && !(c.line.is(element) && c.line.isEmpty()),
  /** The keys of the list are heard in the list only. */
  hears(c, command, { target }) {
    if (command === "undo" || command === "redo") return true;
    return !isTextField(target) && (command === "help" || c.list.element.contains(target));
  },
  create: createDesk,
});

/** @param {import("../desk/types.d.ts").Frame} c
 * @returns {import("../desk/types.d.ts").Desk} */
function createDesk(c) {
  const { root, subject, buttons, receipt, notices } = c;
  /** `adding`: what was selected before, and the newest row, while typed lines wait and nothing is selected.
   * @type {{adding: {before: string | null, newest: string | null} | null, isFirst: boolean}} */
  const ui = { adding: null, isFirst: true };
  let names = []; // [name, folded]

  Object.assign(c, {
    ui,
    selection: createSelection(subject, () => c.list.drawSelection()),
    /** Send typed lines; the newest of their edges will be selected, unless the person selects another first. */
    addLines(text, isPasted) {
      if (!c.isEditable()) return;
      ui.adding ??= { before: c.selection.id(), newest: null };
      c.selection.select(null);
      c.act("lines", { text, pasted: isPasted }, { isLast: true });
    },
  });
  const line = (c.line = createLine(c, subject));
  const faults = (c.faults = createFaults(c, subject));
  const filter = (c.filter = createFilter(c));
  const list = (c.list = createList(c));
  c.editing = createEditing(c);
  c.tools = createTools(c);
  const loners = (c.loners = createLoners(c));

  receipt.className = "receipt";
  receipt.setAttribute("role", "status");
  notices.element.className = "notices";
  buttons.undo.title = "Ctrl Z";
  buttons.redo.title = "Ctrl Shift Z or Ctrl Y";
  const captions = KEY_TABLE.caption.flatMap(([key, word]) => [
    make("span", {}, make("b", { text: key }), ` ${word}`),
    " ",
  ]);
  root.prepend(
    make("div", { class: "top" }, receipt, buttons.undo, buttons.redo, buttons.help),
    line.entry,
    line.hint,
    notices.element,
    faults.element,
    filter.element,
    list.element,
    c.tools.element,
    make("div", { class: "foot" }, loners.element, make("p", { class: "caption" }, ...captions)),
  );
  c.completion = createCompletion(root, () => names);

  // What depends on sizes is done with the frame that shows it. Asked for in between, each would be laid out anew.
  let room = 0;
  const withFrame = oncePerFrame(() => {
    const before = room;
    room = list.room();
    if (!list.follow() && room < before) list.revealSelected();
    line.fitIfWider();
  });

  const toLine = () => c.isEditable() && line.focus({ preventScroll: true });
  addEventListener("edgewise:to-line", toLine);

  return {
    commands: createCommands(c),
    focus: toLine, // a person at a keyboard can type at once
    acted: c.selection.acted,
    draw() {
      faults.draw();
      list.draw();
      loners.draw();
      withFrame();
    },
    receive(next) {
      names = [...new Set([...next.nodes.map(([, name]) => name), ...next.names])].map((name) => [name, fold(name)]);
      root.style.setProperty("--list-height", `${next.list_height}px`);
      line.draw();
    },
    follow(before) {
      c.selection.follow(c.data.acked, before.edges, c.data.edges); // the list has every edge with all its fields
      if (c.data.editable) faults.take(c.data.faults);
    },
    settled() {
      line.judge();
      ui.isFirst = false;
    },
    /** Typed lines come back as lines to correct, where those are shown. */
    refused(act, message) {
      const isLines = act.kind === "lines";
      if (isLines) faults.take([{ key: act.id, line: 0, text: act.text, message, offer: "" }]);
      if (!isLines || !c.data.editable) notices.add(`${message} (${isLines ? act.text : describe(act, c.data)})`);
      return null;
    },
    close() {
      removeEventListener("edgewise:to-line", toLine);
      c.selection.close();
    },
  };
}
