// Zoom and pan for one picture.
//
// `viewport` is the window (fixed size, clips), `content` the picture in it. The content is given a real size of
// width x height points times the scale, and only moved by a transform: so overlays placed in percent, SVG strokes
// and buttons keep their thickness in pixels at every zoom.

import { make, pushButton } from "../desk/dom.js";
import { listenTo, PANZOOM_STEP } from "./gestures.js";
import { clamped, clampTo, fitScale, fitted, framing, seenOf, shiftTo, zoomedAbout } from "./zooming.js";

const PANZOOM_EASE_MS = 160;

/** @typedef {import("./shapes.d.ts").Box} Box */
/** @typedef {import("./types.d.ts").Hands} Hands */
/** @typedef {import("./types.d.ts").PanZoomSettings} PanZoomSettings */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {ReturnType<typeof createPanZoom>} PanZoom */

/** Set the height and shape of `root` to those of its picture.
 * @param {HTMLElement} root
 * @param {{width: number, height: number, height_px: number}} picture */
export function setShape(root, { width, height, height_px: px }) {
  root.style.setProperty("--pz-height", `${px}px`);
  root.style.setProperty("--pz-aspect", `${width} / ${height}`);
}

/** The help line below a picture for pointer and keyboard: `keys` has each key in square brackets.
 * @param {string} text
 * @param {string} keys */
export function keysLine(text, keys) {
  const parts = keys
    .split(/\[([^[\]]+)\]/)
    .map((part, place) => (place % 2 === 1 ? make("kbd", { text: part }) : part));
  return make("p", { class: "pz-keys" }, make("span", { text }), make("span", { class: "pz-keyboard" }, ...parts));
}

/** The buttons - fit +, for the component to put inside `frame`.
 * @param {Hands["zoomBy"]} zoomBy
 * @param {Hands["fit"]} fit */
function toolsFor(zoomBy, fit) {
  /** @type {(text: string, title: string, act: () => void, look?: string) => HTMLButtonElement} */
  const button = (text, title, act, look = "") => pushButton(text, act, { "aria-label": title, title, class: look });
  return make(
    "div",
    { class: "pz-tools" },
    button("−", "Zoom out", () => zoomBy(1 / PANZOOM_STEP, undefined, undefined, true)),
    button("Fit", "Fit the picture into the window", () => fit(true), "pz-fit"),
    button("+", "Zoom in", () => zoomBy(PANZOOM_STEP, undefined, undefined, true)),
  );
}

const isCalm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Show views by `show(view)`: at once, or gliding. `now` is the current view, `goal` the end of a glide.
 * @param {(view: View) => void} show */
function createGlide(show) {
  let frame = 0;
  const glide = {
    now: { scale: 1, x: 0, y: 0 },
    /** @type {View | null} */
    goal: null,
    end: () => glide.goal ?? glide.now, // a second press during a glide counts from its end
    halt() {
      cancelAnimationFrame(frame);
      glide.goal = null;
    },
    /** @param {View} end @param {boolean} isSmooth */
    to(end, isSmooth) {
      glide.halt();
      if (!isSmooth || isCalm()) return void show((glide.now = end));
      const [start, began] = [glide.now, performance.now()];
      glide.goal = end;
      const tick = (/** @type {number} */ time) => {
        const share = clampTo((time - began) / PANZOOM_EASE_MS, 0, 1);
        const eased = 1 - (1 - share) ** 3;
        const between = (/** @type {keyof View} */ name) => start[name] + (end[name] - start[name]) * eased;
        show((glide.now = { scale: between("scale"), x: between("x"), y: between("y") }));
        if (share < 1) frame = requestAnimationFrame(tick);
        else glide.goal = null;
      };
      frame = requestAnimationFrame(tick);
    },
  };
  return glide;
}

const DEFAULTS = {
  min: 1,
  max: 12,
  width: 1,
  height: 1,
  origin: [0, 0],
  padding: 10,
  dragPans: () => true,
  onChange: () => {},
  onGesture: () => {},
  legible: () => 0,
};

/** View of the whole picture, enlarged about its middle where its lettering would be too small.
 * @param {PanZoomSettings} settings
 * @returns {View} */
function openingView(settings) {
  const whole = fitted(settings);
  const { width, height } = settings.room;
  const factor = Math.max(settings.legible() / whole.scale, 1);
  return factor > 1 ? zoomedAbout(settings, whole, factor, width / 2, height / 2) : whole;
}

/**
 * Zoom and pan of `content` in `viewport`. Options: min, max (scale as a multiple of the fit), width, height (points),
 * origin ([left, top] of the content on the page, points), padding (pixels around the fitted content), legible (the
 * least scale at which it opens), and those of gestures.
 * @param {HTMLElement} viewport
 * @param {HTMLElement} content
 * @param {Partial<PanZoomSettings>} options
 */
