// What crosses between view.py and the drawn graph; tests/components/graph/test_types.py holds the two together.

export type NodeStyle = "plain" | "matched" | "missed" | "spurious";
export type Style = NodeStyle | "reversed" | "cut";

/** A node with its place at zoom 1, in pixels. `id` is its number, `ref` what Python calls it. */
export type NodeData = {
  id: number;
  ref: string;
  name: string;
  label: string;
  shape: "box";
  x: number;
  y: number;
  style: NodeStyle;
  badge: string;
};

/** An edge; `from` and `to` are places in the list of nodes, `bend` is how far it bows aside. */
export type EdgeData = {
  id: number;
  ref: string;
  from: number;
  to: number;
  arrows: "to";
  bend: number;
  mark: "+" | "−" | "";
  delay: boolean;
  flag: string;
  style: Style;
  differs: string;
};

/** The mark of a loop; `nodes` are places in the list of nodes, in the loop's order. */
export type MarkData = { text: string; nodes: number[] };

/** `selected`, `lit` and `centre` name nodes and edges as Python does; `signature` changes with what is drawn. `ends`:
 * what the graph of missed elements is called, and that of spurious ones. */
export type DrawingData = {
  nodes: NodeData[];
  edges: EdgeData[];
  marks: MarkData[];
  summary: string;
  selected: string[] | null;
  lit: string[] | null;
  hidden: Style[];
  centre: string | null;
  ends: [string, string];
  tells_moves: boolean;
  tools: boolean;
  height: number;
  signature: string;
};

/** What the figure tells Python: the last choice, and where nodes were let go; `n` grows. */
export type DrawingState = {
  selection: { kind: "node" | "edge"; id: string; n: number } | null;
  moved: { places: [string, number, number][]; n: number } | null;
};
