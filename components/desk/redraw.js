// When the page is drawn again after the desk was answered: it shows what the desk does not, such as what is left to do.

const QUIET_MS = 300;
const APART_MS = 2000;

/** @param {() => void} draw */
export function createRedraw(draw) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let waitsSince = 0;
  let last = 0;

  function now() {
    clearTimeout(timer);
    [waitsSince, last] = [0, Date.now()];
    draw();
  }

  return {
    now,
    /** After a short quiet, and at most every two seconds. */
    soon() {
      clearTimeout(timer);
      waitsSince ||= Date.now();
      const at = Math.max(last + APART_MS, Math.min(Date.now() + QUIET_MS, waitsSince + APART_MS));
      timer = setTimeout(now, at - Date.now());
    },
    stop: () => clearTimeout(timer),
  };
}
