// What crosses between Python (desk.py, acts.py) and the verdict desk; tests/components/verdicts/test_types.py holds the
// two together.

import type { DeskStanding, Outgoing } from "../desk/types.d.ts";

/** Labels by the key of their field. */
export type LabelsData = Record<string, string>;

export type MarkData = { start: number; end: number; kind: string };

/** `settles`: which label of this field gives which label to which other field. */
export type FieldData = {
  key: string;
  title: string;
  choices: { label: string; word: string; told: string }[];
  settles: { label: string; key: string; to: string }[];
};

export type VerdictItemData = {
  number: number;
  names: string[];
  own: LabelsData;
  is_compared: boolean;
  is_flagged: boolean;
  judges: { name: string; is_corrected: boolean; labels: LabelsData }[];
  stands: LabelsData;
  rulings: { words: string; by: string; is_mine: boolean }[];
  oddities: string[];
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
  side: "truth" | "answer" | "both";
};

/** `truth`, `answer`: the edge's number in each graph, 0 where that has none. */
export type EdgeData = { source: number; sink: number; truth: number; answer: number };

export type VerdictData = DeskStanding & {
  section: "node_precision" | "node_recall" | "edge_precision" | "edge_recall";
  title: string;
  state: "open" | "submitted" | "skipped" | "lapsed";
  fields: FieldData[];
  items: VerdictItemData[];
  nodes: NodeData[];
  edges: EdgeData[];
  text: string;
  to_judge: MarkData[];
  label_first: boolean;
  review_version: number;
  scores: { judge: string; reviewed: string } | null;
  judge: string;
  judged: string;
  start: number;
  reasons: string[];
  onward: string;
  longest: number;
};

/** What a person did, by kind; a label null takes one back. */
export type VerdictActs = {
  label: { number: number; block: string; field: string; label: string | null };
  compare: { number: number };
  keep: { number: number; reason: string; note: string; seen_review: number };
  concede: { number: number; seen_review: number };
  both: { number: number; seen_review: number };
  flag: { number: number; note: string };
  takeBack: { number: number };
  submit: {};
  skip: { reason: string };
};

/** `next` grows with every press; `item` is the number of the item that is open. */
export type VerdictState = { outbox: Outgoing; next: number; item: number };
