// Data between Python (desk.py, acts.py) and the scoring desk; checked by tests/components/triplets/test_types.py.

import type { Box } from "../figure/shapes.d.ts";
import type { DeskStanding, Posted } from "../desk/types.d.ts";

/** Place of a paragraph: a picture of the page, its size in points, and a box around each line. */
export type PlaceData = { page: number; image_url: string; width: number; height: number; boxes: Box[] };

export type EvidenceData = { text: string; found: string; flag: string; places: PlaceData[] };

/** `url` is an address of the web or empty, `printed` the address as in the file. */
export type PaperData = { title: string; about: string; url: string; printed: string };

/** A stretch of an abstract, and which phrases it belongs to: "", "X", "Y" or "X Y". */
export type AbstractPart = { text: string; of: string };

/** `phrases`: names of treatment and outcome; `abstract`: null on forms that do not ask about it, without parts if
 * the file has none; `abstract_note`: the phrases that are not in it word for word. */
export type ClaimData = {
  treatment: string;
  outcome: string;
  sign: string;
  verb: string;
  phrases: [string, string];
  context: string;
  methods: string;
  paper: PaperData;
  evidence: EvidenceData[];
  evidence_note: string;
  abstract: AbstractPart[] | null;
  abstract_note: string;
};

/** `words`: meaning of each score, 0 first. */
export type CriterionData = { key: string; name: string; question: string; words: string[] };

export type CriticData = {
  name: string;
  is_synthetic: boolean;
  scores: Record<string, number>;
  reasons: Record<string, string>;
};

/** Shown after the scores are submitted. */
export type AnswerData = {
  verdict: string;
  total: string;
  reason: string;
  critics: CriticData[];
  critics_note: string;
};

export type TripletData = DeskStanding & {
  claim: ClaimData;
  criteria: CriterionData[];
  scores: Record<string, number>;
  own_verdict: boolean | null;
  comment: string;
  reason: string;
  state: "open" | "submitted" | "skipped" | "lapsed";
  answer: AnswerData | null;
  onward: string;
  reasons: string[];
  longest: number;
};

/** Acts of a user, by kind; the criterion may be "verdict", a value null clears a score. */
export type TripletActs = {
  score: { criterion: string; value: number | null };
  comment: { text: string };
  skip: { reason: string };
  submit: {};
};

/** `next` grows with every press. */
export type TripletState = Posted & { next: number };
