// Hands vis-network and the figure's code to every figure on the page; whichever of library and figure comes first
// makes the promise.
const slot = Symbol.for("edgewise.graph");
const waiting = (globalThis[slot] ??= deferred());

function deferred() {
  const made = {};
  made.promise = new Promise((resolve) => { made.resolve = resolve; });
  return made;
}

const vis = (() => {
  const exports = {};
  const module = { exports };
  /* vis-network */
  return exports;
})();

export default function () {}
