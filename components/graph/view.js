// Holds one figure for each element of Streamlit, at its height, until the drawing code is loaded.
/** @type {WeakMap<Host, ReturnType<typeof placed>>} */
const figures = new WeakMap(); // by the element, which is the same at every rerun
const code = import("./picture.js"); // with vis-network, half a megabyte

/** @typedef {import("../desk/types.d.ts").Host} Host */
/** @typedef {ReturnType<typeof import("./picture.js").createPicture>} Picture */
/** @typedef {import("../figure/types.d.ts").Tell<import("./types.d.ts").DrawingState>} Tell */

/** @param {{parentElement: Host, data: import("./types.d.ts").DrawingData, setStateValue: Tell}} mounted */
export default function ({ parentElement, data, setStateValue }) {
  const figure = figures.get(parentElement) ?? placed(parentElement, data.height);
  figures.set(parentElement, figure);
  figure.tell = setStateValue;
  code.then(({ createPicture }) => {
    if (figure.gone) return;
    figure.picture ??= createPicture(figure.root, {
      onChoose: (chosen) => figure.tell("selection", chosen),
      onMoved: (moved) => figure.tell("moved", moved),
    });
    figure.picture.show(data);
  });
  return () => {
    figure.gone = true;
    figures.delete(parentElement);
    figure.picture?.close();
    figure.root.remove();
  };
}

/** The element of a figure at its final height, so that the page does not jump when the library is loaded.
 * @param {Host} parent
 * @param {number} height  pixels
 * @returns {{root: HTMLElement, picture: Picture | null, tell: Tell, gone: boolean}} */
function placed(parent, height) {
  const root = document.createElement("div");
  root.className = "figure";
  root.style.minHeight = `${height}px`;
  parent.append(root);
  return { root, picture: null, tell: () => {}, gone: false };
}
