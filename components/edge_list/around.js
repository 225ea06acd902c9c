// Below the list: nodes without edges; and what an act was, in words.

import { actWords } from "../desk/act_words.js";
import { changes, make, pushButton } from "../desk/dom.js";

/** What an act was about, for the notice that the store refused it.
 * @param {any} act
 * @param {any} data */
export function describe({ kind, ...rest }, data) {
  const edge = data.edges.find((one) => one.id === rest.edge_id);
  const what = edge ? `${edge.source} → ${edge.sink}` : (rest.node ?? "");
  const value = rest.value ?? rest.name;
  return [actWords(kind), rest.field, what, typeof value === "string" && value !== "" ? `“${value}”` : ""]
    .filter(Boolean)
    .join(" · ");
}

/** Nodes without edges, as chips to rename and remove. */
export function createLoners(c) {
  const box = make("div", { class: "loners", role: "group", "aria-label": "Nodes without edges", hidden: true });

  const isNew = changes();

  function chipOf(node) {
    const rename = pushButton(node.name, () => c.editing.node(node), {
      title: "Rename",
      "aria-label": `Rename ${node.name}`,
    });
    const drop = pushButton("×", () => c.act("delete_node", { node: node.name }), {
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
      if (!isNew(loners, c.isEditable())) return;
      box.hidden = loners.length === 0;
      box.replaceChildren(
        make("span", { class: "label", text: `Nodes without edges (${loners.length})` }),
        ...loners.map(chipOf),
      );
    },
  };
}
