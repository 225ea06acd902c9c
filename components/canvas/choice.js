// The choice on the canvas, told to the page after a moment of rest, and the page's choice taken over.

const TELL_MS = 180; // a walk through the names by arrow keys is one choice, not ten script runs
const ECHO_MS = 5000; // the page's answer to a choice told here: it must not move a later one back

/** {tell(), hear(), share(), stop()}. @param {import("./types.d.ts").Canvas} c */
export function createChoice(c) {
  /** @type {string | null} */
  let told = null;
  let toldN = 0;
  /** @type {string | null} */
  let heardChoice = null;
  /** @type {number | null} */
  let telling = null;
  const echoes = new Map(); // id -> when it was told: its echo must not move the choice back

  function chosenId() {
    const { chosen } = c.ui;
    if (chosen?.kind === "node") return c.data.nodes.find(({ name }) => name === chosen.key)?.id;
    if (chosen?.kind !== "edge") return null;
    return c.data.edges.some(({ id }) => id === chosen.key) ? chosen.key : undefined; // its receipt is on the way
  }

  const chooseEdge = (id) =>
    Object.assign(c.ui, { chosen: { kind: "edge", key: id }, last: id, armed: null, proposal: null });

  function tell() {
    const id = chosenId();
    if (!c.data.tells_choice || id === undefined || id === told || telling !== null) return;
    telling = setTimeout(() => {
      telling = null;
      const now = chosenId();
      if (now === undefined || now === told) return;
      told = now;
      toldN = Math.max(toldN + 1, Date.now());
      echoes.set(told, Date.now());
      c.setState("choice", { id: told, n: toldN });
    }, TELL_MS);
  }

  function hear() {
    const { chosen } = c.data;
    if (awaited !== null && c.graph.view().edges.has(awaited)) chooseEdge(awaited);
    awaited = null;
    if (chosen === heardChoice) return;
    heardChoice = chosen;
    if (Date.now() - (echoes.get(chosen) ?? 0) < ECHO_MS) return;
    const found = c.data.nodes.find(({ id }) => id === chosen);
    if (chosen === null) c.ui.chosen = null;
    else if (c.graph.view().edges.has(chosen)) chooseEdge(chosen);
    else if (found) Object.assign(c.ui, { chosen: { kind: "node", key: found.name }, proposal: null });
    told = chosen;
  }

  // The list beside the figure has the same edge chosen, at once and without a script run: one selection, two bars.
  /** @type {string | null} */
  let shared = null;
  /** An edge that the list has chosen and that is not here yet: of two receipts of one act the list's came first.
   * @type {string | null} */
  let awaited = null;

  function share() {
    if (awaited !== null) return;
    const id = c.ui.chosen?.kind === "edge" ? c.ui.chosen.key : null;
    if (id === shared) return;
    shared = id;
    dispatchEvent(new CustomEvent("edgewise:chosen", { detail: { id, by: "figure", subject: c.data.subject } }));
  }

  function take({ detail: { id, by, subject } }) {
    if (by === "figure" || subject !== c.data.subject || id === shared) return;
    shared = id;
    const isHere = c.graph.view().edges.has(id);
    if (!isHere && id !== null) return void (awaited = id);
    awaited = null;
    if (isHere) chooseEdge(id);
    else if (c.ui.chosen?.kind === "edge") c.ui.chosen = null;
    c.draw();
  }
  addEventListener("edgewise:chosen", take);

  function stop() {
    clearTimeout(telling ?? undefined);
    removeEventListener("edgewise:chosen", take);
  }

  return { tell, hear, share, stop };
}
