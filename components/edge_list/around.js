// Around the line and the list: the receipt with undo and redo, acts that were refused, nodes without edges.

import { make, pushButton, setText } from "../desk/dom.js";
import { receiptState, receiptText } from "../desk/keys.js";

const NOTICES_KEPT = 5;

export function createTop(c, outbox) {
  const receipt = make("p", { class: "receipt", role: "status" });
  const undo = pushButton("Undo", () => c.act("undo", {}), { title: "Ctrl+Z" });
  const redo = pushButton("Redo", () => c.act("redo", {}), { title: "Ctrl+Shift+Z or Ctrl+Y" });
  const help = pushButton("?", () => c.sheet.showModal(), {
    class: "square",
    "aria-label": "All keys",
    title: "All keys (?)",
  });
  return {
    element: make("div", { class: "top" }, receipt, undo, redo, help),
    undo: () => !undo.disabled && c.act("undo", {}),
    redo: () => !redo.disabled && c.act("redo", {}),
    draw() {
      const status = outbox.status();
      setText(receipt, receiptText(status, c.data.receipt));
      receipt.dataset.state = receiptState(status);
      undo.disabled = !c.isEditable() || !(c.data.can_undo || status.waiting > 0);
      redo.disabled = !c.isEditable() || !(c.data.can_redo || status.waiting > 0);
    },
  };
}

/** Cards that say what could not be done: {element, add(text), refused(act, message)}. */
export function createDeskNotices(c) {
  const notices = make("div", { class: "notices", role: "status" });

  function describe({ kind, ...rest }) {
    const edge = c.data.edges.find((one) => one.id === rest.edge_id);
    const what = edge ? `${edge.source} → ${edge.sink}` : (c.data.nodes.find(([id]) => id === rest.node_id)?.[1] ?? "");
    const value = rest.value ?? rest.name;
    return [kind.replace("_", " "), rest.field, what, typeof value === "string" && value !== "" ? `“${value}”` : ""]
      .filter(Boolean)
      .join(" · ");
  }

  function add(text) {
    const card = make("div", { class: "card" }, make("p", { text }));
    card.append(pushButton("Dismiss", () => card.remove()));
    notices.append(card);
    while (notices.children.length > NOTICES_KEPT) notices.firstChild.remove();
  }

  return {
    element: notices,
    add,
    /** Typed lines come back as lines to correct, where those are shown. */
    refused(act, message) {
      const isLines = act.kind === "lines";
      if (isLines) c.faults.take([{ key: act.id, line: 0, text: act.text, message, offer: "" }]);
      if (!isLines || !c.data.editable) add(`${message} (${isLines ? act.text : describe(act)})`);
    },
  };
}

/** Nodes without edges, as chips to rename and remove. */
export function createLoners(c) {
  const box = make("div", { class: "loners", role: "group", "aria-label": "Nodes without edges", hidden: true });

  function chipOf(node) {
    const rename = pushButton(node.name, () => c.editing.node(node), {
      title: "Rename",
      "aria-label": `Rename ${node.name}`,
    });
    const drop = pushButton("×", () => c.act("delete_node", { node_id: node.id }), {
      class: "square",
      "aria-label": `Remove ${node.name}`,
      title: "Remove",
    });
    rename.disabled = drop.disabled = !c.isEditable() || node.state === "gone";
    return make("span", { class: "chip", "data-state": node.state }, rename, drop);
  }

  return {
    element: box,
    focus: () => (box.querySelector("button") ?? c.line).focus(),
    draw() {
      const { loners } = c.view;
      const drawn = JSON.stringify([loners, c.isEditable()]);
      if (box.dataset.drawn === drawn) return;
      box.dataset.drawn = drawn;
      box.hidden = loners.length === 0;
      box.replaceChildren(
        make("span", { class: "label", text: `Nodes without edges (${loners.length})` }),
        ...loners.map(chipOf),
      );
    },
  };
}
