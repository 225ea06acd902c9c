import assert from "node:assert/strict";
import { test } from "node:test";

import {
  chunksOf,
  paragraphsOf,
  placed,
  runsOf,
  currentText,
  currentPlace,
  stretchOf,
} from "../../../components/texts/pieces.js";
import { countedTo, placesOf } from "../../../components/texts/places.js";

const change = (number, start, end, put = "", kind = "citation") => ({ number, start, end, put, kind });
const none = () => false;
const only = (number) => (each) => each.number === number;

test("a text stands with its changes, and as it was where they are rejected", () => {
  const text = "Rain (1) fills (2) the lake.";
  const changes = placed(text, [change(1, 4, 8), change(2, 14, 18, " nearly")]);
  assert.equal(currentText(text, changes, none), "Rain fills nearly the lake.");
  assert.equal(currentText(text, changes, only(1)), "Rain (1) fills nearly the lake.");
  assert.equal(
    currentText(text, changes, () => true),
    text,
  );
});

test("halves of a sentence stay apart where what stood between them is partly kept", () => {
  const text = "Rain fills\n\nA.\n\nB.\n\nthe lake.";
  const changes = placed(text, [change(1, 10, 14, ""), change(2, 14, 20, " ")]);
  assert.equal(currentText(text, changes, none), "Rain fills the lake.");
  assert.equal(currentText(text, changes, only(1)), "Rain fills\n\nA.\n\nthe lake.");
});

test("characters beyond the first plane count once, as in Python", () => {
  const text = "𝛼𝛽 rain [1] falls";
  assert.equal(placesOf(text).at(3), 5);
  assert.equal(placesOf(text).at(99), text.length);
  assert.equal(countedTo(text, text.indexOf("falls")), 12);
  const [known] = placed(text, [change(1, 7, 11)]);
  assert.equal(known.was, " [1]");
  const whole = currentText(text, [known], none);
  assert.deepEqual(stretchOf(whole, whole.indexOf("falls"), whole.length), { start: 8, end: 13, was: "falls" });
});

test("a place of the drawn text is found in the standing one", () => {
  const text = "Rain (1) fills (2) the lake.";
  const changes = placed(text, [change(1, 4, 8), change(2, 14, 18, " nearly")]);
  const at = (place, number = null, rejected = none) => currentPlace(place, number, changes, rejected);
  const whole = currentText(text, changes, none);
  assert.equal(whole.slice(at(text.indexOf("fills"))), "fills nearly the lake.");
  assert.equal(whole.slice(at(text.indexOf("lake"))), "lake.");
  assert.equal(whole.slice(at(3, 2)), "arly the lake."); // within the words put in
  assert.equal(at(6), 4); // within what is taken out: where it was
  assert.equal(at(6, null, only(1)), 6); // within what a rejected change left
});

test("a stretch is told without the blanks around it; of blanks alone there is none", () => {
  assert.deepEqual(stretchOf("Rain falls.", 11, 4), { start: 5, end: 11, was: "falls." });
  assert.equal(stretchOf("Rain   falls.", 4, 6), null);
});

test("runs are cut at changes and findings, and hold the whole text", () => {
  const text = "Rain (1) fills the lake.";
  const changes = placed(text, [change(1, 4, 8), change(2, 15, 18, "a")]);
  const runs = runsOf(text, changes, none, [[5, 12]]);
  assert.deepEqual(
    runs.map(({ role, text: words, findings }) => [role, words, findings]),
    [
      ["plain", "Rain", []],
      ["was", " (1)", []],
      ["plain", " ", []],
      ["plain", "fills ", [0]],
      ["was", "the", []],
      ["put", "a", [0]],
      ["plain", " lake.", []],
    ],
  );
  const left = runsOf(text, changes, only(1), []);
  assert.deepEqual(
    left.filter(({ role }) => role === "left").map(({ text: words, from }) => [words, from]),
    [[" (1)", 4]],
  );
});

test("paragraphs end at blank lines, chunks at some thousand characters, and nothing is lost", () => {
  const text = Array.from({ length: 200 }, (_, n) => `Paragraph ${n} of the text.\nIt has two lines.`).join("\n\n");
  const changes = placed(text, [change(1, 10, 12), change(2, 5000, 5900)]);
  const paragraphs = paragraphsOf(runsOf(text, changes, none));
  assert.equal(paragraphs.filter(({ hasChange }) => hasChange).length, 2);
  const chunks = chunksOf(paragraphs);
  const drawn = chunks.flat().flatMap(({ runs }) => runs);
  assert.equal(drawn.map(({ text: words }) => words).join(""), text);
  for (const run of drawn) assert.equal(text.slice(run.from, run.from + run.text.length), run.text);
  assert.ok(chunks.length > 3 && chunks.length < 6, String(chunks.length));
});
