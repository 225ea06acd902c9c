// Deferred work: done a few milliseconds at a time, so that keys are handled in between.

const SLICE_MS = 5;
const PAUSE_MS = 10;

/** Call `step(n)` once for each n below `count`, in order except those that are needed at once.
 * @param {number} count
 * @param {(n: number) => void} step */
export function inSlices(count, step) {
  const isDone = new Array(count).fill(false);
  let next = 0;
  let timer = count > 0 ? setTimeout(goOn, PAUSE_MS) : undefined;

  /** @param {number} n */
  function need(n) {
    if (isDone[n] !== false) return; // done, or out of range
    isDone[n] = true;
    step(n);
  }

  function goOn() {
    const end = performance.now() + SLICE_MS;
    while (next < count && performance.now() < end) need(next++);
    timer = next < count ? setTimeout(goOn, PAUSE_MS) : undefined;
  }

  return {
    need,
    /** Do the steps from `first` to `last`, both included, as far as they exist. */
    needAll(first = 0, last = count - 1) {
      for (let n = first; n <= last; n += 1) need(n);
    },
    stop: () => clearTimeout(timer),
  };
}
