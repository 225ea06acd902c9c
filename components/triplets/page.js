// The page of the paper with the evidence marked on it. Marks are placed in percent, so that they follow the zoom.

import { changes, make, pushButton, setText } from "../desk/dom.js";
import { boundsOf } from "../canvas/geometry.js";
import { createPageImage } from "../figure/page_image.js";
import { createPanZoom } from "../figure/panzoom.js";

const [LEAST_ZOOM, MOST_ZOOM] = [1.25, 1.8]; // pixels a point: legible, and three words must not fill the window
const MARGIN = 22; // pixels around the marks
const SETTLED_MS = 800;
const MARK_AIR = 1.5; // points around the printed line

const cornersOf = ([x0, y0, x1, y1]) => [
  [x0, y0],
  [x1, y1],
];

/** {element, begin(), show(places, n, others, isWhole), panZoom(), close()} for the desk `c`. */
export function createPageView(c) {
  const content = make("div", { class: "pz-content" });
  const viewport = make("div", { class: "pz-viewport cv-viewport sd-viewport", tabindex: "0", role: "group" }, content);
  const marks = make("div", { class: "pz-overlay sd-marks", "aria-hidden": "true" });
  content.append(marks);
  const picture = createPageImage(viewport, content);
  const where = make("span", { class: "cv-small" });
  const turn = pushButton("", () => c.commands.turn(), { title: "The evidence continues on another page" });
  const whole = pushButton("Whole page", () => c.commands.whole(), {
    title: "The whole page, or only the evidence (z)",
  });
  const foot = make("div", { class: "pz-foot sd-foot" }, make("div", { class: "cv-row" }, where, turn, whole));
  const element = make("div", { class: "sd-page" }, viewport, foot);
  /** @type {import("../figure/panzoom.js").PanZoom | null} */
  let panZoom = null;
  const isNew = changes();
  let shown = "";
  let shownAt = 0;
  let follow = () => {};

  function markOf(box, place, look) {
    const [x0, y0, x1, y1] = box;
    const mark = make("div", { class: `sd-mark ${look}` });
    const share = (value, length) => `${((value / length) * 100).toFixed(3)}%`;
    mark.style.left = share(x0 - MARK_AIR, place.width);
    mark.style.top = share(y0 - MARK_AIR, place.height);
    mark.style.width = share(x1 - x0 + 2 * MARK_AIR, place.width);
    mark.style.height = share(y1 - y0 + 2 * MARK_AIR, place.height);
    return mark;
  }

  /** The beginning of a passage that is too long to be legible as a whole.
   * @type {(box: import("../figure/shapes.d.ts").Box) => import("../figure/shapes.d.ts").Box} */
  function legible([x0, y0, x1, y1]) {
    const across = (viewport.clientWidth - 2 * MARGIN) / (x1 - x0);
    const room = (viewport.clientHeight - 2 * MARGIN) / Math.min(LEAST_ZOOM, across);
    return [x0, y0, x1, Math.min(y1, y0 + room)];
  }

  /** The text above gets its height only after the first drawing; the evidence must be shown in the rest. */
  const watch = new ResizeObserver(
    () => performance.now() - shownAt < SETTLED_MS && requestAnimationFrame(() => follow()),
  );

  /** Pixels a point at which the whole page fits, as in pan and zoom. */
  const fitOf = ({ width, height }) =>
    Math.min((viewport.clientWidth - 20) / width, (viewport.clientHeight - 20) / height);

  return {
    element,
    /** Set up once the element is on the page: pan and zoom measure it. */
    begin({ width, height }) {
      panZoom = createPanZoom(viewport, content, { width, height, origin: [0, 0], frame: c.root });
      foot.append(panZoom.tools());
      watch.observe(viewport);
    },
    /** `others`: boxes of other paragraphs on the same page; `places`: of the chosen paragraph, of which `n` is shown. */
    show(places, n, others, isWhole) {
      const place = places[n];
      if (isNew(place, others)) {
        const alt = `Page ${place.page} of the paper with the evidence marked`;
        viewport.setAttribute("aria-label", alt);
        picture.show(place.image_url, alt);
        panZoom?.setContent(place.width, place.height, [0, 0]);
        marks.replaceChildren(
          ...others.map((box) => markOf(box, place, "other")),
          ...place.boxes.map((box) => markOf(box, place, "chosen")),
        );
      }
      setText(where, `Page ${place.page}`);
      turn.hidden = places.length < 2;
      setText(turn, `Part ${n + 1} of ${places.length}`);
      whole.setAttribute("aria-pressed", String(isWhole));
      const signature = JSON.stringify([place.page, place.boxes, isWhole]);
      if (signature === shown) return; // afterwards it stays where the user puts it
      shown = signature;
      shownAt = performance.now();
      follow = () => {
        if (isWhole || place.boxes.length === 0) panZoom?.fit(true);
        else
          panZoom?.zoomTo(legible(boundsOf(place.boxes.flatMap(cornersOf))), {
            margin: MARGIN,
            most: Math.max(1, MOST_ZOOM / fitOf(place)),
          });
      };
      follow();
    },
    panZoom: () => panZoom,
    close() {
      watch.disconnect();
      panZoom?.destroy();
    },
  };
}
