// Data between view.py and the drawn graph; checked by tests/components/graph/test_types.py.

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
