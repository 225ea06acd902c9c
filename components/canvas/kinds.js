// Kinds of proposals of a figure, so that all of a kind can be rejected at once. Pure.

import { count } from "../desk/dom.js";
import { signText } from "../desk/edges.js";

/** @typedef {import("../transcription/types.d.ts").ProposalData} ProposalData */
/** @typedef {{label: string, ids: string[]}} Kind */

/** The traits of a proposal, each a phrase after "proposals": doubts first.
 * @param {ProposalData} proposal
 * @returns {string[]} */
function traitsOf({ doubts, is_doubtful: isDoubtful, is_certain: isCertain, sign, delay, origin }) {
  const traits = [
    ...doubts.map((doubt) => `with the doubt “${doubt}”`),
    isDoubtful && "with an uncertain direction",
    !isCertain && "that are not certain",
    delay && "with a delay mark",
    sign === "" ? "without a sign" : `with the sign ${signText(sign)}`,
    origin && `read ${origin}`,
  ];
  return traits.flatMap((trait) => trait || []);
}

/** Kinds that `proposal` shares with another of `all`, smallest first; kinds of the same proposals are one.
 * @param {ProposalData} proposal
 * @param {ProposalData[]} all
 * @returns {Kind[]} */
export function kindsOf(proposal, all) {
  const kinds = new Map();
  for (const trait of traitsOf(proposal)) {
    const ids = all.filter((each) => traitsOf(each).includes(trait)).map(({ id }) => id);
    const members = ids.join();
    if (ids.length > 1 && !kinds.has(members)) kinds.set(members, { label: trait, ids });
  }
  return [...kinds.values()].sort((a, b) => a.ids.length - b.ids.length);
}

/** @param {Kind} kind */
export const kindText = ({ label, ids }) => `${count(ids.length, "proposal")} ${label}`;
