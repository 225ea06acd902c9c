// The page with outlined figures: choose one, or draw a rectangle. Coordinates are points of the page.

import { make } from "../desk/dom.js";
import { keptOn } from "../desk/mounted.js";
import { createPageImage } from "./page_image.js";
import { createPanZoom, PANZOOM_DRAG_PX } from "./panzoom.js";

const SMALLEST = 12; // points; components/figure/region_picker.py refuses less as well
const SETTLE_MS = 400; // after the last key a rectangle counts as finished
const CORNERS = ["nw", "ne", "sw", "se"];

export default keptOn(createPicker);

function createPicker(parentElement, first) {
  const stop = new AbortController();
  const size = make("span", { class: "pz-chip rp-size", "aria-hidden": "true" });
  const handles = CORNERS.map((corner) =>
    make("span", { class: "rp-handle", "data-corner": corner, "aria-hidden": "true" }),
  );
  // An application: screen readers then hand the arrow keys to it.
  const chosen = make(
    "div",
    {
      class: "rp-chosen",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "adjustable rectangle",
      hidden: true,
    },
    size,
    ...handles,
  );
  const regionsLayer = make("div", { class: "pz-overlay" });
  const content = make("div", { class: "pz-content" }, regionsLayer, chosen);
  const viewport = make("div", { class: "pz-viewport", tabindex: "0", role: "group", "data-draws": true }, content);
  const fault = make("p", { class: "rp-fault", role: "alert" });
  const said = make("p", { class: "pz-said", "aria-live": "polite" });
  const foot = make("div", { class: "pz-foot" }, pickerKeysLine());
  const root = make("div", { class: "pz-frame" }, viewport, foot, fault, said);
  parentElement.querySelector("[data-region-picker]").append(root);
  setPageShape(root, first);

  let data = first;
  /** @type {(name: string, value: object) => void} */
  let send = () => {};
  let regionsText = "";
  /** @type {{box: import("../canvas/types.d.ts").Box | null, regionId: string | null}} */
  let now = { box: null, regionId: null }; // what is drawn
  let done = now; // what Python has been told, or told us
  /** @type {string | null} */
  let fed = null; // data.chosen of the last rerun, as text
  let lastN = 0; // our last answer
  let answeredN = 0; // the last one that a rerun has carried
  let timer = 0;
  /** A press that may become a rectangle: from `anchor`, `offset` beside the pointer.
   * @type {{id: number, x: number, y: number, active: boolean, before: typeof now, anchor: number[], offset: number[], regionId: string | null} | null} */
  let drag = null;
  let moves = false; // the Move button: a plain drag pans instead of drawing

  const dirty = () => now !== done;
  const listen = (target, type, handler) => target.addEventListener(type, handler, { signal: stop.signal });

  const picture = createPageImage(viewport, content);
  listen(root, "keydown", onKey); // before panzoom's own, which leaves handled keys alone
  const panZoom = createPanZoom(viewport, content, {
    width: first.page_width,
    height: first.page_height,
    frame: root,
    dragPans: () => moves,
    onGesture: cancelDrag,
  });
  const bar = panZoom.tools();
  const moveButton = make("button", {
    type: "button",
    text: "Move",
    title: "Drag moves the page instead of drawing",
    "aria-pressed": "false",
  });
  moveButton.addEventListener("click", () => {
    moves = !moves;
    moveButton.setAttribute("aria-pressed", String(moves));
    viewport.toggleAttribute("data-draws", !moves);
  });
  bar.prepend(moveButton);
  foot.append(bar);

  // ---- showing

  function place(element, [x0, y0, x1, y1]) {
    element.style.left = `${(x0 / data.page_width) * 100}%`;
    element.style.top = `${(y0 / data.page_height) * 100}%`;
    element.style.width = `${((x1 - x0) / data.page_width) * 100}%`;
    element.style.height = `${((y1 - y0) / data.page_height) * 100}%`;
  }

  // Near the top edge a label goes inside, in the right half it grows to the left: it stays in the window.
  function setSides(element, box) {
    element.toggleAttribute("data-low", box[1] / data.page_height < 0.05);
    element.toggleAttribute("data-right", box[0] / data.page_width > 0.45);
  }

  function show() {
    chosen.hidden = now.box === null;
    for (const button of regionsLayer.children) {
      button.setAttribute("aria-pressed", String(now.box !== null && button.dataset.id === now.regionId));
    }
    if (now.box === null) return;
    place(chosen, now.box);
    const label = data.regions.find((region) => region.id === now.regionId)?.label;
    size.textContent = `${label ? `${label} · ` : ""}${measure(now.box)} pt`;
    setSides(chosen, now.box);
    chosen.setAttribute("aria-label", spoken(now, label));
  }

  function drawRegions() {
    const text = JSON.stringify([data.regions, data.page_width, data.page_height]);
    if (text === regionsText) return;
    regionsText = text;
    const focused = regionsLayer.querySelector("button:focus")?.dataset.id;
    const area = ({ box }) => (box[2] - box[0]) * (box[3] - box[1]);
    const bySize = [...data.regions].sort((a, b) => area(b) - area(a)); // a figure inside another stays reachable
    regionsLayer.replaceChildren(
      ...data.regions.map((region, index) => {
        const label = region.label || `Region ${index + 1}`;
        const button = make(
          "button",
          {
            type: "button",
            class: "rp-region",
            "data-id": region.id,
            "aria-pressed": "false",
            "aria-label": `${label}, ${spokenSize(region.box)}`,
          },
          make("span", { class: "pz-chip", text: label }),
        );
        setSides(button, region.box);
        button.style.zIndex = String(bySize.indexOf(region));
        place(button, region.box);
        button.addEventListener("click", () => choose(region));
        button.addEventListener("focus", () => button.matches(":focus-visible") && panZoom.reveal(region.box));
        return button;
      }),
    );
    [...regionsLayer.children].find((button) => button.dataset.id === focused)?.focus({ preventScroll: true });
  }

  // ---- finishing

  function finish() {
    clearTimeout(timer);
    if (!dirty() || now.box === null) return;
    done = now;
    // Grows even over a remount, so that the page can tell a new choice from the one it has already seen.
    lastN = Math.max(lastN + 1, Date.now());
    const label = data.regions.find((region) => region.id === now.regionId)?.label;
    said.textContent = spoken(now, label);
    send("picked", { box: now.box, region_id: now.regionId, n: lastN });
  }

  function choose(region) {
    fault.textContent = "";
    now = { box: region.box, regionId: region.id };
    show();
    chosen.focus({ preventScroll: true }); // so that the arrow keys adjust it at once
    finish();
  }

  function adjust(box) {
    fault.textContent = "";
    now = { box, regionId: now.regionId };
    show();
    panZoom.reveal(box);
    settleLater();
  }

  function settleLater() {
    clearTimeout(timer);
    if (dirty()) timer = setTimeout(finish, SETTLE_MS);
  }

  // ---- pointer

  const clampPoint = ({ x, y }) => [
    Math.min(Math.max(x, 0), data.page_width),
    Math.min(Math.max(y, 0), data.page_height),
  ];

  function cancelDrag() {
    if (!drag) return;
    if (drag.active) now = drag.before;
    drag = null;
    chosen.removeAttribute("data-drawing");
    settleLater();
    show();
  }

  function startDrag(event) {
    if (drag || event.button !== 0 || !event.isPrimary || panZoom.wouldPan(event)) return;
    if (event.target.closest?.("[data-no-drag]")) return;
    const point = panZoom.toPage(event.clientX, event.clientY);
    const corner = event.target.closest?.("[data-corner]")?.dataset.corner;
    const press = { id: event.pointerId, x: event.clientX, y: event.clientY, active: false, before: now };
    if (corner && now.box !== null) {
      const [x0, y0, x1, y1] = now.box;
      const held = [corner.includes("w") ? x0 : x1, corner.includes("n") ? y0 : y1];
      const anchor = [corner.includes("w") ? x1 : x0, corner.includes("n") ? y1 : y0];
      const offset = [held[0] - point.x, held[1] - point.y]; // a grip beside the corner must not make it jump
      drag = { ...press, anchor, offset, regionId: now.regionId };
    } else drag = { ...press, anchor: clampPoint(point), offset: [0, 0], regionId: null };
  }

  function moveDrag(event) {
    if (!drag || drag.id !== event.pointerId) return;
    if (!drag.active) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < PANZOOM_DRAG_PX) return;
      drag.active = true;
      clearTimeout(timer);
      viewport.setPointerCapture(event.pointerId);
      chosen.setAttribute("data-drawing", "");
      fault.textContent = "";
    }
    const point = panZoom.toPage(event.clientX, event.clientY);
    const [x, y] = clampPoint({ x: point.x + drag.offset[0], y: point.y + drag.offset[1] });
    const [ax, ay] = drag.anchor;
    now = { box: [Math.min(ax, x), Math.min(ay, y), Math.max(ax, x), Math.max(ay, y)], regionId: drag.regionId };
    show();
  }

  function endDrag(event) {
    if (!drag || drag.id !== event.pointerId) return;
    if (event.type === "pointercancel") return void cancelDrag();
    const { active, before } = drag;
    drag = null;
    chosen.removeAttribute("data-drawing");
    if (!active) return;
    panZoom.swallowNextClick();
    if (now.box !== null && tooSmall(now.box)) {
      fault.textContent = `That rectangle is ${measure(now.box)} points. Draw at least ${SMALLEST} × ${SMALLEST}; zoom in for small figures.`;
      now = before;
      settleLater();
      return void show();
    }
    chosen.focus({ preventScroll: true });
    finish();
  }

  listen(viewport, "pointerdown", startDrag);
  listen(viewport, "pointermove", moveDrag);
  listen(window, "pointerup", endDrag);
  listen(window, "pointercancel", endDrag);

  // ---- keys

  function startByKey() {
    const [x0, y0, x1, y1] = panZoom.seen();
    const width = Math.max((x1 - x0) / 3, SMALLEST);
    const height = Math.max((y1 - y0) / 3, SMALLEST);
    now = { box: null, regionId: null };
    adjust(
      shifted([(x0 + x1 - width) / 2, (y0 + y1 - height) / 2, (x0 + x1 + width) / 2, (y0 + y1 + height) / 2], 0, 0),
    );
    chosen.focus({ preventScroll: true });
  }

  function shifted([x0, y0, x1, y1], dx, dy) {
    const x = Math.min(Math.max(x0 + dx, 0), data.page_width - (x1 - x0));
    const y = Math.min(Math.max(y0 + dy, 0), data.page_height - (y1 - y0));
    return [x, y, x + (x1 - x0), y + (y1 - y0)];
  }

  function stretched([x0, y0, x1, y1], dx, dy) {
    const right = Math.max(Math.min(x1 + dx, data.page_width), Math.min(x0 + SMALLEST, data.page_width));
    const bottom = Math.max(Math.min(y1 + dy, data.page_height), Math.min(y0 + SMALLEST, data.page_height));
    return [x0, y0, right, bottom];
  }

  function onKey(event) {
    if (event.ctrlKey || event.metaKey) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if ((event.key === "r" || event.key === "R") && !event.altKey) startByKey();
    else if (event.key === "Escape" && drag) cancelDrag();
    else if (event.target !== chosen || now.box === null) return;
    else if (event.key === "Enter") finish();
    else if (event.key === "Escape") {
      if (!dirty()) return;
      clearTimeout(timer);
      now = done;
      show();
      if (now.box === null) viewport.focus({ preventScroll: true });
    } else if (Object.hasOwn(arrows, event.key)) {
      const step = event.shiftKey ? 10 : 1;
      const [dx, dy] = arrows[event.key].map((direction) => direction * step);
      adjust(event.altKey ? stretched(now.box, dx, dy) : shifted(now.box, dx, dy));
    } else return;
    event.preventDefault();
    event.stopPropagation(); // Streamlit reruns the page on a plain R
  }

  chosen.addEventListener(
    "focus",
    () => chosen.matches(":focus-visible") && now.box && !drag && panZoom.reveal(now.box),
  );

  // ---- reruns

  // Python's rectangle is taken over only when it is new and the person is not in the middle of something newer.
  function takeOver() {
    const text = JSON.stringify(data.chosen);
    const isFirst = fed === null;
    // A page that saves our answer below the picker passes, in the run that brings the answer, the one before it.
    const lags = data.seen_n > answeredN;
    answeredN = Math.max(answeredN, data.seen_n);
    const busy = drag || dirty() || data.seen_n < lastN;
    if (text === fed || (busy && !isFirst)) return;
    fed = text;
    if (lags && !isFirst) return;
    if (data.chosen && now.box && sameBox(data.chosen, now.box)) return;
    const region = data.chosen && data.regions.find(({ box }) => sameBox(box, data.chosen));
    now = { box: data.chosen, regionId: region?.id ?? null };
    done = now;
  }

  function anotherPage(next) {
    return (
      next.image_url !== data.image_url || next.page_width !== data.page_width || next.page_height !== data.page_height
    );
  }

  return {
    receive(next, setStateValue) {
      send = setStateValue;
      if (anotherPage(next)) {
        cancelDrag();
        clearTimeout(timer);
        now = done = { box: null, regionId: null };
        fed = null;
        fault.textContent = said.textContent = "";
        panZoom.fit();
      }
      data = next;
      setPageShape(root, data);
      viewport.setAttribute("aria-label", data.alt);
      picture.show(data.image_url, data.alt);
      panZoom.setContent(data.page_width, data.page_height, [0, 0]);
      drawRegions();
      takeOver();
      show();
    },
    close() {
      clearTimeout(timer);
      stop.abort();
      panZoom.destroy();
      root.remove();
    },
  };
}

