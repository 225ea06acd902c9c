// Joining of printed texts to one name, and correction of misread ones. Part of the commands of the canvas.

import { centreOf } from "../geometry.js";
import { inOrder, joinedName, unionOf, whyApart } from "../joining.js";

/** Commands about printed texts that are no correct names as read. @param {import("../types.d.ts").Canvas} c */
export function createJoining(c) {
  const { ui } = c;
  const view = () => c.graph.view();

  /** The texts in the region, or those that were Shift-clicked one after the other. */
  function toJoin() {
    if (ui.region !== null) return inOrder(c.commands.inRegion().places);
    return inOrder(ui.run.flatMap((name) => c.placeOf("node", name) ?? []));
  }

  const printedBox = (place) => place?.word?.box ?? place?.node?.box ?? null;

  function explain(why) {
    c.say(why);
    c.draw();
  }

  /** Show the name of the chosen texts, to be edited and confirmed before anything is joined. */
  function join() {
    const places = toJoin();
    const why = c.isEditable()
      ? whyApart(places, c.scene.places, view().edges.values())
      : "This graph is closed to changes.";
    if (why !== "") return void explain(why);
    const nodes = places.filter(({ kind }) => kind === "node").map(({ name }) => name);
    const note = nodes.length > 1 ? ` (${nodes.length} nodes become one)` : "";
    c.nameBox.open({
      box: unionOf(places.map(({ box }) => box)),
      value: joinedName(places),
      label: `One name for ${places.map(({ name }) => `“${name}”`).join(" and ")}${note}`,
      names: [],
      at: null,
      mode: "rename",
      onTake: (text) => take(text, nodes, places),
      onLeave: () => c.home().focus({ preventScroll: true }),
    });
    return undefined;
  }

  function take(name, nodes, places) {
    const words = places.filter(({ kind }) => kind === "word").map(({ word: { text, box } }) => ({ text, box }));
    if (c.act("join_names", { name, nodes, words }) === null) return;
    c.commands.endRegion();
    Object.assign(ui, { run: [], armed: null });
    c.commands.choose("node", name);
    c.say(`Joined: ${name}. Ctrl Z takes it apart.`);
    c.draw();
    c.focusOn("node", name);
  }

  return {
    /** Let the page read the box of a text or node again; the result is proposed as its name. */
    reread() {
      const place = c.here();
      const box = printedBox(place);
      if (!c.data.rereads || !c.isEditable()) return void explain("The figure cannot be read again here.");
      if (place === null || box === null) return void explain("Choose a printed text, or a node that lies on one.");
      const n = Math.max((ui.rereading?.n ?? 0) + 1, Date.now());
      ui.rereading = { n, kind: place.kind, key: place.key };
      c.setState("reread", { box, n });
      return void explain(`Reading the box of ${place.name} again…`);
    },
    hearReading() {
      const { reading } = c.data;
      const request = ui.rereading;
      if (request === null || reading?.n !== request.n) return;
      ui.rereading = null;
      const place = c.placeOf(request.kind, request.key);
      if (place === null || reading.text === "") return void c.say(reading.why || "Nothing was read in the box.");
      if (place.kind === "node") c.commands.renameTo(place.name, reading.text);
      else c.commands.mendText(place, reading.text);
      c.say(`Read: ${reading.text}.`);
    },
    join,
    toJoin,
    /** Turn a printed text into a node with the typed name and its own box.
     * @param {import("../types.d.ts").Place} place */
    mendText(place, value = place.name) {
      const { name, word } = place;
      c.nameBox.open({
        box: place.box,
        value,
        label: `Correct name for “${name}”`,
        names: c.allNames().filter((other) => other !== name),
        at: null,
        mode: "rename",
        onTake: (text) => {
          if (text === name || view().nodes.has(text)) {
            const why = text === name ? null : `${text} is a node already. Draw from it, or join the two.`;
            if (why === null) c.commands.ensure(place);
            return void explain(why ?? `${name} is a node.`);
          }
          const [x, y] = centreOf(word.box);
          /** @type {import("../../transcription/types.d.ts").TranscriptionActs["place_node"]} */
          const at = { name: text, ...c.inside(x, y), box: c.clipped(word.box), origin: "printed" };
          if (c.act("place_node", at) === null) return undefined;
          c.commands.choose("node", text);
          explain(`${name} is now the node ${text}.`);
          return void c.focusOn("node", text);
        },
        onLeave: () => c.home().focus({ preventScroll: true }),
      });
    },
  };
}
