// Several proposals in one act: at a node, in a region of the figure, or of a kind. Part of the commands.

import { count } from "../../desk/dom.js";
import { ARROWS } from "../geometry.js";
import { kindsOf, kindText } from "../kinds.js";
import { contentsOf, middleOf, stepped } from "../region.js";

const MOST = 1000; // proposals of one act; components/transcription/acts.py refuses more
const DONE = { accept: "Accepted", refuse: "Rejected" };

/** Commands about several proposals. @param {import("../types.d.ts").Canvas} c */
export function createMany(c) {
  const { ui } = c;
  const proposals = () => [...c.graph.view().proposals.values()];

  /** One act about the proposals of these ids; `by` says how they were chosen. Null if not possible.
   * @param {"accept" | "refuse"} kind
   * @param {string[]} ids
   * @param {"certain" | "node" | "region" | "kind"} by */
  function answerAll(kind, ids, by) {
    const answered = proposals().filter(({ id }) => ids.includes(id));
    const done =
      answered.length > 0 ? c.act(kind, { proposal_ids: answered.map(({ id }) => id).slice(0, MOST), by }) : null;
    if (done === null) return null;
    if (!c.graph.view().proposals.has(ui.proposal ?? "")) {
      ui.proposal = null;
      if (ui.chosen?.kind === "proposal") ui.chosen = null;
    }
    const open = answered.filter(({ is_certain: isCertain }) => !isCertain).length;
    const uncertain = kind === "accept" && open > 0 ? `, ${open} of them not certain` : "";
    c.say(`${DONE[kind]}: ${count(Math.min(answered.length, MOST), "proposal")}${uncertain}. Ctrl Z takes all back.`);
    c.draw();
    return done;
  }

  const idsAt = (name) =>
    proposals()
      .filter(({ source, sink }) => source === name || sink === name)
      .map(({ id }) => id);

  function answerAt(kind, name) {
    const ids = name === null ? [] : idsAt(name);
    if (name === null) return void c.say("Choose a node first.");
    if (ids.length === 0) return void c.say(`No proposals at ${name}.`);
    c.commands.disarm();
    return void answerAll(kind, ids, "node");
  }

  const inRegion = () => (ui.region === null ? { proposals: [], places: [] } : contentsOf(ui.region, c.scene));

  function endRegion() {
    ui.region = null;
    c.viewport.toggleAttribute("data-region", false);
    c.drawBand(null);
  }

  function setRegion(region) {
    ui.region = region;
    c.draw();
  }

  return {
    answerAll,
    idsAt,
    answerAt,
    acceptNode: () => answerAt("accept", c.here()?.name ?? null),
    inRegion,
    endRegion,
    setRegion,
    /** Start or end a region. */
    region() {
      if (ui.region !== null) {
        endRegion();
        return void c.draw();
      }
      if (!c.isEditable()) return void c.say("This graph is closed to changes.");
      c.commands.disarm();
      c.selection.select(null);
      Object.assign(ui, { proposal: null, chosen: null });
      c.viewport.toggleAttribute("data-region", true);
      c.home().focus({ preventScroll: true });
      setRegion(middleOf(c.panZoom.seen()));
      return void c.say(
        "Region: draw around proposals or texts. Arrow keys move the region; with Shift they move its corner.",
      );
    },
    /** @param {KeyboardEvent} event */
    stepRegion({ key, shiftKey }) {
      if (ui.region === null) return;
      const { origin, width, height } = c.data.figure;
      const [dx, dy] = ARROWS[key];
      const step = 14 / c.panZoom.scale;
      /** @type {import("../types.d.ts").Box} */
      const area = [origin[0], origin[1], origin[0] + width, origin[1] + height];
      setRegion(stepped(ui.region, [dx * step, dy * step], shiftKey, area, c.scene.unit));
      const { proposals: ids, places } = inRegion();
      c.say(`${count(ids.length, "proposal")}, ${count(places.length, "text")} in the region.`);
    },
    answerRegion(kind) {
      const { proposals: ids } = inRegion();
      if (ids.length === 0) return void c.say("No proposal has both ends in the region.");
      if (answerAll(kind, ids, "region") === null) return undefined;
      endRegion();
      return void c.draw();
    },
    /** List the kinds of the current proposal with their counts; all of the chosen kind are rejected. */
    rejectKind() {
      const proposal = c.graph.view().proposals.get(ui.proposal ?? "");
      if (proposal === undefined) return void c.say("No proposal is chosen. P goes to the next.");
      const kinds = kindsOf(proposal, proposals());
      if (kinds.length === 0) return void c.say("No other proposal is of the same kind.");
      const { top, left, width } = c.viewport.getBoundingClientRect();
      const line = c.scene.lines.find(({ kind, key }) => kind === "proposal" && key === proposal.id);
      const { x, y } = line
        ? c.panZoom.toScreen(line.curve.middle.x, line.curve.middle.y)
        : { x: left + width / 2, y: top };
      const reject = (kind) => () =>
        c.commands.answer(() => answerAll("refuse", kind.ids, "kind"), "refuse", `Rejected: ${kindText(kind)}`);
      c.menu.open(
        x - left,
        y - top,
        "Reject all of a kind",
        kinds.map((kind) => [`Reject ${kindText(kind)}`, reject(kind)]),
      );
      return undefined;
    },
  };
}
