// Words of the scoring desk. Values in, texts out.

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

/** Reason why scoring is not possible; "" if it is. */
export const closedText = ({ state }, { isOpen, sending }) =>
  isOpen ? "" : sending ? "Submitting. Wait a moment." : (CLOSED.get(state) ?? "");

export const nextVerdict = (verdict) => (verdict === null ? true : verdict ? false : null);

/** Position: the chosen criterion and the number of scores; for screen readers too. */
export function placeText(view, criteria, key) {
  const place = criteria.findIndex((each) => each.key === key) + 1;
  if (view.missing.length === 0) return `All ${criteria.length} scored`;
  return place > 0 ? `Criterion ${place} of ${criteria.length}` : `${view.given} of ${criteria.length} scored`;
}

/** A score and its meaning in one line: "2: Both variables are right …". */
export const scoreText = ({ words }, value) => (value === undefined ? "not scored" : `${value}: ${words[value]}`);

/** Distance of a critic from the user's score: "", "one more", "2 less" … */
export function apartText(own, theirs) {
  if (own === undefined || theirs === undefined || own === theirs) return "";
  const n = Math.abs(theirs - own);
  return `${n} ${theirs > own ? "higher" : "lower"}`;
}
