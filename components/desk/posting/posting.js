// Posting of a desk's acts: the poster of its outbox, and the reports to the page after an answer.

import { createPoster } from "./poster.js";
import { createRedraw } from "./redraw.js";

const UNSAVED_MS = 1000;

/** @typedef {import("../types.d.ts").DeskData} DeskData */
/** @typedef {import("../types.d.ts").PostAnswer} PostAnswer */
/** @typedef {import("../types.d.ts").Returned} Returned */
/** @typedef {ReturnType<typeof import("./outbox.js").createOutbox>} Outbox */

/**
 * @param {() => import("../types.d.ts").Frame} frame
 * @param {() => Outbox} outboxOf  the outbox, which is made with this poster
 * @param {(data: DeskData | null, done: string[], refused: Returned[]) => void} take
 *   draws the answer; data is null if only the page can explain the state
 */
export function createPosting(frame, outboxOf, take) {
  /** @type {ReturnType<typeof createPoster>} */
  let poster;
  let reportedUnsaved = 0;
  const redraw = createRedraw(() => frame().setState("answered", Date.now()));

  /** @param {PostAnswer} answer */
  function onAnswer({ done, refused, data }) {
    const before = frame().data;
    take(data, done, outboxOf().settle(done, refused));
    const { editable, halted } = frame().data;
    if (data !== null && editable === before.editable && halted === before.halted) redraw.soon();
    else redraw.now();
  }

  /** A server that was restarted knows neither the tab nor the fragment that its page drew: the whole page runs again. */
  const onLost = () => dispatchEvent(new PopStateEvent("popstate"));

  return {
    /** @param {Pick<Parameters<typeof createPoster>[0], "toSend" | "onChange">} wiring */
    makePoster: (wiring) => (poster = createPoster({ ...wiring, endpoint: () => frame().data, onAnswer, onLost })),
    /** Report unsaved acts to the page, which disables buttons while an act waits. */
    tellUnsaved() {
      const { waiting, quietMs } = outboxOf().status();
      const unsaved = quietMs > UNSAVED_MS ? waiting : 0;
      if (unsaved !== reportedUnsaved) frame().setState("unsaved", (reportedUnsaved = unsaved));
    },
    retry: () => poster.retry(),
    stop: redraw.stop,
  };
}
