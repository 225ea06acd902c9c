// Below the list: nodes without edges.

import { changes, make, pushButton } from "../desk/dom.js";

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
    rename.disabled = drop.disabled = !c.isEditable();
    return make("span", { class: "chip", "data-state": node.state }, rename, drop);
  }

  return {
    element: box,
    focus: () => (box.querySelector("button") ?? c.line).focus(),
    draw() {
      const { nodes, edges } = c.graph.view();
      const joined = new Set([...edges.values()].flatMap(({ source, sink }) => [source, sink]));
      const loners = [...nodes.values()].filter(({ name }) => !joined.has(name));
      if (!isNew(loners, c.isEditable())) return;
      box.hidden = loners.length === 0;
      box.replaceChildren(
        make("span", { class: "label", text: `Nodes without edges (${loners.length})` }),
        ...loners.map(chipOf),
      );
    },
  };
}
