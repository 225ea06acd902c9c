// Formatted text has every character of its source, in order; nothing of it becomes an element.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { formatted } from "../../../components/texts/markup.js";
import { PlainElement } from "../browser.js";

// Before each test: the scripts' tests may share a process, and others have documents of their own.
beforeEach(() => {
  globalThis.document = /** @type {any} */ ({ createElement: (tag) => Object.assign(new PlainElement(), { tag }) });
});

const SOURCE = `## **1 Introduction** to *loops*

Prices \`p_t\` rise by $\\alpha x_{t-1}$ and $$y = 2$$, see [the *map*](https://evil.example/x_(1)) or ![fig](a.png).
It costs $5 or $10; snake_case_name, 2 * 3 * 4 and a \\* star, ** alone, __bold__ and _slanted_.

- first <b>bold</b> item
* second<br>line, CO<sub>2</sub> and m<sup>2</sup>
> a quoted **line**
| a | b \\| c |
|---|:-:|
| 1 | **2** |

\`\`\`js
<script>alert("**no**")</script>
\`\`\`
<img src=x onerror=alert(1)> p <0.05, 𝛼 **un
closed** [ref] (x)`;

/** Text of a node, and the elements in it. */
function read(node, elements = []) {
  if (typeof node === "string") return [node, elements];
  elements.push(node);
  if (node.children.length === 0) return [node.textContent, elements];
  return [node.children.map((each) => read(each, elements)[0]).join(""), elements];
}

const paragraphs = SOURCE.split(/(?<=\n\n)(?=[^\n])/);
const shown = (node) =>
  typeof node === "string"
    ? node
    : node.attributes.get("class") === "tx-markup"
      ? ""
      : node.children.length === 0
        ? node.textContent
        : node.children.map(shown).join("");

test("the text of a formatted paragraph is its source, to the character", () => {
  for (const each of paragraphs) {
    assert.equal(
      formatted(each)
        .map((node) => read(node)[0])
        .join(""),
      each,
    );
  }
});

test("marks are hidden, and words as they read remain", () => {
  const words = paragraphs.map((each) => formatted(each).map(shown).join("")).join("");
  assert.ok(words.startsWith("1 Introduction to loops\n\nPrices p_t rise by \\alpha x_{t-1} and y = 2, see"));
  for (const unmarked of ["It costs $5 or $10; snake_case_name, 2 * 3 * 4 and a * star, ** alone, bold and slanted."])
    assert.ok(words.includes(unmarked), words);
  assert.ok(words.includes("CO2 and m2") && words.includes('<script>alert("**no**")</script>'));
  assert.ok(words.includes("<img src=x onerror=alert(1)> p <0.05"), "what is no mark is read as typed");
});

test("no element but those of formatting is made, and none has an address", () => {
  const elements = paragraphs.flatMap((each) => formatted(each).flatMap((node) => read(node)[1]));
  const tags = new Set(elements.map(({ tag }) => tag));
  assert.deepEqual([...tags].sort(), ["b", "br", "code", "i", "span", "sub", "sup", "u"]);
  for (const { attributes } of elements)
    assert.deepEqual(
      [...attributes.keys()].filter((name) => name !== "class" && name !== "data-level"),
      [],
    );
});
