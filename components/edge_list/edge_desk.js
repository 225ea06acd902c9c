// The edge desk: type edges, correct faulty lines, work the list. One desk lives on one shadow root; every rerun
// only hands it new data, so that the caret, typed text and focus survive. Names are hostile: text goes in by
// textContent and value, lookups by name go through Map and Set.

import { make } from "../desk/dom.js";
import { isTextField } from "../desk/keys.js";
import { keptOn } from "../desk/mounted.js";
import { createOutbox } from "../desk/outbox.js";
import { createDeskNotices, createLoners, createTop } from "./around.js";
import { createDeeds } from "./commands.js";
import { createCompletion } from "./completion.js";
import { createEditing } from "./editing.js";
import { createFaults } from "./faults.js";
import { createFilter } from "./filter.js";
import { createKeyCaption, createKeySheet } from "./keys.js";
import { createLine } from "./line.js";
import { createList } from "./list.js";
import { fold } from "./names.js";
import { overlayOf } from "./overlay.js";
import { createTools } from "./tools.js";

const NO_DATA = { nodes: [], edges: [], names: [], faults: [], flags: [], editable: false, halted: false };

function createDesk(host, subject) {
  const root = make("section", { class: "desk", "aria-label": "Edges" });
  /** @type {{chosen: string | null, adding: {before: string | null, newest: string | null} | null, isFirst: boolean}} */
  // chosen: an edge's id; adding: {before, newest} while typed lines wait: nothing is chosen, so that no act hits another edge
  const ui = { chosen: null, adding: null, isFirst: true };
  /** @type {{edges: any[], lines: any[], loners: any[]}} */
  const view = { edges: [], lines: [], loners: [] };
  const c = { ui, data: NO_DATA, view };
  const outbox = createOutbox({ subject: `desk ${subject}`, send: () => {}, onChange: () => draw() });
  let names = []; // [name, folded]

  Object.assign(c, {
    isEditable: () => c.data.editable && !c.data.halted,
    focused: () => host.activeElement,
    act(kind, payload) {
      if (c.isEditable()) outbox.add(kind, payload);
    },
    /** Send typed lines; the newest of their edges will be the chosen one, unless the person chooses another first. */
    addLines(text, isPasted) {
      if (!c.isEditable()) return;
      ui.adding ??= { before: ui.chosen, newest: null };
      ui.chosen = null;
      c.act("lines", { text, pasted: isPasted });
    },
  });

  c.sheet = createKeySheet();
  c.top = createTop(c, outbox);
  c.line = createLine(c, subject);
  c.notices = createDeskNotices(c);
  c.faults = createFaults(c, subject);
  c.filter = createFilter(c);
  c.list = createList(c);
  c.editing = createEditing(c);
  c.deeds = createDeeds(c);
  c.tools = createTools(c);
  c.loners = createLoners(c);
  const foot = make("div", { class: "foot" }, c.loners.element, createKeyCaption());
  root.append(
    c.top.element,
    c.line.entry,
    c.line.hint,
    c.notices.element,
    c.faults.element,
    c.filter.element,
    c.list.element,
    c.tools.element,
    foot,
    c.sheet,
  );
  c.completion = createCompletion(root, () => names);
  host.append(root);

  const toLine = () => c.isEditable() && c.line.focus({ preventScroll: true });
  addEventListener("edgewise:to-line", toLine);

  root.addEventListener("keydown", (event) => {
    const key = event.key.toLowerCase();
    const isText = isTextField(event.target);
    const isTyping = isText && !(c.line.is(event.target) && c.line.isEmpty());
    if ((event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y") && !isTyping) {
      event.preventDefault();
      event.stopPropagation();
      if (key === "y" || event.shiftKey) c.top.redo();
      else c.top.undo();
      return;
    }
    if (event.key === "?" && !isText && !c.sheet.open) {
      event.preventDefault();
      event.stopPropagation();
      c.sheet.showModal();
      return;
    }
    // The page's own one-letter keys look at event.target, which is this component's host, not the field.
    if (isText && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });

  function draw() {
    const room = c.list.room();
    c.view = overlayOf(c.data, outbox.pending());
    c.faults.draw(); // first: it takes room from the list
    c.list.draw();
    c.loners.draw();
    c.top.draw();
    if (c.list.room() < room) c.list.revealChosen();
  }

  /** A person at a keyboard can type at once; on touch a focused field would raise the keyboard over the figure. */
  function takeFocus() {
    if (!c.data.takes_focus || document.activeElement !== document.body || !matchMedia("(pointer: fine)").matches)
      return;
    toLine();
  }

  return {
    subject,
    /** Take the data of one script run. */
    receive(next, setStateValue) {
      c.data = next;
      names = [...new Set([...next.nodes.map(([, name]) => name), ...next.names])].map((name) => [name, fold(name)]);
      const returned = outbox.receive({ ...next, send: (value) => setStateValue("outbox", value) });
      for (const { act, message } of returned) c.notices.refused(act, message);
      if (next.editable) c.faults.take(next.faults);
      root.style.setProperty("--list-height", `${next.list_height}px`);
      root.dataset.version = next.version;
      root.dataset.editable = String(c.isEditable());
      c.line.draw();
      draw();
      c.line.fit();
      if (ui.isFirst) takeFocus();
      ui.isFirst = false;
    },
    close() {
      removeEventListener("edgewise:to-line", toLine);
      c.list.close();
      outbox.close();
      root.remove();
    },
  };
}

export default keptOn((parentElement, { subject }) => createDesk(parentElement, subject));
