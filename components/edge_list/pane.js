// The pane of the list: type edges, correct faulty lines, work the list.

import { make, oncePerFrame } from "../desk/dom.js";
import { isTextField } from "../desk/keys.js";
import { createLoners } from "./around.js";
import { createCommands } from "./commands.js";
import { createCompletion } from "./completion.js";
import { createEditing } from "./editing.js";
import { createFaults } from "./faults.js";
import { createFilter } from "./filter.js";
import { KEY_TABLE } from "./key_table.js";
import { createLine } from "./line.js";
import { createList } from "./list.js";
import { fold } from "./names.js";
import { createTools } from "./tools.js";

/** Shared object of the parts of the list: the frame of the desk, extended. In the empty line Ctrl Z undoes;
 * other fields have their own undo. The keys of the list work in the list only. */
function assembled(frame, selection) {
  const root = make("section", { class: "desk", "aria-label": "Edges" });
  frame.root.append(root);
  /** @type {any} */
  const c = Object.assign(Object.create(frame), { root });
  const pane = frame.addPane({
    element: root,
    table: KEY_TABLE,
    commands: () => c.commands,
    isTyping: (element) => isTextField(element) && !(c.line.is(element) && c.line.isEmpty()),
    hears: (command, { target }) =>
      ["undo", "redo"].includes(command) ||
      (!isTextField(target) && (command === "help" || c.list.element.contains(target))),
  });
  return Object.assign(c, pane, {
    /** `adding`: the previous selection and the newest row, while typed lines wait and nothing is selected. */
    ui: { adding: null, isFirst: true },
    selection: selection.paneOf(() => c.drawings.ask(c.list.drawSelection)),
    /** Send typed lines; the newest of their edges will be selected, unless the user selects another first. */
    addLines(text, isPasted) {
      if (!c.isEditable()) return;
      c.drawings.together(() => {
        c.ui.adding ??= { before: c.selection.id(), newest: null };
        c.selection.select(null);
        c.act("lines", { text, pasted: isPasted });
      });
    },
  });
}

/** The pane, for the desk that it is on.
 * @param {import("../desk/types.d.ts").Frame} frame
 * @param {ReturnType<typeof import("../desk/selection.js").createSelection>} selection */
export function createEdgeList(frame, selection) {
  const c = assembled(frame, selection);
  const { root, subject, buttons, receipt, ui } = c;
  let names = []; // [name, folded]

  const line = (c.line = createLine(c, subject));
  const faults = (c.faults = createFaults(c, subject));
  const filter = (c.filter = createFilter(c));
  const list = (c.list = createList(c));
  c.editing = createEditing(c);
  c.tools = createTools(c);
  const loners = (c.loners = createLoners(c));

  receipt.className = "receipt";
  receipt.setAttribute("role", "status");
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
    faults.element,
    filter.element,
    list.element,
    c.tools.element,
    make("div", { class: "foot" }, loners.element, make("p", { class: "caption" }, ...captions)),
  );
  c.completion = createCompletion(root, () => names);

  // Sizes are read once after each frame, which has laid out the page: reading them earlier would force a layout.
  let room = 0;
  const afterFrame = oncePerFrame(() =>
    setTimeout(() => {
      const before = room;
      room = list.room();
      if (!list.follow() && room < before) list.revealSelected();
      line.fitIfWider();
    }),
  );

  c.commands = { undo: () => c.again("undo"), redo: () => c.again("redo"), help: c.sheet.open, ...createCommands(c) };
  const toLine = () => c.isEditable() && line.focus({ preventScroll: true });

  return {
    element: root,
    toLine,
    focus: toLine, // a person at a keyboard can type at once
    draw() {
      faults.draw();
      list.draw();
      loners.draw();
      afterFrame();
    },
    receive(next) {
      names = [...new Set([...next.nodes.map(({ name }) => name), ...next.names])].map((name) => [name, fold(name)]);
      line.draw();
    },
    follow: () => c.data.editable && faults.take(c.data.faults),
    settled() {
      line.judge();
      ui.isFirst = false;
    },
    /** Show refused lines as lines to correct. */
    takesBack({ kind, id, text }, message) {
      if (kind !== "lines" || !c.data.editable) return false;
      faults.take([{ key: id, line: 0, text, message, offer: "" }]);
      return true;
    },
  };
}
