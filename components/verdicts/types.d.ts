// Data between Python (desk.py, acts.py) and the verdict desk; checked by tests/components/verdicts/test_types.py.

import type { DeskStanding, Posted } from "../desk/types.d.ts";

/** Labels by the key of their field. */
export type LabelsData = Record<string, string>;

export type MarkData = { start: number; end: number; kind: string };

/** `settles`: labels of this field that set a label of another field. */
export type FieldData = {
  key: string;
  title: string;
  choices: { label: string; word: string; told: string }[];
  settles: { label: string; key: string; to: string }[];
};

export type VerdictItemData = {
  number: number;
  names: string[];
  at: number[];
  own: LabelsData;
  is_compared: boolean;
  is_flagged: boolean;
  judges: { name: string; is_corrected: boolean; labels: LabelsData }[];
  stands: LabelsData;
  score: number | null;
  rulings: { words: string; by: string; is_mine: boolean }[];
  oddities: string[];
  warnings: string[];
  marks: MarkData[];
  quotes: { quote: string; start: number; end: number; kind: string }[];
};

export type NodeData = {
  name: string;
  lines: string[];
  x: number;
  y: number;
  width: number;
  height: number;
  truth: number;
  answer: number;
};

/** Nodes by their numbers; `by`: you, the judge, or maybe. */
export type LinkData = { truth: number; answer: number; by: string; is_one: boolean };

/** Number → matched, reversed, spurious or missed. */
export type StatesData = Record<string, string>;

/** `truth`, `answer`: the edge's number in each graph, 0 if it is not there. */
export type EdgeData = { source: number; sink: number; truth: number; answer: number };

export type VerdictData = DeskStanding & {
  section: "node_precision" | "node_recall" | "edge_precision" | "edge_recall";
  title: string;
  state: "open" | "submitted" | "skipped" | "lapsed";
  fields: FieldData[];
  items: VerdictItemData[];
  nodes: NodeData[];
  edges: EdgeData[];
  links: LinkData[];
  states: { node_precision: StatesData; node_recall: StatesData; edge_precision: StatesData; edge_recall: StatesData };
  is_whole: boolean;
  may_show_whole: boolean;
  text: string;
  to_judge: MarkData[];
  label_first: boolean;
  review_version: number;
  scores: { judge: string; reviewed: string; changed: string } | null;
  judge: string;
  judged: string;
  reasoning: string;
  start: number;
  reasons: string[];
  onward: string;
  longest: number;
};

/** A line of the picture: an edge between the nodes that it is drawn at. */
export type LineData = EdgeData & { state: string; lane: number };

/** A link with the places of its nodes. */
export type TieData = LinkData & { source: number; sink: number };

/** `into`: place of a node → place of the one that it is drawn as. */
export type PictureData = { into: number[]; edges: LineData[]; links: TieData[] };

/** Acts of a user, by kind; a label null clears one. */
export type VerdictActs = {
  label: { number: number; block: string; field: string; label: string | null };
  compare: { number: number };
  keep: { number: number; reason: string; note: string; seen_review: number };
  concede: { number: number; seen_review: number };
  both: { number: number; seen_review: number };
  flag: { number: number; note: string };
  take_back: { number: number };
  counterpart: { truth: number; answer: number; is_one: boolean };
  submit: {};
  skip: { reason: string };
};

/** `next` and `whole` grow with every press; `item` is the number of the item that is open. */
export type VerdictState = Posted & { next: number; whole: number; item: number };
