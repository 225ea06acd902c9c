// Commands of keys and buttons of the text desk.

import { nextKind, stepped } from "./view.js";
import { changeWords, findingWords } from "./words.js";

/** @typedef {import("../desk/types.d.ts").Frame} Frame */

/** @param {Frame} c */
export const createCommands = (c) => ({ ...createRuling(c), ...createGoing(c), ...createLooking(c) });

/** @param {Frame} c */
function createRuling(c) {
  const { ui } = c;

  /** The stretch to replace: the marked one, or the chosen finding. */
  function stretch() {
    const marked = c.text.marked();
    if (marked !== null) return marked;
    const finding = ui.finding === null ? undefined : c.data.findings[ui.finding];
    if (finding === undefined) return null;
    return c.text.standingBetween(finding.start, finding.end);
  }

  return {
    rule() {
      if (c.isClosed()) return;
      const change = c.changeOf(ui.change);
      if (change === undefined) return void c.say("Choose a change first (n).");
      const stage = c.stage();
      const isRejected = c.view.isRejected(stage.id, change.number);
      const kind = isRejected ? "restore_change" : "reject_change";
      if (c.act(kind, { text: stage.id, number: change.number }) === null) return;
      c.say(isRejected ? "Restored." : "Rejected.");
    },
    mark() {
      if (c.isClosed()) return;
      if (!c.isLast()) return void c.say("Words are replaced in the last stage only (Enter).");
      const marked = stretch();
      if (marked === null) return void c.say("Mark the words to replace first.");
      c.mark.open({ stage: c.stage().id, ...marked });
    },
    ready() {
      if (c.isClosed()) return;
      if (c.view.isReady) return void c.say("This text is ready.");
      if (c.view.isSettling) return;
      const [first] = c.data.hindrances;
      if (first !== undefined && c.pending().length === 0) {
        c.notices.add(c.data.hindrances.join(" "));
        return void c.say(first);
      }
      c.act("ready");
      c.say("Making the text ready.");
    },
  };
}

/** @param {Frame} c */
function createGoing(c) {
  const { ui } = c;

  function chooseChange(number) {
    if (number === null) return void c.say("This stage has no changes.");
    Object.assign(ui, { change: number, finding: null });
    c.draw();
    c.text.reveal();
    c.list.reveal();
    const change = c.changeOf(number);
    c.say(changeWords({ ...change, was: c.text.wasOf(number) }, c.view.isRejected(c.stage().id, number)));
  }

  function chooseFinding(n) {
    if (!c.isLast()) openStage(c.data.stages.length - 1);
    Object.assign(ui, { finding: n, change: null });
    c.draw();
    c.text.reveal();
    c.list.reveal();
    const finding = c.data.findings[n];
    c.say(`${findingWords(finding)}: ${finding.text}`);
  }

  function openStage(n) {
    Object.assign(ui, { stage: n, change: null, finding: null, kind: "" });
    c.drafts.keep({ stage: c.stage().id });
    c.draw();
    c.text.element.scrollTop = 0;
    c.say(`${c.stage().label}: ${c.stage().changes.length} changes.`);
  }

  return {
    chooseChange,
    chooseFinding,
    openStage,
    next: () => chooseChange(stepped(c.listed(), ui.change, 1)),
    previous: () => chooseChange(stepped(c.listed(), ui.change, -1)),
    finding() {
      const many = c.data.findings.length;
      if (many === 0) return void c.say("There are no findings.");
      chooseFinding(ui.finding === null ? 0 : (ui.finding + 1) % many);
    },
    enter() {
      if (c.isLast()) c.commands.ready();
      else openStage(ui.stage + 1);
    },
    back() {
      if (ui.stage > 0) openStage(ui.stage - 1);
    },
  };
}

/** @param {Frame} c */
function createLooking(c) {
  const { ui } = c;

  function listKind(kind) {
    Object.assign(ui, { kind, change: null });
    c.draw();
    c.say(kind === "" ? "All changes." : `Changes of kind ${kind}.`);
  }

  return {
    listKind,
    kind: () => listKind(nextKind(c.stage().changes, ui.kind)),
    only() {
      ui.only = !ui.only;
      c.draw();
      c.text.reveal();
      c.say(ui.only ? "Only paragraphs with changes or findings." : "The whole text.");
    },
    search: () => c.search.open(),
  };
}
