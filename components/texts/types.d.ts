// Data between Python (desk.py, acts.py) and the text desk; checked by tests/components/texts/test_types.py.
// Places are counted in characters of Unicode.

import type { DeskStanding, Posted } from "../desk/types.d.ts";

/** `put` replaces the original text from `start` to `end`; `page` is null if unknown. */
export type ChangeData = {
  number: number;
  start: number;
  end: number;
  put: string;
  kind: string;
  page: number | null;
  flagged: string[];
  is_rejected: boolean;
};

/** `url`: of the text in which the changes have their places. */
export type StageData = {
  id: string;
  label: string;
  url: string;
  size: string;
  guard: string;
  has_passed: boolean | null;
  changes: ChangeData[];
};

/** A change by places of the browser, with the words that it replaces. */
export type PlacedChange = ChangeData & { was: string };

/** True if the change is rejected. */
export type IsRejected = (change: PlacedChange) => boolean;

/** Start and end in a text. */
export type Stretch = [start: number, end: number];

/** A leak, by places of the last stage's text with its changes. */
export type FindingData = {
  kind: string;
  start: number;
  end: number;
  line: number;
  text: string;
  edges: number;
  is_structural: boolean;
};

export type TextData = DeskStanding & {
  stages: StageData[];
  findings: FindingData[];
  hindrances: string[];
  is_ready: boolean;
  longest: number;
};

/** Acts of a user, by kind. */
export type TextActs = {
  reject_change: { text: string; number: number };
  restore_change: { text: string; number: number };
  replace_stretch: { text: string; start: number; end: number; was: string; replacement: string };
  ready: {};
  undo: {};
  redo: {};
};

export type TextState = Posted;

// ---- labelling how explicit nodes are (labels/desk.py, labels/acts.py)

/** `url`: of the text; `levels`: the user's own, by node. */
export type LabelData = DeskStanding & {
  url: string;
  nodes: string[];
  levels: Record<string, number>;
  state: "open" | "submitted" | "skipped" | "lapsed";
  onward: string;
};

/** Acts of a user, by kind; a level null clears one. */
export type LabelActs = {
  label: { node: string; level: number | null };
  submit_levels: {};
};

/** `next` grows with every press. */
export type LabelState = Posted & { next: number };

/** A stretch of the text as it is drawn. `role`: words that are unchanged, removed, inserted, or
 * left by a rejected change. `from`: of the original text, or of the inserted words; `number` names the change. */
export type Run = {
  role: "plain" | "was" | "put" | "left";
  text: string;
  from: number;
  number: number | null;
  findings: number[];
};

/** Runs between two blank lines. */
export type Paragraph = { runs: Run[]; hasChange: boolean };
