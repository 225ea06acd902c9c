// What the parts of a canvas share: where things stand, what a person chose. Lengths are points of the page.

import type { DeskStanding, EdgeField, Frame, Outgoing } from "../desk/types.d.ts";
import type { At, Box, Point } from "../figure/shapes.d.ts";
import type { CropData } from "../figure/types.d.ts";

export type { At, Box, Point };

/** Something drawn at a box: a node, or a printed text that is none yet. */
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

/** A drawn course, from tail to head. */
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

/** What a person is about to do on a canvas; nothing of it is stored. */
export type CanvasUi = {
  chosen: Choice | null;
  armed: string | null;
  sign: Sign;
  delay: boolean;
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
  /** What is being read again: the number of the request, and the place. */
  rereading: { n: number; kind: string; key: string } | null;
};

// ---- what Python gives (canvas.py) and takes (acts.py); tests/components/canvas/test_types.py compares the two

export type Sign = "+" | "-" | "";

export type NodeData = { id: string; name: string; box: Box | null; at: Point | null; swept: boolean };

export type EdgeData = {
  id: string;
  source_id: string;
  sink_id: string;
  sign: Sign;
  delay: boolean;
  flag: string;
  path: Point[] | null;
  printed_sign: Sign;
  printed_delay: boolean;
};

/** A printed arrow on which no edge stands. */
export type ArrowData = { id: string; path: Point[] };

export type ProposalData = {
  id: string;
  source: string;
  sink: string;
  sign: Sign;
  delay: boolean;
  confidence: number | null;
  is_doubtful: boolean;
  is_certain: boolean;
  origin: string;
  why: string;
  doubts: string[];
  path: Point[] | null;
};

export type WordData = { text: string; box: Box; dismissed: boolean };

/** What a canvas draws of the page's data; the rest is for what stands around it. */
export type GraphData = {
  nodes: NodeData[];
  edges: EdgeData[];
  proposals: ProposalData[];
  words: WordData[];
  arrows: ArrowData[];
};

/** All that the page gives: `sweep` is an id, "" for the first open name and "arrows" for the first printed arrow without
 * an edge. */
export type CanvasData = DeskStanding &
  GraphData & {
    figure: CropData;
    names: string[];
    flags: string[];
    sweep: string | null;
    sweep_n: number;
    reading: { n: number; text: string; why: string } | null;
    rereads: boolean;
  };

/** What a canvas tells Python; `n` grows with every request. */
export type CanvasState = {
  outbox: Outgoing;
  reread: { box: Box; n: number };
};

/** How the proposals of one act were chosen; "" if it is about one. */
export type Chosen = "" | "certain" | "node" | "region" | "kind";

/** What a person did on a canvas, by kind. Nodes go by name. */
export type CanvasActs = {
  place_node: { name: string; x: number; y: number; box: Box | null; origin: "printed" | "drawn" };
  join_names: { name: string; nodes: string[]; words: { text: string; box: Box }[] };
  move_node: { node: string; x: number; y: number };
  connect: { source: string; sink: string; sign: Sign; delay: boolean; lit: string };
  edit_edge: { edge_id: string; field: EdgeField; value: string | boolean };
  reverse_edge: { edge_id: string };
  delete_edge: { edge_id: string };
  delete_node: { node: string };
  rename_node: { node: string; name: string };
  accept: { proposal_ids: string[]; by: Chosen };
  accept_as: { proposal_id: string; source: string; sink: string };
  refuse: { proposal_ids: string[]; by: Chosen };
  attest: { node: string; swept: boolean };
  not_a_variable: { text: string; is_none: boolean };
  not_an_edge: { arrow: string; is_none: boolean };
  undo: {};
  redo: {};
};

/** An act as it waits in the outbox. */
export type CanvasAct<Kind extends keyof CanvasActs> = { id: string; kind: Kind } & CanvasActs[Kind];

// ---- the graph under the acts that wait

export type ViewNode = NodeData & { state: string };

export type ViewEdge = {
  id: string;
  source: string;
  sink: string;
  sign: Sign;
  delay: boolean;
  flag: string;
  path: Point[] | null;
  printed_sign: Sign;
  printed_delay: boolean;
  state: string;
};

/** Nodes by name, edges and proposals by id; `dismissed`: printed texts, folded, that are no variables; `arrows`: courses
 * of printed arrows without an edge, by id. */
export type View = {
  nodes: Map<string, ViewNode>;
  edges: Map<string, ViewEdge>;
  proposals: Map<string, ProposalData>;
  dismissed: Set<string>;
  arrows: Map<string, Point[]>;
  isGuess: boolean;
};

// ---- what the parts of one canvas share

/** One canvas, made in canvas.js: its elements, what it draws, what is about to be done, and its parts. */
export type Canvas = Pick<
  Frame,
  "host" | "root" | "subject" | "buttons" | "receipt" | "notices" | "sheet" | "pending"
> & {
  viewport: HTMLElement;
  content: HTMLElement;
  data: CanvasData;
  scene: Scene;
  ui: CanvasUi;
  setState(name: string, value: unknown): void;
  isEditable(): boolean;
  say(text: string): void;
  home(): HTMLElement;
  sweepName(): string | null;
  can(kind: "undo" | "redo"): boolean;
  act<Kind extends keyof CanvasActs>(
    kind: Kind,
    payload: CanvasActs[Kind],
    how?: { isLast?: boolean },
  ): import("../desk/types.d.ts").Act | null;
  draw(): void;
  graph: ReturnType<typeof import("./graph.js").createGraph>;
  hints: ReturnType<typeof import("./parts.js").createHints>;
  fullWindow: ReturnType<typeof import("./full_window.js").createFullWindow>;
  picture: ReturnType<typeof import("../figure/page_image.js").createPageImage>;
  panZoom: import("../figure/panzoom.js").PanZoom;
  /** The selected edge, which the list beside the figure has too. */
  selection: ReturnType<typeof import("../desk/selection.js").createSelection>;
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
