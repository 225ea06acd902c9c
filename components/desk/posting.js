// How a desk posts its acts: the poster of its outbox, and what the page is told after an answer.

import { createPoster } from "./poster.js";
import { createRedraw } from "./redraw.js";

const UNSAVED_MS = 1000;

/** @typedef {import("./types.d.ts").PostAnswer} PostAnswer */

/**
 * @param {() => import("./types.d.ts").Frame} frame
 * @param {() => any} outboxOf  the outbox, which is made with this poster
 * @param {(data: any, done: string[], refused: {act: import("./types.d.ts").Act, message?: string}[]) => void} take
 *   draws the answer; data is null if only the page can tell what there is
 */
export function createPosting(frame, outboxOf, take) {
  /** @type {ReturnType<typeof createPoster>} */
  let poster;
  let toldUnsaved = 0;
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
    makePoster: (wiring) => (poster = createPoster({ ...wiring, door: () => frame().data, onAnswer, onLost })),
    /** The page disables what must not be pressed while an act waits. */
    tellUnsaved() {
      const { waiting, quietMs } = outboxOf().status();
      const unsaved = quietMs > UNSAVED_MS ? waiting : 0;
      if (unsaved !== toldUnsaved) frame().setState("unsaved", (toldUnsaved = unsaved));
    },
    retry: () => poster.retry(),
    stop: redraw.stop,
  };
}
