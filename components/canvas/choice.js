// The choice on the canvas, told to the page after a moment of rest, and the page's choice taken over.

const TELL_MS = 180; // a walk through the names by arrow keys is one choice, not ten script runs
const ECHO_MS = 5000; // the page's answer to a choice told here: it must not move a later one back

/** {tell(), hear(), share(), stop()}. @param {import("./types.d.ts").Canvas} c */
export function createChoice(c) {
  let told = null;
  let toldN = 0;
  let heardChoice = null;
  /** @type {number | null} */
  let telling = null;
  const echoes = new Map(); // id -> when it was told: its echo must not move the choice back

  const edgeOf = (id) => [...c.graph.view().edges.values()].find((edge) => edge.id === id);
  const takeEdge = ({ key }) =>
    Object.assign(c.ui, { chosen: { kind: "edge", key }, last: key, armed: null, proposal: null });

  function chosenId() {
    const { chosen } = c.ui;
    if (chosen?.kind === "node") return c.data.nodes.find(({ name }) => name === chosen.key)?.id;
    if (chosen?.kind !== "edge") return null;
    const id = c.graph.view().edges.get(chosen.key)?.id;
    return c.data.edges.some((edge) => edge.id === id) ? id : undefined; // undefined: its receipt is on the way
  }

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
    if (chosen === heardChoice) return;
    heardChoice = chosen;
    if (Date.now() - (echoes.get(chosen) ?? 0) < ECHO_MS) return;
    const edge = edgeOf(chosen);
    const found = c.data.nodes.find(({ id }) => id === chosen);
    if (edge) takeEdge(edge);
    else if (found) Object.assign(c.ui, { chosen: { kind: "node", key: found.name }, proposal: null });
    else if (chosen === null) c.ui.chosen = null;
    told = chosen;
  }

  // The list beside the figure has the same edge chosen, at once and without a script run: one selection, two bars.
  /** @type {string | null} */
  let shared = null;

  function share() {
    const { chosen } = c.ui;
    const id = (chosen?.kind === "edge" && c.graph.view().edges.get(chosen.key)?.id) || null;
    const known = c.data.edges.some((edge) => edge.id === id) ? id : null; // its receipt is on the way: no row has it yet
    if (known === shared) return;
    shared = known;
    dispatchEvent(new CustomEvent("edgewise:chosen", { detail: { id: known, by: "figure", subject: c.data.subject } }));
  }

  function take({ detail: { id, by, subject } }) {
    if (by === "figure" || subject !== c.data.subject || id === shared) return;
    shared = id;
    const edge = edgeOf(id);
    if (edge) takeEdge(edge);
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
