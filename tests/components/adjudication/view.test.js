import assert from "node:assert/strict";
import { test } from "node:test";

import { boundsOfItem, courseUnder, deskScene } from "../../../components/adjudication/scene.js";
import { alignedName, changedKey, nextWaiting, viewOf } from "../../../components/adjudication/view.js";
import { itemText, outcomesOf, placeText, rulingWords } from "../../../components/adjudication/words.js";

const WHY = { reasons: [], comment: "", is_gap: false };
const marks = [{ sign: "+", delay: false }];
const DATA = {
  names: [{ key: "n1", name: "Harvests", reference: null, offers: ["Harvest"], ruling: null }],
  differences: [
    { key: "d1", kind: "arrow", source: "Rain", sink: "Harvest", a: marks, b: [], ruling: null },
    { key: "d2", kind: "direction", source: "Price", sink: "Rain", a: marks, b: marks, ruling: null },
  ],
  own: [],
  waiting: ["n1", "d1", "d2"],
  arrows: [{ source: "Rain", sink: "Price", sign: "+", delay: false, origin: "both" }],
  nodes: [
    { name: "Rain", wording: "Rain", a: "Rain", b: "Rainfall", box: null, at: [10, 10] },
    { name: "Harvest", wording: "Harvest", a: "Harvest", b: null, box: null, at: [80, 10] },
    { name: "Price", wording: "Price", a: "Price", b: "Price", box: null, at: [80, 90] },
  ],
  courses: [],
  words: [],
  read: [],
  figure: { width: 110, height: 100, origin: [0, 0] },
};

test("a ruling that waits for its answer counts as ruled", () => {
  const before = viewOf(DATA, []);
  assert.deepEqual([before.all, before.left, before.ruled], [3, 3, 0]);
  const after = viewOf(DATA, [{ kind: "rule", key: "d1", choice: "A", ...WHY }]);
  assert.deepEqual([after.left, after.ruled, after.isUnsettled], [2, 1, false]);
  assert.equal(rulingWords(after.byKey.get("d1")), "A");
});

test("after a ruling about a name, and after an undo, only the store knows what differs", () => {
  const named = {
    kind: "rule_name",
    name: "Harvests",
    choice: "A",
    reference: "Harvest",
    name_class: "minor",
    wording: "",
    ...WHY,
  };
  const view = viewOf(DATA, [named]);
  assert.equal(view.isUnsettled, true);
  assert.equal(rulingWords(view.byKey.get("n1")), "A's wording");
  assert.equal(viewOf(DATA, [{ kind: "undo" }]).isUnsettled, true);
});

test("a ruling taken back waits again", () => {
  const acts = [
    { kind: "rule", key: "d1", choice: "B", ...WHY },
    { kind: "take_back", key: "d1" },
  ];
  const view = viewOf(DATA, acts);
  assert.deepEqual([view.left, view.byKey.get("d1").ruling], [3, null]);
});

test("an own arrow replaces the one both drew, between the names that stand", () => {
  const added = {
    kind: "set_arrow",
    source: "Rainfall",
    sink: "Price",
    is_there: false,
    sign: "",
    delay: false,
    ...WHY,
  };
  const view = viewOf(DATA, [added]);
  assert.deepEqual(view.agreed, []);
  assert.deepEqual(
    view.own.map(({ own }) => [own.source, own.sink, own.is_there]),
    [["Rain", "Price", false]],
  );
  assert.equal(alignedName(DATA, "A new one"), "A new one");
});

test("the next that waits is sought round the end", () => {
  const { items } = viewOf(DATA, [{ kind: "rule", key: "d2", choice: "A", ...WHY }]);
  assert.equal(nextWaiting(items, "d1").key, "n1");
  assert.equal(nextWaiting(items, null).key, "n1");
  assert.equal(nextWaiting([], "d1"), null);
});

test("what another page's answer has changed is found", () => {
  const ruled = {
    ...DATA,
    differences: [DATA.differences[0], { ...DATA.differences[1], ruling: { choice: "A" } }],
  };
  assert.equal(changedKey(DATA, ruled), "d2");
  assert.equal(changedKey(DATA, DATA), null);
});

