// Zoom and pan for one picture.
//
// `viewport` is the window (fixed size, clips), `content` the picture in it. The content is given a real size of
// width x height points times the scale, and only moved by a transform: so overlays placed in percent, SVG strokes
// and buttons keep their thickness in pixels at every zoom.

export const PANZOOM_DRAG_PX = 4; // below this a press is a click
export const PANZOOM_STEP = 1.4; // one press of + or one button
export const PANZOOM_PAN_PX = 60; // one arrow key
const PANZOOM_EASE_MS = 160;

/** @typedef {ReturnType<typeof createPanZoom>} PanZoom */

/**
 * options: min, max (scale as a multiple of the fit), width, height (points), origin ([left, top] of the content on
 * the page, points), padding (pixels around the fitted content), dragPans(event) -> whether a plain drag pans,
 * onChange(scale), onGesture() when a pinch takes over from a drag, frame (the element whose focus means "the figure has
 * focus" and whose keys count; it holds the viewport and the buttons; default: the viewport).
 */
export function createPanZoom(viewport, content, options) {
  const settings = {
    min: 1,
    max: 12,
    width: 1,
    height: 1,
    origin: [0, 0],
    padding: 10,
    frame: viewport,
    dragPans: () => true,
    onChange: () => {},
    onGesture: () => {},
    ...options,
  };
  const stop = new AbortController();
  const view = { scale: 1, x: 0, y: 0 };
  const pointers = new Map();
  /** @type {{scale: number, x: number, y: number} | null} */
  let goal = null; // where a running animation ends
  let frame = 0;
  let fitted = true; // until the person zooms or pans, a resize fits again
  let spaceHeld = false;
  /** @type {{id: number, x: number, y: number, moving: boolean} | null} */
  let pan = null;
  /** @type {{distance: number, x: number, y: number} | null} */
  let pinch = null;
  let size = { width: 0, height: 0 };

  const listen = (target, type, handler, extra) =>
    target.addEventListener(type, handler, { signal: stop.signal, ...extra });
  const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const clampTo = (value, low, high) => Math.min(Math.max(value, low), high);

  function fitScale() {
    const across = Math.max(size.width - 2 * settings.padding, 1) / settings.width;
    const down = Math.max(size.height - 2 * settings.padding, 1) / settings.height;
    return Math.min(across, down);
  }

  // The zoomed picture always covers the place it has when fitted: it cannot get lost, every edge can be brought into
  // the window, and zooming in from the fit about any of its points needs no correction.
  function clampAxis(offset, length, fittedLength, room) {
    const centred = (room - length) / 2;
    const slack = Math.abs(length - fittedLength) / 2;
    return clampTo(offset, centred - slack, centred + slack);
  }

  function clamped(next) {
    const whole = fitScale();
    const scale = clampTo(next.scale, whole * settings.min, whole * settings.max);
    return {
      scale,
      x: clampAxis(next.x, settings.width * scale, settings.width * whole, size.width),
      y: clampAxis(next.y, settings.height * scale, settings.height * whole, size.height),
    };
  }

  function show(next) {
    Object.assign(view, next);
    content.style.width = `${settings.width * view.scale}px`;
    content.style.height = `${settings.height * view.scale}px`;
    content.style.transform = `translate(${view.x}px, ${view.y}px)`;
    viewport.toggleAttribute("data-zoomed", view.scale > fitScale() * 1.001);
    settings.onChange(view.scale);
  }

  function halt() {
    cancelAnimationFrame(frame);
    goal = null;
  }

  function moveTo(next, smooth) {
    const end = clamped(next);
    halt();
    if (!smooth || calm()) return void show(end);
    const start = { ...view };
    const began = performance.now();
    goal = end;
    const tick = (now) => {
      const share = clampTo((now - began) / PANZOOM_EASE_MS, 0, 1);
      const eased = 1 - (1 - share) ** 3;
      const between = (name) => start[name] + (end[name] - start[name]) * eased;
      show({ scale: between("scale"), x: between("x"), y: between("y") });
      if (share < 1) frame = requestAnimationFrame(tick);
      else goal = null;
    };
    frame = requestAnimationFrame(tick);
  }

  function zoomBy(factor, clientX, clientY, smooth = false) {
    const from = goal ?? view; // a second press during the animation counts from its end
    const frameBox = viewport.getBoundingClientRect();
    const atX = (clientX ?? frameBox.left + frameBox.width / 2) - frameBox.left - viewport.clientLeft;
    const atY = (clientY ?? frameBox.top + frameBox.height / 2) - frameBox.top - viewport.clientTop;
    const whole = fitScale();
    const scale = clampTo(from.scale * factor, whole * settings.min, whole * settings.max);
    const ratio = scale / from.scale;
    fitted = scale <= whole * 1.0001 && settings.min >= 1;
    moveTo({ scale, x: atX - (atX - from.x) * ratio, y: atY - (atY - from.y) * ratio }, smooth);
  }

  function panBy(dx, dy, smooth = false) {
    const from = goal ?? view;
    moveTo({ scale: from.scale, x: from.x + dx, y: from.y + dy }, smooth);
  }

  function fit(smooth = false) {
    fitted = true;
    const scale = fitScale();
    moveTo(
      { scale, x: (size.width - settings.width * scale) / 2, y: (size.height - settings.height * scale) / 2 },
      smooth,
    );
  }

  function toPage(clientX, clientY) {
    const box = content.getBoundingClientRect();
    return {
      x: settings.origin[0] + ((clientX - box.left) / box.width) * settings.width,
      y: settings.origin[1] + ((clientY - box.top) / box.height) * settings.height,
    };
  }

  function toScreen(pageX, pageY) {
    const box = content.getBoundingClientRect();
    return {
      x: box.left + ((pageX - settings.origin[0]) / settings.width) * box.width,
      y: box.top + ((pageY - settings.origin[1]) / settings.height) * box.height,
    };
  }

  // Brings a box of the page ([x0, y0, x1, y1], points) into the window with the least movement.
  function reveal(box) {
    const from = goal ?? view;
    const shift = (low, high, origin, offset, room) => {
      const start = (low - origin) * from.scale + offset;
      const end = (high - origin) * from.scale + offset;
      if (start < settings.padding) return settings.padding - start;
      if (end > room - settings.padding) return Math.max(room - settings.padding - end, settings.padding - start);
      return 0;
    };
    const dx = shift(box[0], box[2], settings.origin[0], from.x, size.width);
    const dy = shift(box[1], box[3], settings.origin[1], from.y, size.height);
    if (dx || dy) panBy(dx, dy, true);
  }

  // Puts a box of the page in the middle of the window, as large as it gets with `margin` pixels around it, at most
  // `most` times the fitted size.
  function zoomTo(box, { margin = 48, most = 4 } = {}) {
    if (!size.width || !size.height) return;
    const across = Math.max(size.width - 2 * margin, 1) / Math.max(box[2] - box[0], 1);
    const down = Math.max(size.height - 2 * margin, 1) / Math.max(box[3] - box[1], 1);
    const scale = clampTo(Math.min(across, down), fitScale(), fitScale() * most);
    const [x, y] = [(box[0] + box[2]) / 2 - settings.origin[0], (box[1] + box[3]) / 2 - settings.origin[1]];
    fitted = scale <= fitScale() * 1.0001;
    moveTo({ scale, x: size.width / 2 - x * scale, y: size.height / 2 - y * scale }, true);
  }

  const offPicture = (event) => event.target.closest?.("[data-no-drag]") != null;
  const wouldPan = (event) => event.button === 1 || (event.button === 0 && (spaceHeld || settings.dragPans(event)));

  function swallowNextClick() {
    const swallow = (event) => {
      event.stopPropagation();
      event.preventDefault();
    };
    viewport.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => viewport.removeEventListener("click", swallow, { capture: true }), 0);
  }

  function startPinch() {
    const [a, b] = [...pointers.values()];
    pan = null;
    pinch = { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    settings.onGesture();
  }

  function movePinch(before) {
    const [a, b] = [...pointers.values()];
    const now = { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    panBy(now.x - before.x, now.y - before.y);
    if (before.distance > 0 && now.distance > 0) zoomBy(now.distance / before.distance, now.x, now.y);
    pinch = now;
  }

  listen(viewport, "pointerdown", (event) => {
    if (offPicture(event)) return;
    if (event.pointerType === "touch") {
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (pointers.size === 2) return void startPinch();
      if (pointers.size > 2) return;
    }
    if (!wouldPan(event)) return;
    if (event.button === 1) event.preventDefault(); // no autoscroll
    pan = { id: event.pointerId, x: event.clientX, y: event.clientY, moving: false };
  });

  listen(viewport, "pointermove", (event) => {
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pinch && pointers.size === 2) return void movePinch(pinch);
    if (!pan || pan.id !== event.pointerId) return;
    const dx = event.clientX - pan.x;
    const dy = event.clientY - pan.y;
    if (!pan.moving) {
      if (Math.hypot(dx, dy) < PANZOOM_DRAG_PX) return;
      // At the fitted size a finger scrolls the page and there is nothing to pan.
      if (event.pointerType === "touch" && !viewport.hasAttribute("data-zoomed")) return;
      pan.moving = true;
      viewport.setPointerCapture(event.pointerId);
      viewport.toggleAttribute("data-panning", true);
    }
    pan.x = event.clientX;
    pan.y = event.clientY;
    panBy(dx, dy);
  });

  const release = (event) => {
    pointers.delete(event.pointerId);
    if (pinch && pointers.size < 2) {
      pinch = null;
      swallowNextClick();
    }
    if (!pan || pan.id !== event.pointerId) return;
    if (pan.moving) swallowNextClick();
    pan = null;
    viewport.toggleAttribute("data-panning", false);
  };
  // On the window: a press that has not moved yet is not captured and may end outside.
  listen(window, "pointerup", release);
  listen(window, "pointercancel", release);

  listen(
    viewport,
    "wheel",
    (event) => {
      if (!event.ctrlKey && !settings.frame.matches(":focus-within")) return; // the page scrolls
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return void panBy(-event.deltaX * unit, 0);
      // A trackpad pinch arrives as many small Ctrl steps, a wheel notch as one of about 100.
      const delta = clampTo(event.deltaY * unit, -240, 240);
      const rate = event.ctrlKey && Math.abs(delta) < 50 ? 0.01 : 0.0022;
      zoomBy(Math.exp(-delta * rate), event.clientX, event.clientY);
    },
    { passive: false },
  );

  listen(viewport, "dblclick", (event) => {
    if (offPicture(event) || event.target.closest?.("button, [role=button]")) return;
    zoomBy(2, event.clientX, event.clientY, true);
  });

  const keys = {
    "+": () => zoomBy(PANZOOM_STEP, undefined, undefined, true),
    "=": () => zoomBy(PANZOOM_STEP, undefined, undefined, true),
    "-": () => zoomBy(1 / PANZOOM_STEP, undefined, undefined, true),
    _: () => zoomBy(1 / PANZOOM_STEP, undefined, undefined, true),
    0: () => fit(true),
    f: () => fit(true),
    F: () => fit(true),
    ArrowLeft: () => panBy(PANZOOM_PAN_PX, 0, true),
    ArrowRight: () => panBy(-PANZOOM_PAN_PX, 0, true),
    ArrowUp: () => panBy(0, PANZOOM_PAN_PX, true),
    ArrowDown: () => panBy(0, -PANZOOM_PAN_PX, true),
  };
  listen(settings.frame, "keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && !event.target.closest?.("button, [role=button]")) {
      spaceHeld = true;
      viewport.toggleAttribute("data-space", true);
      return void event.preventDefault();
    }
    if (!Object.hasOwn(keys, event.key)) return;
    keys[event.key]();
    event.preventDefault();
    event.stopPropagation(); // Streamlit has single-key shortcuts of its own
  });
  const letGo = () => {
    spaceHeld = false;
    viewport.toggleAttribute("data-space", false);
  };
  listen(window, "keyup", (event) => event.key === " " && letGo());
  listen(window, "blur", letGo);

  // Focusing something outside the window makes browsers scroll even a clipping element; we move the content instead.
  listen(viewport, "scroll", () => viewport.scrollTo(0, 0));

  const watch = new ResizeObserver(() => {
    const before = size;
    size = { width: viewport.clientWidth, height: viewport.clientHeight };
    if (!size.width || !size.height) return;
    if (fitted || !before.width) return void fit();
    const { scale, x, y } = goal ?? view; // keep the middle of the picture in the middle
    halt();
    show(clamped({ scale, x: x + (size.width - before.width) / 2, y: y + (size.height - before.height) / 2 }));
  });
  watch.observe(viewport);
  size = { width: viewport.clientWidth, height: viewport.clientHeight };
  fit();

  // The buttons - fit +, for the component to put inside `frame`.
  function tools() {
    const bar = document.createElement("div");
    bar.className = "pz-tools";
    const button = (text, label, act) => {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = text;
      element.setAttribute("aria-label", label);
      element.title = label;
      element.addEventListener("click", act);
      bar.append(element);
    };
    button("−", "Zoom out", () => zoomBy(1 / PANZOOM_STEP, undefined, undefined, true));
    button("Fit", "Fit the picture into the window", () => fit(true));
    button("+", "Zoom in", () => zoomBy(PANZOOM_STEP, undefined, undefined, true));
    return bar;
  }

  return {
    toPage,
    toScreen,
    zoomBy,
    zoomTo,
    panBy,
    fit,
    reveal,
    wouldPan,
    swallowNextClick,
    tools,
    get scale() {
      return view.scale;
    },
    // The part of the page in the window: [x0, y0, x1, y1] in points, cut to the content.
    seen() {
      const [left, top] = settings.origin;
      const x0 = Math.max(-view.x / view.scale, 0);
      const y0 = Math.max(-view.y / view.scale, 0);
      const x1 = Math.min((size.width - view.x) / view.scale, settings.width);
      const y1 = Math.min((size.height - view.y) / view.scale, settings.height);
      return [left + x0, top + y0, left + x1, top + y1];
    },
    // Another picture: new size and origin, fitted anew. The same size and origin change nothing.
    setContent(width, height, origin) {
      const same =
        width === settings.width &&
        height === settings.height &&
        origin[0] === settings.origin[0] &&
        origin[1] === settings.origin[1];
      if (same) return;
      Object.assign(settings, { width, height, origin });
      halt();
      fit();
    },
    destroy() {
      halt();
      watch.disconnect();
      stop.abort();
    },
  };
}