export function createPanZoom(viewport, content, options) {
  /** @type {PanZoomSettings} */
  const settings = {
    ...DEFAULTS,
    room: { width: viewport.clientWidth, height: viewport.clientHeight },
    frame: viewport,
    ...options,
  };
  const stop = new AbortController();
  let isFitted = true; // until the user zooms or pans, a resize fits again
  let isOpening = true; // until the user zooms, pans or fits, it is as it opened

  const glide = createGlide(({ scale, x, y }) => {
    content.style.width = `${settings.width * scale}px`;
    content.style.height = `${settings.height * scale}px`;
    content.style.transform = `translate(${x}px, ${y}px)`;
    const isPart = viewport.toggleAttribute("data-zoomed", scale > fitScale(settings) * 1.001);
    settings.frame.toggleAttribute("data-enlarged", isPart && isOpening);
    settings.onChange(scale);
  });
  const moveTo = (/** @type {View} */ view, /** @type {boolean} */ isSmooth) =>
    glide.to(clamped(settings, view), isSmooth);

  /** @type {Hands["zoomBy"]} */
  function zoomBy(factor, clientX, clientY, isSmooth = false) {
    const box = viewport.getBoundingClientRect();
    const atX = (clientX ?? box.left + box.width / 2) - box.left - viewport.clientLeft;
    const atY = (clientY ?? box.top + box.height / 2) - box.top - viewport.clientTop;
    const view = zoomedAbout(settings, glide.end(), factor, atX, atY);
    isOpening = false;
    isFitted = view.scale <= fitScale(settings) * 1.0001 && settings.min >= 1;
    moveTo(view, isSmooth);
  }

  /** @type {Hands["panBy"]} */
  function panBy(dx, dy, isSmooth = false) {
    const { scale, x, y } = glide.end();
    if (isOpening && scale > fitScale(settings) * 1.001) isFitted = isOpening = false;
    moveTo({ scale, x: x + dx, y: y + dy }, isSmooth);
  }

  function fit(isSmooth = false) {
    isOpening = false;
    isFitted = true;
    moveTo(fitted(settings), isSmooth);
  }

  const open = () => moveTo(openingView(settings), false);
  const { wouldPan, swallowNextClick } = listenTo({ ...settings, viewport, signal: stop.signal, zoomBy, panBy, fit });

  const watch = new ResizeObserver(() => {
    const before = settings.room;
    const room = (settings.room = { width: viewport.clientWidth, height: viewport.clientHeight });
    if (!room.width || !room.height) return;
    if (isOpening) return void open();
    if (isFitted || !before.width) return void fit();
    const { scale, x, y } = glide.end(); // keep the middle of the picture in the middle
    moveTo({ scale, x: x + (room.width - before.width) / 2, y: y + (room.height - before.height) / 2 }, false);
  });
  watch.observe(viewport);
  open();

  return {
    zoomBy,
    panBy,
    fit,
    wouldPan,
    swallowNextClick,
    get scale() {
      return glide.now.scale;
    },
    /** The point of the page at a point of the browser's window. @param {number} clientX @param {number} clientY */
    toPage(clientX, clientY) {
      const box = content.getBoundingClientRect();
      return {
        x: settings.origin[0] + ((clientX - box.left) / box.width) * settings.width,
        y: settings.origin[1] + ((clientY - box.top) / box.height) * settings.height,
      };
    },
    /** @param {number} pageX @param {number} pageY */
    toScreen(pageX, pageY) {
      const box = content.getBoundingClientRect();
      return {
        x: box.left + ((pageX - settings.origin[0]) / settings.width) * box.width,
        y: box.top + ((pageY - settings.origin[1]) / settings.height) * box.height,
      };
    },
    /** Bring a box of the page into the window with the least movement. @param {Box} box */
    reveal(box) {
      const [dx, dy] = shiftTo(settings, glide.end(), box);
      if (dx || dy) panBy(dx, dy, true);
    },
    /** Zoom to a box of the page, as large as possible with `margin` pixels around it.
     * @param {Box} box @param {{margin?: number, most?: number}} [limits] */
    zoomTo(box, { margin = 48, most = 4 } = {}) {
      if (!settings.room.width || !settings.room.height) return;
      const view = framing(settings, box, margin, most);
      isOpening = false;
      isFitted = view.scale <= fitScale(settings) * 1.0001;
      moveTo(view, true);
    },
    tools: () => toolsFor(zoomBy, fit),
    seen: () => seenOf(settings, glide.now),
    /** Change to a picture with another size and origin, as it opens. The same size and origin change nothing.
     * @param {number} width @param {number} height @param {number[]} origin */
    setContent(width, height, origin) {
      const { width: w, height: h, origin: o } = settings;
      if (width === w && height === h && origin[0] === o[0] && origin[1] === o[1]) return;
      Object.assign(settings, { width, height, origin });
      glide.halt();
      isOpening = isFitted = true;
      open();
    },
    destroy() {
      glide.halt();
      watch.disconnect();
      stop.abort();
    },
  };
}
