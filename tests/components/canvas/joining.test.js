import assert from "node:assert/strict";
import { test } from "node:test";

import { createGraph } from "../../../components/transcription/graph.js";
import { inOrder, joinedName, unionOf, whyApart } from "../../../components/canvas/joining.js";
import { idWithin } from "../../../components/desk/uuid7.js";

const place = (name, x, y, kind = "word") => ({ kind, key: name, name, box: [x, y, x + 40, y + 10], isPoint: false });
const ACT = "01890a5d-ac96-7000-8000-000000000000";
const LATER = "01890a5d-ac97-7000-8000-000000000000";

test("texts are joined as they are read: rows from the top, each from the left", () => {
  const parts = [place("of staff", 0, 14), place("load", 45, 1), place("Work", 0, 0)];
  assert.deepEqual(
    inOrder(parts).map(({ name }) => name),
    ["Work", "load", "of staff"],
  );
  assert.equal(joinedName(parts), "Work load of staff");
  assert.equal(joinedName([place("Deforest-", 0, 0), place("ation", 0, 12)]), "Deforestation");
  assert.equal(joinedName([place("CO2-", 0, 0), place("Emissions", 0, 12)]), "CO2- Emissions");
  assert.deepEqual(unionOf(parts.map(({ box }) => box)), [0, 0, 85, 24]);
});

test("texts with another between them, or nodes that an edge joins, are not joined", () => {
  const [work, load, far] = [place("Work", 0, 0, "node"), place("load", 45, 0, "node"), place("far", 300, 0)];
  assert.equal(whyApart([work, load], [work, load, far], []), "");
  assert.match(whyApart([work], [work], []), /two texts or more/);
  assert.match(whyApart([work, far], [work, load, far], []), /^load is printed between them/);
  assert.match(
    whyApart([work, load], [work, load], [{ source: "load", sink: "Work" }]),
    /^An edge joins load and Work/,
  );
});

test("a join is drawn before its receipt: the first node has the name, the box of all and the others' edges", () => {
  const nodes = ["Work", "load", "Rain"].map((name, n) => ({
    ...{ id: `n${n}`, name, at: null, swept: false },
    box: [n * 50, 0, n * 50 + 40, 10],
  }));
  const edge = { id: "e1", source_id: "n2", sink_id: "n1", sign: "+", delay: false, flag: "", path: null };
  const acts = [];
  const graph = createGraph(() => acts);
  graph.receive({ nodes, edges: [edge], proposals: [], words: [], arrows: [] });
  const words = [{ text: "now", box: [0, 12, 30, 22] }];
  acts.push({ id: ACT, kind: "join_names", name: "Work load now", nodes: ["Work", "load"], words });
  graph.sync();
  const view = graph.view();
  assert.deepEqual([...view.nodes.keys()], ["Work load now", "Rain"]);
  assert.deepEqual(view.nodes.get("Work load now").box, [0, 0, 90, 22]);
  assert.equal(view.nodes.get("Work load now").id, "n0");
  assert.equal(view.edges.get("e1").sink, "Work load now");

  acts.splice(0, 1, { id: LATER, kind: "join_names", name: "now", nodes: [], words });
  graph.sync();
  assert.equal(graph.view().nodes.get("now").id, idWithin(LATER, 0));
});
