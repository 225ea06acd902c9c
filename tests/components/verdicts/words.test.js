import assert from "node:assert/strict";
import { test } from "node:test";

import { comparedText } from "../../../components/verdicts/words.js";

test("with two judges, the comparison says whose labels a ruling is on", () => {
  const data = { fields: [{ key: "presence" }, { key: "semantic" }] };
  const labels = { presence: "MATCH", semantic: "EQUAL" };
  const judges = [
    { name: "Lima", is_corrected: true, labels },
    { name: "Quito", is_corrected: false, labels: { ...labels, semantic: "BROADER" } },
  ];
  const item = { judges, own: { ...labels, presence: "NONE" }, apart: ["presence", "semantic"], oddities: [] };
  assert.equal(
    comparedText(data, item),
    "Labels that differ from Lima: 1 of 2, Quito: 2 of 2. " +
      "Your ruling is on Lima alone; it changes no label of Quito.",
  );
  assert.equal(comparedText(data, { ...item, judges: [judges[0]] }), "Labels that differ from Lima: 1 of 2.");
});
