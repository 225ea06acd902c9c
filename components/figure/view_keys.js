// Keys of a desk that act on its figure.

import { ARROWS } from "../canvas/geometry.js";
import { PANZOOM_PAN_PX, PANZOOM_STEP } from "./gestures.js";

/** Return {whole(), zoom(event), pan(event)} of the desk `c`; `ui.whole`: it shows the whole figure.
 * @param {import("../desk/types.d.ts").Frame} c
 * @param {() => import("./panzoom.js").PanZoom | null} panZoomOf  the figure's, once it is set up */
export const viewKeys = (c, panZoomOf) => ({
  whole() {
    c.ui.whole = !c.ui.whole;
    c.draw();
  },
  zoom: (/** @type {KeyboardEvent} */ { key }) =>
    panZoomOf()?.zoomBy("+=".includes(key) ? PANZOOM_STEP : 1 / PANZOOM_STEP, undefined, undefined, true),
  /** @param {KeyboardEvent} event */
  pan({ key }) {
    const [dx, dy] = ARROWS[key];
    panZoomOf()?.panBy(-dx * PANZOOM_PAN_PX, -dy * PANZOOM_PAN_PX, true);
  },
});
