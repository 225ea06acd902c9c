import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { createOutbox } from "../../../components/desk/outbox.js";
import { createStorage, openWindow } from "../browser.js";

const opened = [];

beforeEach(() => {
  openWindow();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_700_000_000_000 });
});
afterEach(() => {
  for (const outbox of opened.splice(0)) outbox.close();
  mock.timers.reset();
});

/** An outbox and what it has sent, newest last. */
function begun(subject = "canvas figure-1") {
  const sent = [];
  const outbox = createOutbox({ subject, send: (outgoing) => sent.push(outgoing) });
  opened.push(outbox);
  return { outbox, sent, texts: () => sent.at(-1)?.acts.map(({ text }) => text) };
}

const idsOf = (acts) => acts.map(({ id }) => id);

test("acts that come close together are sent once, in the order they were done", () => {
  const { outbox, sent, texts } = begun();
  for (const text of ["first", "second", "third"]) outbox.add("lines", { text });
  assert.equal(sent.length, 0);
  mock.timers.tick(60);
  assert.equal(sent.length, 1);
  assert.deepEqual(texts(), ["first", "second", "third"]);
  const seqs = sent[0].acts.map(({ seq }) => seq);
  assert.deepEqual(
    seqs,
    [...seqs].sort((a, b) => a - b),
  );
  assert.equal(new Set(seqs).size, 3);
});

test("acts of one turn of the browser's leave together when it is over, with no timer between", async () => {
  const { outbox, sent, texts } = begun();
  for (const text of ["first", "second"]) outbox.add("lines", { text });
  await Promise.resolve();
  assert.deepEqual([sent.length, texts()], [1, ["first", "second"]]);
  outbox.add("lines", { text: "third" });
  await Promise.resolve();
  assert.equal(sent.length, 1); // it came close behind
  mock.timers.tick(60);
  assert.deepEqual([sent.length, texts()], [2, ["first", "second", "third"]]);
});

test("the last act of a turn leaves at once, with those before it, unless it comes close behind another", () => {
  const { outbox, sent, texts } = begun();
  outbox.add("drop_fault", { text: "before" });
  outbox.add("lines", { text: "last" }, { isLast: true });
  assert.deepEqual([sent.length, texts()], [1, ["before", "last"]]);
  outbox.add("lines", { text: "close" }, { isLast: true });
  assert.equal(sent.length, 1);
  mock.timers.tick(60);
  assert.deepEqual([sent.length, texts()], [2, ["before", "last", "close"]]);
  mock.timers.tick(1_000);
  assert.equal(sent.length, 2);
});

test("the last act of a turn is kept and not sent while the outbox is halted", () => {
  const { outbox, sent } = begun();
  outbox.receive({ halted: true });
  outbox.add("lines", { text: "kept" }, { isLast: true });
  mock.timers.tick(1_000);
  assert.equal(sent.length, 0);
  assert.equal(outbox.pending().length, 1);
});

test("an act leaves when its id comes back, and only then", () => {
  const { outbox, sent } = begun();
  const [one, other] = [outbox.add("lines", { text: "one" }), outbox.add("lines", { text: "other" })];
  mock.timers.tick(60);
  outbox.receive({ acked: [one.id] });
  assert.deepEqual(idsOf(outbox.pending()), [other.id]);
  mock.timers.tick(4_000); // no answer: it is sent again, as another value
  assert.deepEqual(idsOf(sent.at(-1).acts), [other.id]);
  assert.notEqual(sent.at(-1).attempt, sent[0].attempt);
});

test("a refused act comes back with its reason, and what follows it stays", () => {
  const { outbox } = begun();
  const refused = outbox.add("connect", { source: "A" });
  const kept = outbox.add("connect", { source: "B" });
  const returned = outbox.receive({ refused: { [refused.id]: "There is one already." } });
  assert.deepEqual(returned, [{ act: refused, message: "There is one already." }]);
  assert.deepEqual(idsOf(outbox.pending()), [kept.id]);
});

