// Data between view.py and the drawn graph; checked by tests/components/graph/test_types.py. Below: the drawn graph.

import type { At } from "../figure/shapes.d.ts";
import type { DataSet, Network } from "./vis_network.d.ts";

export type { DrawnEdge, DrawnNode, Paint } from "./vis_network.d.ts";

/** `both`, `truth` and `prediction`: which of two graphs has it, if nothing is compared yet. */
export type NodeStyle = "plain" | "matched" | "missed" | "spurious" | "both" | "truth" | "prediction";
/** `link`: no edge, but a line between two nodes that may be one; its `flag` says why. */
export type Style = NodeStyle | "reversed" | "cut" | "link";

/** A node with its place at zoom 1, in pixels; `ref` is its id. */
export type NodeData = {
  ref: string;
  name: string;
  label: string;
  x: number;
  y: number;
  style: NodeStyle;
  badge: string;
};

/** An edge; `from` and `to` are places in the list of nodes, `bend` is its deviation from a straight line. */
export type EdgeData = {
  ref: string;
  from: number;
  to: number;
  bend: number;
  mark: "+" | "−" | "";
  delay: boolean;
  flag: string;
  style: Style;
  differs: string;
};

/** The mark of a loop; `nodes` are places in the list of nodes, in the loop's order. */
export type MarkData = { text: string; nodes: number[] };

/** Data of a picture. `selected`, `lit`, `shown` (null: all) and `centre` are ids of nodes and edges; `signature` changes with what is
 * drawn. `ends`: what the graph of missed elements is called, and that of spurious ones. `height` in pixels; null: as
 * high as the element. */
export type PictureData = {
  nodes: NodeData[];
  edges: EdgeData[];
  marks: MarkData[];
  summary: string;
  selected: string[] | null;
  lit: string[] | null;
  shown?: string[] | null;
  hidden: Style[];
  centre: string | null;
  ends: [string, string];
  tells_moves: boolean;
  tools: boolean;
  height: number | null;
  signature: string;
};

/** The same from Python, whose nodes and edges are pyvis's. */
export type DrawingData = Omit<PictureData, "nodes" | "edges" | "shown" | "height"> & {
  nodes: (NodeData & { id: number; shape: "box" })[];
  edges: (EdgeData & { id: number; arrows: "to" })[];
  height: number;
};

/** State sent to Python: the last selection, and the places of dropped nodes; `n` grows. */
export type DrawingState = {
  selection: { kind: "node" | "edge"; id: string; n: number } | null;
  moved: { places: [string, number, number][]; n: number } | null;
};

// ---- the drawn graph

/** A node, an edge, or none, by vis-network's number. */
export type Item = number | null | undefined;

/** A drawn item: what it shows, and its text for users. Of an edge, `ends` are the numbers of its nodes, and `corner` is
 * that of a self-loop. */
export type NodeFact = {
  kind: "node";
  id: string;
  name: string;
  text: string;
  node: NodeData;
  edge?: undefined;
  ends?: undefined;
};
export type EdgeFact = {
  kind: "edge";
  id: string;
  name?: undefined;
  text: string;
  node?: undefined;
  edge: EdgeData;
  corner: number;
  ends: [number, number];
};
export type Fact = NodeFact | EdgeFact;

interface Facts extends Map<number, Fact> {
  get(item: Item): Fact | undefined;
  has(item: Item): boolean;
}

/** Colours as CSS text; `dim` is the opacity of a dimmed item. */
export type Palette = {
  ink: string;
  paper: string;
  act: string;
  wash: string;
  outline: string;
  halo: string;
  hover: string;
  found: string;
  dim: number;
  font: string;
  classes: { plain: string } & Partial<Record<Style, string>>;
  signed: Partial<Record<EdgeData["mark"], string>>;
};

/** A spot on a line with the line's direction, and one next to it with its distance to the right. */
export type Turned = At & { turn: number };
export type Leaning = At & { lean: number };

/** Spots of the marks of an edge; `clear` is one for the mark of a loop, only of a self-loop. */
export type EdgeSpots = {
  head: Leaning;
  middle: Turned;
  before: Turned;
  beside: Leaning;
  beyond: Leaning;
  clear?: At;
  path: At[];
};

/** The texts at an edge. */
export type MarkWords = { sign: string; box: string; beside: string; doubt: string };

/** Shared object of the parts of a picture, created in picture.js. */
export type Figure = {
  root: HTMLElement;
  stage: HTMLElement;
  line: HTMLElement;
  live: HTMLElement;
  tools: ReturnType<typeof import("./tools.js").createTools>;
  find: Find;
  legend: { box: HTMLElement; rows: Map<string, HTMLElement> };
  /** These five are null until the first data are shown. */
  network: Network;
  nodes: DataSet<ReturnType<typeof import("./look.js").nodeItem>>;
  edges: DataSet<ReturnType<typeof import("./look.js").edgeItem>>;
  data: PictureData;
  palette: Palette;
  facts: Facts;
  /** vis-network's number of each item, and the next one. */
  ids: Map<string, number>;
  nextId: number;
  /** Drawn items as text, and the places of nodes that the data gave, by number. */
  shown: Map<number, string>;
  given: Map<number, string>;
  /** Spots of each edge, and of the mark of each loop by its place in the data. */
  spots: Map<number, EdgeSpots>;
  loopSpots: Map<number, At>;
  /** Size of the marks: they grow when zoomed out. */
  grown: number;
  drawnMarks?: { text: string; clockwise: boolean; strength: number; x: number; y: number }[];
  /** Places of dropped nodes that Python has not answered, by id. */
  unsaved: Map<string, [number, number]>;
  signature: string;
  told: string;
  /** Numbers of the last selection and the last places that were reported. */
  chosen: number;
  sent?: number;
  picked: number | null;
  /** The node whose edges `e` steps through. */
  home?: number | null;
  /** True if the user controls the view. */
  moved: boolean;
  partly: boolean;
  gone: boolean;
  /** What the data asked for last, as text. */
  asked: Record<string, string>;
  lit: Set<number> | null;
  only: number | null;
  full: Set<number> | null;
  hits: Set<number>;
  hiddenClasses: Set<Style>;
  hasSignColours: boolean;
  framed: string[] | null;
  onChoose(chosen: DrawingState["selection"]): void;
  onMoved(moved: DrawingState["moved"]): void;
  onFonts(): void;
  watch?: ResizeObserver;
};

/** The field that searches; `at` is the marked match of those found, `taken` the one that was chosen. */
export type Find = {
  box: HTMLElement;
  field: HTMLInputElement;
  list: HTMLElement;
  count: HTMLElement;
  found: { number: number; name: string }[];
  at: number;
  taken: number;
};
