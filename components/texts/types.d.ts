// What crosses between Python (desk.py, acts.py) and the desk of a text; tests/components/texts/test_types.py holds the
// two together. Places are counted in characters of Unicode.

import type { DeskStanding, Posted } from "../desk/types.d.ts";

/** `put` stands in place of what the text before has from `start` to `end`; `page` is null where none is known. */
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

/** `url`: of the text that the changes are places of. */
export type StageData = {
  id: string;
  label: string;
  url: string;
  size: string;
  guard: string;
  has_passed: boolean | null;
  changes: ChangeData[];
};

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

/** What a person did, by kind. */
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

/** `url`: of the text; `levels`: one's own, by node. */
export type LabelData = DeskStanding & {
  url: string;
  nodes: string[];
  levels: Record<string, number>;
  state: "open" | "submitted" | "skipped" | "lapsed";
  onward: string;
};

/** What a person did, by kind; a level null takes one back. */
export type LabelActs = {
  label: { node: string; level: number | null };
  submit_levels: {};
};

/** `next` grows with every press. */
export type LabelState = Posted & { next: number };

/** A stretch of the text as it is drawn. `role`: words that stand as they were, that are taken out, that are put in, or
 * that a rejected change left. `from`: of the text before, or of the words put in; `number` names the change. */
export type Run = {
  role: "plain" | "was" | "put" | "left";
  text: string;
  from: number;
  number: number | null;
  findings: number[];
};

/** Runs between two blank lines. */
export type Paragraph = { runs: Run[]; hasChange: boolean };