test("an outbox that is halted keeps its acts and sends nothing until it may", () => {
  const { outbox, sent } = begun();
  outbox.receive({ halted: true });
  outbox.add("lines", { text: "kept" });
  mock.timers.tick(20_000);
  assert.equal(sent.length, 0);
  assert.equal(outbox.status().halted, true);
  outbox.receive({});
  mock.timers.tick(60);
  assert.equal(sent.length, 1);
});

test("acts of a tab that is gone are taken over by the next, before its own, and belong to nobody else", () => {
  const before = begun();
  before.outbox.add("lines", { text: "unsent" });
  opened.pop().close();
  mock.timers.tick(10_000);
  const other = begun("canvas figure-2");
  const next = begun();
  next.outbox.add("lines", { text: "new" });
  mock.timers.tick(60);
  assert.deepEqual(next.texts(), ["unsent", "new"]);
  assert.deepEqual(other.outbox.pending(), []);
  assert.equal(Object.keys(localStorage).filter((key) => key.startsWith("edgewise.outbox.")).length, 1);
});

test("acts of several tabs that are gone go in the order they were done", () => {
  const act = (n, text) => ({
    id: `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`,
    seq: n,
    kind: "lines",
    text,
  });
  const place = `edgewise.outbox.${encodeURIComponent("canvas figure-1")}.`;
  localStorage.setItem(`${place}one`, JSON.stringify([act(1, "first"), act(4, "fourth")]));
  localStorage.setItem(`${place}two`, JSON.stringify([act(3, "third"), act(2, "second"), act(4, "fourth")])); // one is there twice
  const { texts } = begun();
  mock.timers.tick(60);
  assert.deepEqual(texts(), ["first", "second", "third", "fourth"]);
});

test("acts of a tab that lives are left to it", () => {
  const first = begun();
  first.outbox.add("lines", { text: "mine" });
  const second = begun();
  mock.timers.tick(10_000);
  assert.deepEqual(second.outbox.pending(), []);
});

test("what a tab let go is its own again at once, and another's only after a while", () => {
  const before = begun();
  before.outbox.add("lines", { text: "unsent" });
  opened.pop().close();
  const { sessionStorage: own, localStorage: local } = globalThis;
  openWindow({ local }); // a sibling, which may look at a newer version
  const sibling = begun();
  mock.timers.tick(3_000);
  assert.deepEqual(sibling.outbox.pending(), []);
  openWindow({ local, session: own });
  assert.equal(begun().outbox.pending()[0].text, "unsent");
  opened.pop().close();
  openWindow({ local });
  mock.timers.tick(6_000); // the tab never came back
  assert.equal(sibling.outbox.pending()[0].text, "unsent");
});

test("what is no act in the browser's storage is passed over", () => {
  const key = `edgewise.outbox.${encodeURIComponent("canvas figure-1")}.gone`;
  localStorage.setItem(key, JSON.stringify([{ id: "1", seq: 1, kind: "lines" }, null, "act"]));
  const { outbox } = begun();
  assert.deepEqual(outbox.pending(), []);
  localStorage.setItem(key, "{half");
  mock.timers.tick(1_000);
  assert.deepEqual(outbox.pending(), []);
});

test("without room in the storage acts are sent all the same, and the outbox says so", () => {
  openWindow({ local: createStorage(20) });
  const { outbox, texts } = begun();
  outbox.add("lines", { text: "a long line that finds no room" });
  assert.equal(outbox.status().kept, false);
  mock.timers.tick(60);
  assert.deepEqual(texts(), ["a long line that finds no room"]);
});

test("no more goes at once than the server takes, and the rest follows", () => {
  const { outbox, sent } = begun();
  for (let n = 0; n < 450; n += 1) outbox.add("lines", { text: String(n) });
  mock.timers.tick(60);
  assert.equal(sent[0].acts.length, 200);
  outbox.receive({ acked: idsOf(sent[0].acts) });
  mock.timers.tick(60);
  assert.deepEqual([sent[1].acts.length, sent[1].acts[0].text], [200, "200"]);
});

test("half of an emoji, which could not be stored, is replaced", () => {
  const { outbox } = begun();
  assert.equal(outbox.add("lines", { text: "a\ud83db" }).text, "a\ufffdb");
  assert.equal(outbox.add("lines", { text: "a\ud83d\ude00b" }).text, "a😀b");
});