test("items are told by the names that stand", () => {
  const view = viewOf(DATA, []);
  const named = (name) => (name === "Rain" ? "Rainfall" : name);
  assert.equal(itemText(view.byKey.get("d1"), named), "Rainfall → Harvest");
  assert.equal(itemText(view.byKey.get("n1"), named), "Harvests ≈ Harvest");
  assert.equal(itemText(view.agreed[0], named), "Rainfall → Price +");
  assert.equal(placeText(view.byKey.get("d2"), view.items), "Edge 2 of 2");
  assert.deepEqual(outcomesOf({ kind: "direction", a_says: "x", b_says: "y" })[3], ["neither", "no edge between them"]);
});

test("each side's arrow has a line, and what is ruled out is drawn so", () => {
  const acts = [{ kind: "rule", key: "d2", choice: "A", ...WHY }];
  const view = viewOf(DATA, acts);
  const scene = deskScene(view, DATA, new Map());
  const fates = scene.lines.map(({ edge }) => [edge.item, edge.side, edge.fate, `${edge.source}>${edge.sink}`]);
  assert.deepEqual(fates, [
    [view.agreed[0].key, "both", "", "Rain>Price"],
    ["d1", "a", "waits", "Rain>Harvest"],
    ["d2", "a", "in", "Price>Rain"],
    ["d2", "b", "out", "Rain>Price"],
  ]);
  const bounds = boundsOfItem(scene, view.byKey.get("d1"), ["Harvest"]);
  assert.ok(bounds[0] <= 10 && bounds[2] >= 80);
  assert.equal(boundsOfItem(scene, { key: "none" }, []), null);
});

test("lines lie on the print under each one's edge: of both A's, else B's, and of two arrows the one with the sign", () => {
  const course = (side, sign, path) => ({ side, source: "Rain", sink: "Harvest", sign, path });
  const [low, high, other] = [1, 2, 3].map((y) => [
    [0, y],
    [9, y],
  ]);
  const under = (courses, side, sign = "") => courseUnder(courses, side, "Rain", "Harvest", sign);
  assert.equal(under([course("b", "", low)], "both"), low);
  assert.equal(under([course("b", "", low), course("a", "+", high)], "both"), high);
  assert.equal(under([course("b", "", low)], "a"), null);
  assert.equal(under([course("a", "+", low), course("a", "-", high)], "a", "-"), high);
  assert.equal(under([course("a", "+", low), course("a", "-", high)], "a"), null);
  assert.equal(courseUnder([course("a", "", other)], "a", "Harvest", "Rain", ""), null);

  const data = { ...DATA, courses: [course("a", "+", low)] };
  const line = deskScene(viewOf(data, []), data, new Map()).lines.find(({ edge }) => edge.item === "d1");
  assert.deepEqual(line.points, low);
});

test("what was read and neither drew is listed, drawn on its course, and gone once it is set", () => {
  const path = [
    [80, 90],
    [80, 50],
    [80, 10],
  ];
  const ends = { source: "Price", sink: "Harvest", sign: "-", delay: false };
  const read = { ...ends, is_turned: false, other_marks: "", sentence: "s", path };
  const data = { ...DATA, read: [read] };
  const view = viewOf(data, []);
  assert.deepEqual([view.all, view.left], [3, 3]); // nobody has to answer it
  const [item] = view.read;
  assert.equal(view.byKey.get(item.key), item);
  assert.equal(
    itemText(item, (name) => name),
    "Price → Harvest −",
  );
  assert.equal(placeText(item, view.items), "Read by the program only");
  const [other] = viewOf({ ...data, read: [{ ...read, other_marks: "sign" }] }, []).read;
  assert.equal(placeText(other, view.items), "Read with another sign");
  const line = deskScene(view, data, new Map()).lines.find(({ edge }) => edge.side === "read");
  assert.deepEqual([line.edge.item, line.edge.path], [item.key, path]);
  const set = { kind: "set_arrow", source: "Price", sink: "Harvest", is_there: true, sign: "-", delay: false, ...WHY };
  assert.deepEqual(viewOf(data, [set]).read, []);
});

test("what the program read about a difference is listed once it is ruled on", () => {
  const read = [
    { source: "Rain", sink: "Harvest", sign: "-", delay: false, path: [] },
    { source: "Rain", sink: "Price", sign: "-", delay: false, path: [] },
    { source: "Rain", sink: "Harvests", sign: "", delay: false, path: [] },
  ];
  const listed = (acts) => viewOf({ ...DATA, read }, acts).read.map(({ found }) => found.sink);
  assert.deepEqual(listed([]), ["Harvests"], "d1 and, the other way, d2 wait");
  assert.deepEqual(listed([{ kind: "rule", key: "d1", choice: "A", ...WHY }]), ["Harvest", "Harvests"]);
});
