// The desk's words. Values in, texts out.

export const VERDICT = "verdict";
export const VERDICT_WORDS = new Map([
  [null, "none"],
  [true, "accept"],
  [false, "reject"],
]);
const CLOSED = new Map([
  ["submitted", "These scores are submitted and cannot be changed."],
  ["skipped", "You skipped this triplet. Resume it from your list to score it."],
  ["lapsed", "This claim expired. Resume it from your list to continue."],
]);

/** Why nothing is scored now; "" if it may be. */
export const closedText = ({ state }, { isOpen, sending }) =>
  isOpen ? "" : sending ? "Submitting. Wait a moment." : (CLOSED.get(state) ?? "");

export const nextVerdict = (verdict) => (verdict === null ? true : verdict ? false : null);

/** Where one is: what is chosen and how much is scored; for screen readers too. */
export function placeText(view, criteria, key) {
  const place = criteria.findIndex((each) => each.key === key) + 1;
  if (view.missing.length === 0) return `All ${criteria.length} scored`;
  return place > 0 ? `Criterion ${place} of ${criteria.length}` : `${view.given} of ${criteria.length} scored`;
}

/** What a score says, in one line: "2: Both variables are right …". */
export const scoreText = ({ words }, value) => (value === undefined ? "not scored" : `${value}: ${words[value]}`);

/** How far a critic is from one's own score: "", "one more", "2 less" … */
export function apartText(own, theirs) {
  if (own === undefined || theirs === undefined || own === theirs) return "";
  const n = Math.abs(theirs - own);
  return `${n} ${theirs > own ? "higher" : "lower"}`;
}
