// Names while they are typed: the one at the caret, and known names that contain it. Pure: text in, text out.

const MAX_OPTIONS = 8;
const CONNECTOR = /<->|->[+\-−]?|[;\n]/y;

export const fold = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
export const needsQuotes = (name) => /->|<-|[;"]/.test(name);
export const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** The name being typed at the caret: its start and end in `text`, and the typed part. */
export function nameAt(text, caret) {
  let start = 0;
  let end = text.length;
  let inQuotes = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') inQuotes = !inQuotes;
    CONNECTOR.lastIndex = at;
    const match = inQuotes ? null : CONNECTOR.exec(text);
    if (match === null) continue;
    if (at + match[0].length <= caret) {
      start = at + match[0].length;
      at = start - 1;
    } else {
      end = at;
      break;
    }
  }
  const typed = text.slice(start, caret).trimStart();
  return {
    start: caret - typed.length,
    end: Math.max(caret, start + text.slice(start, end).trimEnd().length),
    query: typed.startsWith('"') ? typed.slice(1).replaceAll('""', '"') : typed,
    isQuoted: typed.startsWith('"'),
  };
}

/** Names that contain `query`: the name itself, then those with it at the start, at the start of a word, anywhere. */
export function matches(names, query) {
  const foldedQuery = fold(query);
  const typed = query.trim();
  /** @type {string[][]} */
  const ranks = [[], [], [], [], []];
  for (const [name, folded] of names) {
    const at = folded.indexOf(foldedQuery);
    if (at < 0) continue;
    if (name === typed) ranks[0].push(name);
    else if (folded === foldedQuery) ranks[1].push(name);
    else if (at === 0) ranks[2].push(name);
    else if (/[^\p{L}\p{N}]/u.test(folded[at - 1])) ranks[3].push(name);
    else ranks[4].push(name);
  }
  return ranks.flat().slice(0, MAX_OPTIONS);
}
