// How lines and boxes are drawn: what a person must tell apart has a form of its own, whatever its colour.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CLASSES, edgeItem, meaningOf, nodeItem } from "../../../components/graph/look.js";

const figure = () => ({
  palette: { ink: "#000000", paper: "#ffffff", classes: { plain: "#333333", missed: "#0000ff" } },
  ids: new Map(),
  nextId: 0,
});
const edge = (style) => edgeItem(figure(), { ref: "e", from: 0, to: 1, bend: 0, style }, [0, 1], false);
const node = (style) => nodeItem(figure(), { ref: "n", label: "Rain", style }, 0, false);
const formOf = ({ dashes, arrows }) => JSON.stringify([dashes, arrows.from.enabled, arrows.to]);

test("lines of a comparison, and of graphs that are not compared, differ in form", () => {
  for (const group of [["matched", "missed", "spurious", "reversed", "both", "truth", "prediction", "link"]]) {
    const forms = group.map((style) => formOf(edge(style)));
    assert.equal(new Set(forms).size, group.length, String(forms));
  }
});

test("only a link has no head", () => {
  for (const style of CLASSES) assert.equal(edge(style).arrows.to.enabled, true, style);
  assert.equal(edge("link").arrows.to.enabled, false);
});

test("what is not compared says which graph has it, in the colour of a plain line", () => {
  for (const [style, words] of [
    ["both", "both"],
    ["truth", "truth only"],
    ["prediction", "prediction only"],
  ]) {
    assert.equal(edge(style).color.color, "#333333");
    assert.equal(meaningOf(style, ["truth", "prediction"]), words);
  }
  assert.equal(edge("missed").color.color, "#0000ff");
});

test("boxes that one graph alone has differ in form", () => {
  const forms = ["both", "truth", "prediction"].map((style) => {
    const { borderRadius, borderDashes } = node(style).shapeProperties;
    return JSON.stringify([borderRadius, borderDashes]);
  });
  assert.equal(new Set(forms).size, 3);
});

test("signs have colours where a person asks for them, and only lines that are in no comparison", () => {
  const asked = { ...figure(), hasSignColours: true };
  asked.palette.signed = { "+": "#00ff00", "−": "#ff00ff" };
  const colourOf = (style, mark) =>
    edgeItem(asked, { ref: "e", from: 0, to: 1, bend: 0, style, mark }, [0, 1], false).color.color;
  assert.deepEqual([colourOf("plain", "+"), colourOf("plain", "−")], ["#00ff00", "#ff00ff"]);
  assert.deepEqual([colourOf("plain", ""), colourOf("missed", "+")], ["#333333", "#0000ff"]);
  asked.hasSignColours = false;
  assert.equal(colourOf("plain", "+"), "#333333");
});
