// The figure with marks on it. Streamlit calls the default function at every rerun with the same parentElement;
// everything that must outlive a rerun (zoom, picture, focus) is stored here.

import { svg } from "../canvas/paint.js";
import { make } from "../desk/dom.js";
import { mountOnce } from "../desk/mounted.js";
import { createMarks } from "./marks.js";
import { createPageImage } from "./page_image.js";
import { createPanZoom, keysLine, setShape } from "./panzoom.js";

const POINTER = "Drag to move, pinch or double-click to zoom. ";
const KEYS = "With the picture in focus: wheel, [+] [−] zoom, [F] fits, arrow keys move.";

export default mountOnce(createFigure);

/** @typedef {import("./types.d.ts").FigureViewData} FigureViewData */
/** @typedef {import("./types.d.ts").Tell<import("./types.d.ts").FigureViewState>} Tell */

/** @param {any} parentElement @param {FigureViewData} first */
function createFigure(parentElement, first) {
  const marksLayer = svg("g", { "data-layer": "marks" });
  const overlay = svg("svg", { class: "pz-overlay", preserveAspectRatio: "none" }, marksLayer);
  overlay.append(svg("g", { "data-layer": "canvas" }));
  const chips = make("div", { class: "pz-overlay fv-chips", "aria-hidden": "true" });
  const content = make("div", { class: "pz-content" }, overlay, chips);
  const viewport = make("div", { class: "pz-viewport", tabindex: "0", role: "group" }, content);
  const foot = make("div", { class: "pz-foot" }, keysLine(POINTER, KEYS));
  const root = make("div", { class: "pz-frame" }, viewport, foot);
  parentElement.querySelector("[data-figure-view]").append(root);
  setShape(root, first);
  const picture = createPageImage(viewport, content);
  const { width, height, origin } = first;
  const panZoom = createPanZoom(viewport, content, { width, height, origin, frame: root });
  foot.append(panZoom.tools());
  let lastClick = 0;
  /** @type {Tell} */
  let send = () => {};
  const marks = createMarks(marksLayer, chips, {
    /** @param {string} id */
    onClick(id) {
      // Grows even over a remount, so that the page can distinguish a new click from one it has handled.
      lastClick = Math.max(lastClick + 1, Date.now());
      send("click", { id, n: lastClick });
    },
    onFocus: (/** @type {import("./shapes.d.ts").Box} */ box) => panZoom.reveal(box),
    home: () => viewport.focus({ preventScroll: true }),
  });

  return {
    /** @param {FigureViewData} data @param {Tell} setStateValue */
    receive(data, setStateValue) {
      send = setStateValue;
      setShape(root, data);
      viewport.setAttribute("aria-label", data.alt);
      overlay.setAttribute("viewBox", [...data.origin, data.width, data.height].join(" "));
      picture.show(data.image_url, data.alt);
      panZoom.setContent(data.width, data.height, data.origin);
      marks.draw(data);
    },
    close() {
      panZoom.destroy();
      root.remove();
    },
  };
}
