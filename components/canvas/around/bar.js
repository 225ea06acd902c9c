// The status line under the figure, with its buttons.

import { changes, count, make, pushButton, setText } from "../../desk/dom.js";
import { edgeText, selectedText, signText } from "../../desk/edges.js";
import { shownWord } from "../../desk/stored_words.js";

/** Confidence of a proposal, and the doubts about it. */
export function confidenceText({ confidence, is_doubtful: isDoubtful, is_certain: isCertain, doubts }) {
  const sure = [isCertain ? "certain" : "", confidence.toFixed(2), isDoubtful ? "check the direction" : ""]
    .filter(Boolean)
    .join(", ");
  return [sure, doubts.join(" ")].filter(Boolean).join(" · "); // doubts are sentences of their own
}

const SPOKEN_MS = 3000; // how long the line shows the last event

/** The line's words: for a moment with the last event, but always with the edge that its buttons change. */
const lineOf = (kind, text, news) => (news === "" ? text : ({ idle: news, edge: `${text} · ${news}` }[kind] ?? text));

/** Button that shows the joined name before joining. @param {import("../types.d.ts").Canvas} c */
const joinButton = (c, text) => pushButton(text, () => c.commands.join(), { title: "Make them one name (M)" });

/** Contents of a region, and the possible actions.
 * @param {import("../types.d.ts").Canvas} c */
const regionState =
  (c) =>
  ({ proposals, texts, name }) => [
    `Region: ${count(proposals, "proposal")}, ${count(texts, "text")}${name && ` (together “${name}”)`}. Draw around more, or arrow keys, with Shift its corner`,
    () => [
      ...(proposals > 0
        ? [
            pushButton(`Accept ${proposals}`, () => c.commands.answerRegion("accept"), {
              title: "Accept all proposals in the region (y)",
              class: "cv-primary",
            }),
            pushButton(`Reject ${proposals}`, () => c.commands.answerRegion("refuse"), {
              title: "Reject all proposals in the region (x)",
            }),
          ]
        : []),
      ...(name === "" ? [] : [joinButton(c, `Join ${texts} texts…`)]),
      pushButton("Cancel", c.commands.cancel, { title: "Esc" }),
    ],
  ];

/** Words and buttons of the line for each state of the canvas.
 * @param {import("../types.d.ts").Canvas} c */
