// Types shared by the parts of a canvas: places and choices. Lengths are points of the page.

import type { EdgeMark, Frame } from "../desk/types.d.ts";
import type { At, Box, Point } from "../figure/shapes.d.ts";
import type { CropData } from "../figure/types.d.ts";
import type { Sign, TranscriptionActs, TranscriptionData } from "../transcription/types.d.ts";

export type { At, Box, Point };

/** A place at a box: a node, or a printed text that is none yet. */
export type Place = {
  kind: "node" | "word";
  key: string;
  name: string;
  box: Box;
  isPoint: boolean;
  isUnplaced?: boolean;
  node?: any;
  word?: any;
  [more: string]: any;
};

/** A drawn path, from tail to head. */
export type Curve = {
  d: string;
  points: Point[];
  bounds: Box;
  head: At & { angle: number };
  middle: At & { angle: number };
};

/** A drawn edge or proposal. */
export type Line = {
  kind: "edge" | "proposal";
  key: string;
  edge: any;
  curve: Curve;
  points: Point[];
  bounds: Box;
  isStub?: boolean;
  [more: string]: any;
};

export type Scene = {
  places: Place[];
  lines: Line[];
  unplaced: any[];
  boxes: Map<string, Box>;
  unit: number;
};

/** A part of the figure: the closed ring around it, and its box while it is a rectangle. */
export type Region = { ring: Point[]; box: Box | null };

/** A node, a printed text or a proposal that a press or a key chose. */
export type Choice = { kind: string; key: string };

/** Unfinished actions on a canvas; none of it is stored. */
export type CanvasUi = {
  chosen: Choice | null;
  armed: string | null;
  /** Marks of the edge that is being drawn. */
  mark: EdgeMark;
  typed: string;
  focus: string | null;
  proposal: string | null;
  move: (At & { name: string }) | null;
  hints: boolean;
  drag: any;
  edgesOf: string | null;
  sweep: { kind: "node" | "word" | "arrow"; name: string; key: string } | null;
  region: Region | null;
  /** Nodes that were Shift-clicked one after the other. */
  run: string[];
  /** The open request to read again: its number, and the place. */
  rereading: { n: number; kind: string; key: string } | null;
};

// ---- what the parts of one canvas share

/** One canvas, created in pane.js: its elements, drawing, unfinished actions, and parts. */
export type Canvas = Pick<
  Frame,
  "host" | "root" | "subject" | "buttons" | "receipt" | "notices" | "sheet" | "pending" | "drawings"
> & {
  viewport: HTMLElement;
  content: HTMLElement;
  data: TranscriptionData & { figure: CropData };
  scene: Scene;
  ui: CanvasUi;
  setState(name: string, value: unknown): void;
  isEditable(): boolean;
  say(text: string): void;
  home(): HTMLElement;
  sweepName(): string | null;
  can(kind: "undo" | "redo"): boolean;
  act<Kind extends keyof TranscriptionActs>(
    kind: Kind,
    payload: TranscriptionActs[Kind],
  ): import("../desk/types.d.ts").Act | null;
  toLine(): void;
  draw(): void;
  graph: ReturnType<typeof import("../transcription/graph.js").createGraph>;
  hints: ReturnType<typeof import("./parts.js").createHints>;
  fullWindow: ReturnType<typeof import("./full_window.js").createFullWindow>;
  picture: ReturnType<typeof import("../figure/page_image.js").createPageImage>;
  panZoom: import("../figure/panzoom.js").PanZoom;
  /** The selected edge, shared with the list next to the figure. */
  selection: import("../desk/selection.js").Selection;
  sweep: ReturnType<typeof import("./sweep.js").createSweep>;
  around: ReturnType<typeof import("./around/around.js").createAround>;
  nameBox: ReturnType<typeof import("./names.js").createNameBox>;
  menu: ReturnType<typeof import("./names.js").createMenu>;
  commands: any;
  pointer: ReturnType<typeof import("./pointer.js").createPointer>;
  // where.js
  placeOf(kind: string, key: string): Place | null;
  inside(x: number, y: number): At;
  clipped(box: Box): Box;
  focused(): Choice | null;
  here(): Place | null;
  whereNow(): { at: Point; key: string | null };
  freeSpot(): At;
  allNames(): string[];
  focusOn(kind: string, key: string): void;
  nudge(key: string, px: number): void;
  placeBox(element: HTMLElement, at: Box | null): void;
  // drawing.js
  drawGraph(): void;
  groupOf(kind: string, key: string): any;
  setShape(): void;
  setScale(scale: number): void;
  hover(place: Place | null, point: At | null): void;
  drawBand(point: At | null, mode?: string | null, place?: any): void;
};
