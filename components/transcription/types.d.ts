// Data between desk.py, acts.py and the desk; checked by tests/components/transcription/test_types.py.

import type { DeskStanding, EdgeData, EdgeField, Posted, Sign } from "../desk/types.d.ts";
import type { Box, Point } from "../figure/shapes.d.ts";
import type { CropData } from "../figure/types.d.ts";
import type { DrawingData } from "../graph/types.d.ts";

export type { Sign };

/** `at` is where it was placed, `box` where it is printed; neither: it is not placed yet. */
export type NodeData = { id: string; name: string; box: Box | null; at: Point | null; swept: boolean };

/** An edge with the path of its printed arrow, and the marks printed there. */
export type PlacedEdge = EdgeData & { path: Point[] | null; printed_sign: Sign; printed_delay: boolean };

/** A printed arrow without an edge. */
export type ArrowData = { id: string; path: Point[] };

export type ProposalData = {
  id: string;
  source: string;
  sink: string;
  sign: Sign;
  delay: boolean;
  confidence: number;
  is_doubtful: boolean;
  is_certain: boolean;
  origin: string;
  doubts: string[];
  path: Point[] | null;
};

export type WordData = { text: string; box: Box; dismissed: boolean };

/** A line that could not be read; `line` counts from 1 in what was sent, `offer` is a form that could be read. */
export type FaultData = { key: string; line: number; text: string; message: string; offer: string };

/** Data of the graph (graph.js); the rest is for the parts around it. */
export type GraphData = {
  nodes: NodeData[];
  edges: PlacedEdge[];
  proposals: ProposalData[];
  words: WordData[];
  arrows: ArrowData[];
};

/** The page's data. `figure` is null if there is only the list; `drawing` unless the graph is drawn for itself; `sweep` is an id, "" for the first open name
 * and "arrows" for the first printed arrow without an edge. */
export type TranscriptionData = DeskStanding &
  GraphData & {
    figure: CropData | null;
    names: string[];
    faults: FaultData[];
    flags: string[];
    sweep: string | null;
    sweep_n: number;
    reading: { n: number; text: string; why: string } | null;
    rereads: boolean;
    drawing: DrawingData | null;
  };

/** State that the desk sends its page; `n` grows with every request. */
export type TranscriptionState = Posted & { reread: { box: Box; n: number }; view: "figure" | "graph" | "table" };

/** Way in which the proposals of one act were chosen; "" if it is about one. */
export type Chosen = "" | "certain" | "node" | "region" | "kind";

/** Acts of a user, by kind. Nodes by name. */
export type TranscriptionActs = {
  lines: { text: string; pasted: boolean };
  drop_fault: { text: string };
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
export type TranscriptionAct<Kind extends keyof TranscriptionActs> = {
  id: string;
  kind: Kind;
} & TranscriptionActs[Kind];

// ---- the graph with the waiting acts

export type ViewNode = NodeData & { state: string };

/** An edge, its ends by name. */
export type ViewEdge = Omit<PlacedEdge, "source_id" | "sink_id"> & { source: string; sink: string; state: string };

/** Nodes by name, edges and proposals by id; `dismissed`: printed texts, folded, that are no variables; `arrows`: paths
 * of printed arrows without an edge, by id. */
export type View = {
  nodes: Map<string, ViewNode>;
  edges: Map<string, ViewEdge>;
  proposals: Map<string, ProposalData>;
  dismissed: Set<string>;
  arrows: Map<string, Point[]>;
};
