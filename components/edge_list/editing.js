// Editing in place: the note of an edge, its ends in the list, the name of a node without edges.

import { make, pushButton } from "../desk/dom.js";
import { edgeText } from "../desk/edges.js";
import { wholeSpan } from "./completion.js";

const LONGEST_NOTE = 2000;

function nameField(c, label, value) {
  const field = make("input", {
    type: "text",
    "aria-label": label,
    spellcheck: "false",
    autocomplete: "off",
    "aria-autocomplete": "list",
    "aria-controls": "names",
  });
  field.value = value;
  field.addEventListener("input", () => c.completion.open(field, wholeSpan));
  field.addEventListener("blur", () => c.completion.close());
  return field;
}

/** Buttons to save typed ends: for this edge only, or as new names of its nodes. */
function savingOf(c, stop, edge, fields) {
  const changed = () =>
    ["source", "sink"]
      .map((end, place) => [end, edge[end], fields[place].value.trim()])
      .filter(([, before, after]) => after !== "" && after !== before);
  return {
    save() {
      const changes = changed();
      stop();
      for (const [end, , after] of changes) c.commands.setField(edge.id, end, after);
    },
    saveAll() {
      const changes = changed();
      stop();
      for (const [, before, after] of changes) c.act("rename_node", { node: before, name: after });
    },
  };
}

/** Remove a field from the list and show the hidden name again. */
function putBack(field) {
  field.previousElementSibling.hidden = false;
  field.remove();
}

export function createEditing(c) {
  const editor = make("div", { class: "entry editor", hidden: true });
  /** The open editor: its `fields`, and `title` for their subject.
   * @type {{kind: "ends" | "note" | "node", id: string, title: string, fields: HTMLInputElement[]} | null} */
  let open = null;

  function start(kind, id, title, fields, ...parts) {
    editor.replaceChildren(...parts);
    editor.hidden = false;
    open = { kind, id, title, fields };
    c.tools.draw();
  }

  function stop(refocus = true) {
    if (open === null) return;
    const { id, kind, fields } = open;
    open = null;
    c.completion.close();
    if (kind === "ends") fields.forEach(putBack);
    editor.hidden = true;
    c.tools.draw();
    if (refocus && kind === "node") c.loners.focus();
    else if (refocus) c.list.returnTo(id);
  }

  function onKeys(field, save, saveAll = save) {
    field.addEventListener("keydown", (event) => {
      if (event.isComposing || c.completion.onKey(event)) return;
      if (event.key === "Enter") (event.ctrlKey || event.metaKey ? saveAll : save)();
      else if (event.key === "Escape") stop();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  const cancelButton = (attributes = {}) => pushButton("Cancel", () => stop(), attributes);

  function note() {
    const edge = c.commands.selected();
    if (!edge || !c.isEditable()) return;
    stop(false);
    const field = make("input", {
      type: "text",
      "aria-label": `Note on ${edgeText(edge)}`,
      maxlength: LONGEST_NOTE,
      placeholder: "note",
    });
    field.value = edge.note;
    const save = () => {
      const text = field.value.trim();
      stop();
      if (text !== edge.note) c.commands.setField(edge.id, "note", text);
    };
    onKeys(field, save);
    start("note", edge.id, field.ariaLabel, [field], field, pushButton("Save", save), cancelButton());
    field.focus();
  }

  function ends(id, first = "source") {
    const edge = c.graph.view().edges.get(id);
    const row = c.list.rowOf(id);
    if (!edge || !row || !c.isEditable()) return;
    stop(false);
    c.list.select(id);
    const fields = ["source", "sink"].map((end) => {
      const field = nameField(c, end === "source" ? "Source" : "Sink", edge[end]);
      row[end].hidden = true;
      row[end].after(field);
      return field;
    });
    const { save, saveAll } = savingOf(c, stop, edge, fields);
    for (const field of fields) onKeys(field, save, saveAll);
    start(
      "ends",
      id,
      `Source and sink of ${edgeText(edge)}`,
      fields,
      pushButton("Save edge", save, { title: "Enter" }),
      pushButton("Rename everywhere", saveAll, { title: "Ctrl Enter" }),
      cancelButton({ title: "Esc" }),
    );
    const field = fields[first === "source" ? 0 : 1];
    field.focus();
    field.select();
  }

  function node(one) {
    stop(false);
    const field = nameField(c, `New name of ${one.name}`, one.name);
    const save = () => {
      const name = field.value.trim();
      stop();
      if (name !== "" && name !== one.name) c.act("rename_node", { node: one.name, name });
    };
    onKeys(field, save);
    start("node", one.id, field.ariaLabel, [field], field, pushButton("Rename", save), cancelButton());
    field.focus();
    field.select();
  }

  return {
    element: editor,
    note,
    ends,
    node,
    /** Title of the open editor, "" if there is none. */
    title: () => open?.title ?? "",
    /** Return the unfinished text about the removed edge `id`. */
    giveUp(id) {
      if (open === null || open.id !== id) return;
      c.notices.add(`The edge no longer exists. You typed: ${open.fields.map((field) => field.value).join(" -> ")}`);
      stop(false);
    },
  };
}
