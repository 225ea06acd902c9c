import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createHints, placeOfChip } from "../../../components/canvas/parts.js";
import { openWindow } from "../browser.js";

beforeEach(() => openWindow());

const FIGURE = { origin: [60, 80], width: 400, height: 200 };
const scene = { places: [{ name: "Rain" }] };
const view = (edges) => ({
  nodes: new Map([
    ["A", 1],
    ["B", 1],
    ["C", 1],
  ]),
  edges: new Map(edges.entries()),
  proposals: new Map(),
});

test("a code stands left of its name, and right of it at the left edge", () => {
  assert.deepEqual(placeOfChip([160, 100, 200, 120], FIGURE, "hint"), {
    left: "25.000%",
    top: "15.000%",
    translate: "calc(-100% - 3px) -50%",
  });
  assert.deepEqual(placeOfChip([64, 100, 104, 120], FIGURE, "hint"), {
    left: "11.000%",
    top: "15.000%",
    translate: "3px -50%",
  });
});

test("a name stands above its box, below it at the upper edge, and inside the figure at its sides", () => {
  const at = (box) => placeOfChip(box, FIGURE, "name");
  assert.deepEqual(at([240, 180, 280, 200]), {
    left: "50.000%",
    top: "50.000%",
    translate: "-50% calc(-100% - 5px)",
  });
  assert.deepEqual(at([240, 90, 280, 100]), { left: "50.000%", top: "10.000%", translate: "-50% 5px" });
  assert.match(at([60, 180, 80, 200]).translate, /^-12% /);
  assert.match(at([440, 180, 460, 200]).translate, /^-88% /);
});

test("the names with most edges get the first codes, and a renamed one keeps its own", () => {
  const edges = [
    { source: "C", sink: "A" },
    { source: "C", sink: "B" },
    { source: "B", sink: "C" },
  ];
  const hints = createHints("figure 1");
  const codes = hints.codesFor(scene, view(edges));
  assert.deepEqual([...codes.keys()], ["C", "B", "A", "Rain"]);
  hints.carry("C", "Capital");
  assert.equal(createHints("figure 1").codesFor(scene, view([])).get("Capital"), codes.get("C"));
  assert.notDeepEqual([...createHints("figure 2").codesFor(scene, view([]))], [...codes]);
});
