// Data between Python (desk.py, acts.py) and the adjudicator's desk; checked by
// tests/components/adjudication/test_types.py.

import type { Sign } from "../desk/types.d.ts";
import type { Box, Point } from "../figure/shapes.d.ts";
import type { DeskStanding, Posted } from "../desk/types.d.ts";
import type { CropData } from "../figure/types.d.ts";
import type { DrawingData } from "../graph/types.d.ts";

/** Who is right; of a name: whose wording applies, "neither" for another one, "both" for two variables. */
export type Choice = "A" | "B" | "both" | "neither";

/** Reasons, comment and gap of a ruling. */
export type Why = { reasons: string[]; comment: string; is_gap: boolean };

export type RulingData = Why & {
  choice: Choice;
  reference: string | null;
  name_class: string | null;
  wording: string;
};

/** A variable by its aligned name; `a` and `b` are the wordings of the two. */
export type NodeData = {
  name: string;
  wording: string;
  a: string | null;
  b: string | null;
  box: Box | null;
  at: Point | null;
};

export type ArrowData = { source: string; sink: string; sign: Sign; delay: boolean; origin: string };

/** A question about a name of B; `likely` gives the class that each of A's names would have. */
export type NameData = {
  key: string;
  name: string;
  offers: string[];
  likely: Record<string, string>;
  reference: string | null;
  is_folded: boolean;
  read_says: string;
  ruling: RulingData | null;
};

export type MarkData = { sign: Sign; delay: boolean };

export type DifferenceData = {
  key: string;
  kind: string;
  source: string;
  sink: string;
  a: MarkData[];
  b: MarkData[];
  legal: Choice[];
  sentence: string;
  a_says: string;
  b_says: string;
  read_says: string;
  ruling: RulingData | null;
};

/** An edge that neither has as the program read it; `sign` and `delay` are those it is set with. `other_marks`: the only
 * difference from a drawn edge, "" if it is in neither transcription. */
export type ReadData = {
  source: string;
  sink: string;
  sign: Sign;
  delay: boolean;
  is_turned: boolean;
  other_marks: string;
  sentence: string;
  a_says: string;
  b_says: string;
  read_says: string;
  origin: string;
  doubts: string;
  path: Point[];
};

/** An edge that the adjudicator set or removed. */
export type OwnData = RulingData & {
  key: string;
  source: string;
  sink: string;
  is_there: boolean;
  sign: Sign;
  delay: boolean;
};

/** The printed path under an edge of A or B, by aligned names. */
export type CourseData = { side: "a" | "b"; source: string; sink: string; sign: Sign; path: Point[] };

export type AdjudicationData = DeskStanding & {
  figure: CropData;
  nodes: NodeData[];
  arrows: ArrowData[];
  names: NameData[];
  differences: DifferenceData[];
  own: OwnData[];
  courses: CourseData[];
  words: { text: string; box: Box }[];
  read: ReadData[];
  read_origin: string;
  waiting: string[];
  drawing: DrawingData | null;
  reasons: string[];
  classes: string[];
  longest: { comment: number; name: number };
};

/** Acts of an adjudicator, by kind. */
export type AdjudicationActs = {
  rule: Why & { key: string; choice: Choice };
  rule_name: Why & {
    name: string;
    choice: Choice;
    reference: string | null;
    name_class: string | null;
    wording: string;
  };
  note: Why & { key: string };
  set_arrow: Why & { source: string; sink: string; is_there: boolean; sign: Sign; delay: boolean };
  take_back: { key: string };
  undo: {};
  redo: {};
};

/** `finish` grows with every press. */
export type AdjudicationState = Posted & { finish: number; view: "figure" | "graph" };
