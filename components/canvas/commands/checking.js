// Checking: proposals one after the other, and the sweep. Part of the commands of the canvas.

import { idWithin } from "../../desk/uuid7.js";
import { spokenLine } from "../paint.js";

/** The commands about proposals and attestation. @param {import("../types.d.ts").Canvas} c */
export function createChecking(c) {
  const { ui } = c;
  const view = () => c.graph.view();

  const byDoubt = (a, b) => Number(b.is_doubtful) - Number(a.is_doubtful) || a.confidence - b.confidence;
  const inOrder = () => [...view().proposals.values()].sort(byDoubt);

  function showProposal(id) {
    c.commands.disarm();
    c.commands.choose("proposal", id);
    ui.proposal = id;
    c.draw();
    c.focusOn("proposal", id);
    const proposal = view().proposals.get(id);
    c.say(spokenLine("proposal", proposal));
  }

  function rule(kind) {
    const proposal = view().proposals.get(ui.proposal ?? "");
    if (proposal === undefined) return c.say("No proposal is chosen. P goes to the next.");
    const message = `${kind === "accept" ? "Accepted" : "Rejected"}: ${proposal.source} to ${proposal.sink}`;
    return answer(() => c.act(kind, { proposal_ids: [proposal.id], by: "" }), kind, message);
  }

  /** Answer the current proposal by `act` (null if not possible), then go to the one behind it. */
  function answer(act, kind, said) {
    const ids = inOrder().map(({ id }) => id);
    const id = ui.proposal ?? "";
    const rest = ids.slice(ids.indexOf(id) + 1).concat(ids.slice(0, ids.indexOf(id)));
    const done = act();
    if (done === null) return undefined;
    const [nextId] = rest.filter((each) => view().proposals.has(each)); // of several answered at once, none comes again
    ui.proposal = null;
    ui.chosen = null;
    if (nextId !== undefined) showProposal(nextId);
    else c.home().focus({ preventScroll: true });
    // The accepted edge is selected together with the next proposal: its marks may need a key.
    c.selection.select(kind === "accept" ? idWithin(done.id, done.kind === "accept" ? 1 : 0) : null); // of a list the first
    const next = view().proposals.get(nextId ?? "");
    c.say(`${said}. ${next ? `Next: ${spokenLine("proposal", next)}` : "No proposals left."}`);
    return void c.draw();
  }

  /** Mark a printed text as no variable, or as one again. */
  function dismiss(text, isNone) {
    if (c.act("not_a_variable", { text, is_none: isNone }) === null) return undefined;
    c.say(isNone ? `“${text}” is not a variable.` : `“${text}” may be a variable.`);
    return void (isNone && ui.sweep !== null ? c.sweep.next() : c.draw());
  }

  /** Mark a printed arrow as no edge, and go to the next without one. */
  function noEdge(id) {
    if (!view().arrows.has(id)) return void c.sweep.stepArrow(1);
    if (c.act("not_an_edge", { arrow: id, is_none: true }) === null) return undefined;
    c.say("Not an edge.");
    return void c.sweep.stepArrow(1);
  }

  /** Answers to questions of the sweep that are not about nodes. */
  const SETTLE = { arrow: ({ key }) => noEdge(key), word: ({ name }) => dismiss(name, true) };

  return {
    nextProposal() {
      const ids = inOrder().map(({ id }) => id);
      if (ids.length === 0) return c.say("There are no proposals.");
      return showProposal(ids[(ids.indexOf(ui.proposal ?? "") + 1) % ids.length]);
    },
    answer,
    /** Accept the current proposal; else the marks printed at the arrow of the selected edge. */
    accept() {
      if (ui.region !== null) return c.commands.answerRegion("accept");
      return ui.proposal === null && c.commands.hasPrinted() ? c.commands.takePrinted() : rule("accept");
    },
    refuse: () => (ui.region === null ? rule("refuse") : c.commands.answerRegion("refuse")),
    showProposal,
    acceptCertain() {
      const certain = inOrder().filter(({ is_certain: isCertain }) => isCertain);
      const ids = certain.map(({ id }) => id);
      if (ids.length === 0) return void c.say("No certain proposals left.");
      return void c.commands.answerAll("accept", ids, "certain");
    },
    /** In the sweep, settle the question and go to the next. Otherwise toggle the mark of one name. */
    tick() {
      const settle = SETTLE[ui.sweep?.kind ?? ""];
      if (settle) return void settle(ui.sweep);
      const node = view().nodes.get(c.sweepName() ?? c.here()?.name ?? "");
      if (!node) return void c.say("Choose a node first.");
      const { name } = node;
      if (c.act("attest", { node: name, swept: !node.swept }) === null) return undefined;
      c.say(node.swept ? `${name}: not swept.` : `${name} is swept: no more outgoing edges.`);
      if (ui.sweep !== null && !node.swept) return void c.sweep.next();
      return void c.draw();
    },
    sweep: () => (ui.sweep === null ? c.sweep.begin() : c.sweep.next()),
    nextArrow: () => c.sweep.stepArrow(1),
    previousArrow: () => c.sweep.stepArrow(-1),
    dismiss,
  };
}