function statesOf(c) {
  const signButton = (label, value, title, sign) => {
    const marks = { class: "cv-square", title, "aria-label": title, "aria-pressed": String(sign === value) };
    return pushButton(label, () => c.commands.setSign(value), marks);
  };
  const marks = (edge) => [
    signButton("+", "+", "Plus (+)", edge.sign),
    signButton("−", "-", "Minus (-)", edge.sign),
    signButton("→", "", "No printed sign (0)", edge.sign),
    pushButton("Delay", c.commands.toggleDelay, { title: "Delay mark (d)", "aria-pressed": String(edge.delay) }),
  ];

  const ends = () => [
    pushButton("Reverse", c.commands.reverse, { title: "Reverse the edge (V)" }),
    pushButton("Source…", c.commands.retypeSource, { title: "Change the source (<), or drag the ring at the tail" }),
    pushButton("Sink…", c.commands.retypeSink, { title: "Change the sink (>), or drag the ring at the tip" }),
  ];

  const printed = ({ printed_sign: sign, printed_delay: delay }) =>
    [signText(sign), delay && "delay"].filter(Boolean).join(", ");
  const takePrinted = (edge) =>
    printed(edge)
      ? [
          pushButton(`Use printed ${printed(edge)}`, () => c.commands.takePrinted(), {
            title: "Use what is printed at the arrow (y)",
            class: "cv-primary",
          }),
        ]
      : [];

  const acceptAll = (certain) =>
    certain > 0
      ? [
          pushButton(`Accept ${certain} certain`, c.commands.acceptCertain, {
            title: "Accept all certain proposals (Y)",
          }),
        ]
      : [];

  return {
    move: ({ move }) => [
      `Place “${move.name}”: arrow keys move it, Shift moves faster`,
      () => [
        pushButton("Place here", c.commands.putHere, { title: "Enter" }),
        pushButton("Cancel", c.commands.cancel, { title: "Esc" }),
      ],
    ],
    region: regionState(c),
    run: ({ names, name }) => [
      `${names.map((each) => `“${each}”`).join(" and ")} are separate nodes. Join them as “${name}”?`,
      () => [joinButton(c, "Join…"), pushButton("Keep apart", c.commands.cancel, { title: "Esc" })],
    ],
    proposal: ({ proposal, place, total, certain }) => [
      `Proposal ${place} of ${total}${proposal.origin ? ` (${proposal.origin})` : ""}: ${edgeText(proposal)} · ${confidenceText(proposal)}`,
      () => [
        pushButton("Accept", c.commands.accept, { title: "y or Enter", class: "cv-primary" }),
        pushButton("Reject", c.commands.refuse, { title: "x" }),
        pushButton("Reject kind…", c.commands.rejectKind, {
          title: "Reject all proposals of the same kind (X)",
        }),
        ...ends(),
        pushButton("Next", c.commands.nextProposal, { title: "P" }),
        ...acceptAll(certain),
      ],
    ],
    armed: ({ armed, mark, typed, proposed }) => [
      `${armed} → ${typed}…${mark.sign ? ` ${signText(mark.sign)}` : ""}${mark.delay ? " delay" : ""}`,
      () => [
        ...marks(mark),
        ...(proposed > 0
          ? [
              pushButton(`Accept ${proposed} here`, c.commands.acceptNode, {
                title: "Accept all proposals at this node (N)",
              }),
            ]
          : []),
        pushButton("Menu", c.commands.menuHere, { title: "Rename, move, remove…" }),
        pushButton("Cancel", c.commands.cancel, { title: "Esc" }),
      ],
    ],
    typed: ({ typed }) => [`Code: ${typed}…`, () => [pushButton("Cancel", c.commands.cancel, { title: "Esc" })]],
    edge: ({ edge, flags }) => [
      selectedText(edge),
      () => {
        const flag = make(
          "select",
          { "aria-label": "Flag", title: "Flag (G)" },
          make("option", { value: "", text: "No flag" }),
          ...flags.map((value) => make("option", { value, text: shownWord(value) })),
        );
        flag.value = edge.flag;
        flag.addEventListener("change", () => c.commands.setFlag(flag.value));
        return [
          ...takePrinted(edge),
          ...marks(edge),
          ...ends(),
          flag,
          pushButton("Remove", c.commands.remove, { title: "Delete" }),
        ];
      },
    ],
    looked: ({ edge }) => [[selectedText(edge), shownWord(edge.flag)].filter(Boolean).join(", "), () => []],
    idle: ({ hint, proposals, certain }) => [
      hint,
      () => {
        const review = pushButton("Review proposals", c.commands.nextProposal, { title: "P", class: "cv-primary" });
        return proposals > 0 ? [review, ...acceptAll(certain)] : [];
      },
    ],
  };
}

/** `say` is for all users (the line and screen readers); draw(kind, state) fills the line for the current state.
 * @param {import("../types.d.ts").Canvas} c */
export function createBar(c) {
  const words = make("p", { class: "cv-words", id: "cv-words" });
  const acts = make("div", { class: "cv-row cv-acts" });
  const also = make("p", { class: "cv-also", id: "cv-also" });
  const bar = make("div", { class: "cv-bar", role: "group", "aria-labelledby": "cv-words cv-also" }, words, acts, also);
  const status = make("p", { class: "pz-said", role: "status" });
  c.root.append(bar, status);
  const isOther = changes();
  let spoken = "";
  let spokenUntil = 0;
  /** @type {string | null} */
  let spokenOf = null; // the edge that was selected then: with another one the words would mislead
  /** @type {number | undefined} */
  let quiet;

  const states = statesOf(c);

  return {
    say(text) {
      spoken = text;
      spokenUntil = Date.now() + SPOKEN_MS;
      spokenOf = c.selection.id();
      clearTimeout(quiet);
      quiet = setTimeout(() => c.root.isConnected && c.around.draw(), SPOKEN_MS);
      status.textContent = "";
      status.textContent = text;
    },
    draw(kind, state) {
      const [text, parts] = states[kind](state);
      const isFresh = Date.now() < spokenUntil && spokenOf === c.selection.id();
      const line = lineOf(kind, text, isFresh ? spoken : "");
      setText(words, line);
      words.title = line;
      // Keys that are not about the line's subject, such as a sign while the next proposal is shown, change this edge.
      const edge = ["edge", "looked"].includes(kind) ? null : c.commands.selected();
      setText(also, edge === null ? "" : selectedText(edge));
      if (!isOther(kind, state)) return;
      /** @type {HTMLElement | null} */
      const focused = acts.querySelector(":focus");
      const focusedTitle = focused?.title ?? null;
      acts.replaceChildren(...parts());
      const buttons = /** @type {HTMLElement[]} */ ([...acts.children]);
      const again = focusedTitle === null ? null : buttons.find((button) => button.title === focusedTitle);
      if (focusedTitle !== null) (again ?? c.home()).focus({ preventScroll: true });
    },
  };
}
