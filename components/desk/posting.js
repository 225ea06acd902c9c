// How a desk posts its acts: the poster of its outbox, and what the page is told after an answer.

import { createPoster } from "./poster.js";
import { createRedraw } from "./redraw.js";

const UNSAVED_MS = 1000;

/** @typedef {import("./types.d.ts").PostAnswer} PostAnswer */
/** @typedef {{act: import("./types.d.ts").Act, message?: string}} Refused */

/**
 * @param {() => import("./types.d.ts").Frame} frame
 * @param {() => any} outboxOf  the outbox, which is made with this poster
 * @param {(data: any, refused: Refused[]) => void} take  draws new data
 */
export function createPosting(frame, outboxOf, take) {
  /** @type {ReturnType<typeof createPoster> | null} */
  let poster = null;
  let toldUnsaved = false;
  const redraw = createRedraw(() => frame().setState("answered", Date.now()));

  /** @param {PostAnswer} answer */
  function onAnswer({ done, refused, data }) {
    const c = frame();
    const before = c.data;
    take(data ?? before, outboxOf().receive({ acked: done, refused, halted: before.halted }));
    const isAsBefore = c.data.editable === before.editable && c.data.halted === before.halted;
    if (data !== null && isAsBefore) redraw.soon();
    else redraw.now();
  }

  return {
    makePoster: (wiring) =>
      (poster = createPoster({ ...wiring, door: () => frame().data, onAnswer, onLost: redraw.now })),
    /** The page disables what must not be pressed while an act waits. */
    tellUnsaved() {
      const isUnsaved = poster !== null && outboxOf().waitsLongerThan(UNSAVED_MS);
      if (isUnsaved !== toldUnsaved) frame().setState("unsaved", (toldUnsaved = isUnsaved));
    },
    retry: () => poster?.retry(),
    stop: redraw.stop,
  };
}
