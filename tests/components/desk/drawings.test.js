import assert from "node:assert/strict";
import { test } from "node:test";

import { createDrawings } from "../../../components/desk/drawings.js";

function counted() {
  const drawings = createDrawings();
  const drawn = [];
  const all = () => drawn.push("all");
  const pane = () => drawn.push("pane");
  return { drawings, drawn, all, pane };
}

test("outside of an act a drawing is done at once", () => {
  const { drawings, drawn, all } = counted();
  drawings.ask(all);
  drawings.ask(all);
  assert.deepEqual(drawn, ["all", "all"]);
});

test("an act draws once, at its end, and returns its value", () => {
  const { drawings, drawn, all, pane } = counted();
  const value = drawings.together(() => {
    drawings.ask(pane);
    drawings.together(() => drawings.ask(all));
    drawings.ask(pane);
    drawings.ask(all);
    assert.deepEqual(drawn, []);
    return 7;
  });
  assert.deepEqual([value, drawn], [7, ["pane", "all"]]);
});

test("what the drawing of the whole desk contains is not drawn again", () => {
  const { drawings, drawn, pane } = counted();
  const whole = () => {
    drawn.push("whole");
    drawings.ask(pane); // its list chose an edge, which its figure shows
    drawings.clear();
  };
  drawings.together(() => {
    drawings.ask(whole);
    drawings.ask(pane);
  });
  assert.deepEqual(drawn, ["whole"]);
});

test("a drawing may ask for another", () => {
  const { drawings, drawn, pane } = counted();
  drawings.together(() => drawings.ask(() => drawings.ask(pane)));
  assert.deepEqual(drawn, ["pane"]);
});

test("an act that fails still draws what it changed", () => {
  const { drawings, drawn, all } = counted();
  const failing = () =>
    drawings.together(() => {
      drawings.ask(all);
      throw new Error("closed");
    });
  assert.throws(failing, /closed/);
  drawings.ask(all);
  assert.deepEqual(drawn, ["all", "all"]);
});
