// Data between Python and the pictures of pages; checked by tests/components/figure/test_types.py.
// Lengths are points of the page, but for `height_px`.

import type { Box, Point } from "./shapes.d.ts";

/** A part of a page (crop.py); `origin` is its left and top there. */
export type CropData = {
  image_url: string;
  width: number;
  height: number;
  origin: Point;
  alt: string;
  height_px: number;
};

// ---- the figure with marks on it (figure_view.py)

export type MarkData = {
  kind: "node" | "word" | "box";
  id: string;
  label: string;
  box: Box;
  state: "plain" | "chosen" | "dimmed" | "attested";
  path: Point[];
};

export type FigureViewData = CropData & { marks: MarkData[] };

/** State sent to Python: the last click; `n` grows. */
export type FigureViewState = { click: { id: string; n: number } };

// ---- the page on which a region is picked (region_picker.py)

export type RegionData = { id: string; label: string; box: Box };

/** `seen_n` is the last answer that Python knows of. */
export type PickerData = {
  image_url: string;
  page_width: number;
  page_height: number;
  regions: RegionData[];
  chosen: Box | null;
  alt: string;
  height_px: number;
  seen_n: number;
};

/** State sent to Python: the last finished choice; `n` grows. */
export type PickerState = { picked: { box: Box; region_id: string | null; n: number } };

// ---- shared by the scripts

/** Sends a component's state to Python: its name and its value. */
export type Tell<State> = <Name extends keyof State>(name: Name, value: State[Name]) => void;

/** Scale (pixels per point) and place of a picture's upper left corner in the window. */
export type View = { scale: number; x: number; y: number };

/** A picture in points with its `origin` on the page, the `room` of the window in pixels, the `padding` around the fitted
 * picture, and `min` and `max` of the scale as multiples of the fit. */
export type Frame = {
  width: number;
  height: number;
  origin: number[];
  room: { width: number; height: number };
  padding: number;
  min: number;
  max: number;
};

/** Elements that gestures act on, and their effects. `dragPans`: whether a plain drag pans; `onGesture`: a pinch takes
 * over from a drag. */
export type Hands = {
  viewport: HTMLElement;
  frame: HTMLElement;
  signal: AbortSignal;
  dragPans: (event: PointerEvent) => boolean;
  onGesture: () => void;
  /** Zoom about a point of the browser's window, by default the middle of the picture. */
  zoomBy: (factor: number, clientX?: number, clientY?: number, isSmooth?: boolean) => void;
  /** Move the picture by pixels. */
  panBy: (dx: number, dy: number, isSmooth?: boolean) => void;
  fit: (isSmooth?: boolean) => void;
};

/** Settings of zoom and pan. `frame` is the element whose focus means that the figure has focus and whose keys count: it
 * holds the viewport and the buttons, and is the viewport by default. */
export type PanZoomSettings = Frame &
  Pick<Hands, "frame" | "dragPans" | "onGesture"> & {
    onChange: (scale: number) => void;
    legible: () => number;
  };

/** The page on which rectangles lie. */
export type Page = { page_width: number; page_height: number };

/** The drawn rectangle, and the outlined figure that it is, if any. */
export type Picked = { box: Box | null; regionId: string | null };

/** A press that may become a rectangle: from `anchor`, `offset` from the pointer. */
export type Drag = {
  id: number;
  x: number;
  y: number;
  active: boolean;
  before: Picked;
  anchor: number[];
  offset: number[];
  regionId: string | null;
};

/** Shared object of the parts of a picker: its elements, the page's data, the drawn rectangle (`now`), the one sent to or
 * received from Python (`done`), and whether a plain drag pans (`moves`). */
export type Picker = {
  root: HTMLElement;
  viewport: HTMLElement;
  chosen: HTMLElement;
  fault: HTMLElement;
  data: PickerData;
  now: Picked;
  done: Picked;
  moves: boolean;
  panZoom: import("./panzoom.js").PanZoom;
  show: () => void;
  hold: () => void;
  finish: () => void;
  adjust: (box: Box) => void;
  settleLater: () => void;
};
