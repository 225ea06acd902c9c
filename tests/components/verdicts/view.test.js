// The desk's view: acts laid over the data, as the store will take them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { apartFrom, itemAtMark, nextMissing, piecesOf, viewOf } from "../../../components/verdicts/view.js";

const FIELDS = [
  {
    key: "graph.presence_label",
    title: "Presence",
    choices: [],
    settles: [{ label: "PRESENCE_NO_MATCH", key: "graph.directionality_label", to: "DIRECTION_NA" }],
  },
  { key: "graph.directionality_label", title: "Direction", choices: [], settles: [] },
];
const ITEM = {
  number: 4,
  names: ["a", "b"],
  at: [0, 1],
  own: {},
  is_compared: false,
  is_flagged: false,
  judges: [],
  stands: {},
  score: null,
  rulings: [],
  oddities: [],
  warnings: [],
  marks: [],
  quotes: [],
};
/** @type {any} */
const DATA = {
  state: "open",
  halted: false,
  section: "edge_precision",
  fields: FIELDS,
  items: [ITEM, { ...ITEM, number: 9 }],
  links: [],
};
const label = (said, field = "presence_label", number = 4) => ({
  id: "",
  seq: 0,
  kind: "label",
  number,
  block: "graph",
  field,
  label: said,
});

test("a presence without a match settles the direction, and another gives it free", () => {
  const none = viewOf(DATA, [label("PRESENCE_NO_MATCH")]).items[0];
  assert.deepEqual(none.own, {
    "graph.presence_label": "PRESENCE_NO_MATCH",
    "graph.directionality_label": "DIRECTION_NA",
  });
  assert.deepEqual(none.missing, []);
  const strong = viewOf(DATA, [label("PRESENCE_NO_MATCH"), label("PRESENCE_STRONG_MATCH")]).items[0];
  assert.deepEqual(strong.missing, ["graph.directionality_label"]);
  const own = viewOf(DATA, [
    label("PRESENCE_NO_MATCH"),
    label("DIRECTION_REVERSED", "directionality_label"),
    label(null),
  ]).items[0];
  assert.deepEqual(own.own, { "graph.directionality_label": "DIRECTION_REVERSED" });
});

test("what is on its way counts as done, and only the open sheet may be changed", () => {
  const view = viewOf(DATA, [
    { id: "", seq: 0, kind: "compare", number: 4 },
    { id: "", seq: 0, kind: "flag", number: 9, note: "x" },
  ]);
  assert.deepEqual([view.done, view.isOpen], [2, true]);
  assert.equal(viewOf({ ...DATA, state: "submitted" }, []).isOpen, false);
  assert.equal(viewOf(DATA, [{ id: "", seq: 0, kind: "submit" }]).isOpen, false);
});

const NONE = { "graph.presence_label": "PRESENCE_NO_MATCH", "graph.directionality_label": "DIRECTION_NA" };
const OWN = { "graph.presence_label": "PRESENCE_STRONG_MATCH", "graph.directionality_label": "DIRECTION_NA" };

test("labels differ where they differ from any judge's, and only once these are shown", () => {
  const judges = [
    { name: "other", is_corrected: false, labels: { ...OWN, "graph.directionality_label": "DIRECTION_REVERSED" } },
    { name: "this", is_corrected: true, labels: NONE },
    { name: "silent", is_corrected: false, labels: {} },
  ];
  const view = viewOf(
    {
      ...DATA,
      items: [
        { ...ITEM, own: OWN, judges },
        { ...ITEM, own: OWN },
      ],
    },
    [],
  );
  assert.deepEqual(view.items[0].apart, ["graph.presence_label", "graph.directionality_label"]);
  assert.deepEqual(
    judges.map((judge) => apartFrom(DATA, view.items[0], judge)),
    [["graph.directionality_label"], ["graph.presence_label"], []],
  );
  assert.deepEqual(view.items[1].apart, []);
});

test("a difference from the corrected judge is unanswered until the user rules on it", () => {
  const judge = (labels, is_corrected) => ({ name: "j", is_corrected, labels });
  const ruling = { words: "", by: "", is_mine: true };
  const items = [
    { ...ITEM, number: 1, own: OWN, judges: [judge(NONE, true)] },
    { ...ITEM, number: 2, own: OWN, judges: [judge(NONE, true)], rulings: [ruling] },
    { ...ITEM, number: 3, own: OWN, judges: [judge(NONE, true)], rulings: [ruling] },
    { ...ITEM, number: 4, own: OWN, judges: [judge(NONE, false), judge(OWN, true)] },
    { ...ITEM, number: 5, own: OWN, judges: [judge(NONE, true)] },
  ];
  const acts = [
    { id: "", seq: 0, kind: "take_back", number: 3 },
    { id: "", seq: 0, kind: "concede", number: 5 },
  ];
  const unanswered = viewOf({ ...DATA, items }, acts).items.filter(({ isUnanswered }) => isUnanswered);
  assert.deepEqual(
    unanswered.map(({ number }) => number),
    [1, 3],
  );
});

test("the next field without a label is sought round the end", () => {
  const item = viewOf(DATA, [label("DIRECTION_NA", "directionality_label")]).items[0];
  assert.equal(nextMissing(DATA, item, "graph.directionality_label"), "graph.presence_label");
  assert.equal(nextMissing(DATA, viewOf(DATA, [label("PRESENCE_NO_MATCH")]).items[0], null), null);
});

test("a text is cut at the ends of marks, and nothing of it is lost", () => {
  const marks = [
    { start: 2, end: 6, kind: "one" },
    { start: 4, end: 8, kind: "two" },
    { start: 0, end: 0, kind: "nowhere" },
  ];
  const pieces = piecesOf("0123456789", marks);
  assert.equal(pieces.map(({ start, end }) => "0123456789".slice(start, end)).join(""), "0123456789");
  assert.deepEqual(
    pieces.map(({ kinds }) => kinds),
    [[], ["one"], ["one", "two"], ["two"], []],
  );
});

test("a mark leads to the next item that has it, round the end", () => {
  const items = [{ marks: [{ start: 3 }] }, { marks: [] }, { marks: [{ start: 3 }, { start: 9 }] }];
  assert.deepEqual([itemAtMark(items, 3, 1), itemAtMark(items, 9, 0), itemAtMark(items, 5, 0)], [2, 2, -1]);
});