function setPageShape(root, { page_width, page_height, height_px }) {
  root.style.setProperty("--pz-height", `${height_px}px`);
  root.style.setProperty("--pz-aspect", `${page_width} / ${page_height}`);
}

const sameBox = (a, b) => a.every((value, index) => Math.abs(value - b[index]) < 0.01);
const tooSmall = ([x0, y0, x1, y1]) => x1 - x0 < SMALLEST || y1 - y0 < SMALLEST;
const measure = ([x0, y0, x1, y1]) => `${Math.round(x1 - x0)} × ${Math.round(y1 - y0)}`;
const spokenSize = ([x0, y0, x1, y1]) => `${Math.round(x1 - x0)} by ${Math.round(y1 - y0)} points`;
const spoken = ({ box }, label) =>
  `Chosen: ${label || "rectangle"}, ${spokenSize(box)}, ${Math.round(box[0])} from the left, ${Math.round(box[1])} from the top`;

function pickerKeysLine() {
  const line = make(
    "p",
    { class: "pz-keys" },
    make("span", { text: "Click an outlined figure, or drag to draw a rectangle. " }),
  );
  const key = (text) => make("kbd", { text });
  const keyboard = make("span", { class: "pz-keyboard" });
  keyboard.append(
    key("Tab"),
    " ",
    key("Enter"),
    " choose, ",
    key("R"),
    " new, arrows move by 1 pt (",
    key("Shift"),
    " 10), ",
    key("Alt"),
    "+arrows resize, ",
    key("Space"),
    "+drag pans, ",
    key("+"),
    " ",
    key("−"),
    " ",
    key("F"),
    " zoom.",
  );
  line.append(keyboard);
  return line;
}
