import assert from "node:assert/strict";
import { test } from "node:test";

import { createChoice } from "../../../components/canvas/choice.js";

const page = new EventTarget();
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"])
  globalThis[name] = page[name].bind(page);

/** A canvas with these edges, and what it told the list beside it. */
function canvasWith(...ids) {
  const c = { ui: { chosen: null, last: null, armed: null, proposal: null } };
  c.show = (...now) => {
    c.data = { subject: "s", nodes: [], edges: now.map((id) => ({ id })), chosen: null, tells_choice: false };
    c.graph = { view: () => ({ edges: new Map(now.map((id) => [id, { id, key: id }])) }) };
  };
  c.show(...ids);
  c.draw = () => c.choice.share();
  c.choice = createChoice(c);
  const told = [];
  const hear = ({ detail }) => detail.by === "figure" && told.push(detail.id);
  page.addEventListener("edgewise:chosen", hear);
  return { c, told, end: () => (c.choice.stop(), page.removeEventListener("edgewise:chosen", hear)) };
}

const choose = (id) =>
  page.dispatchEvent(new CustomEvent("edgewise:chosen", { detail: { id, by: "list", subject: "s" } }));

test("an edge chosen in the list is chosen on the figure, and putting it away puts it away here", () => {
  const { c, told, end } = canvasWith("a");
  choose("a");
  assert.deepEqual(c.ui.chosen, { kind: "edge", key: "a" });
  choose(null);
  assert.equal(c.ui.chosen, null);
  assert.deepEqual(told, []);
  end();
});

test("an edge that the list has before the figure is taken when it comes, and not put away meanwhile", () => {
  const { c, told, end } = canvasWith("a");
  choose("b");
  c.draw();
  assert.deepEqual(told, [], "the list would lose its choice");
  c.show("a", "b");
  c.choice.hear();
  c.draw();
  assert.deepEqual(c.ui.chosen, { kind: "edge", key: "b" });
  assert.deepEqual(told, []);
  end();
});
