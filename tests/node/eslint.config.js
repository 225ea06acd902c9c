import js from "@eslint/js";
import globals from "globals";

const rules = {
  ...js.configs.recommended.rules,
  "no-undef": "error",
  "no-unused-vars": ["error", { ignoreRestSiblings: true }],
  "no-shadow": "error",
  "consistent-return": ["error", { treatUndefinedAsUnspecified: true }],
};

// A function in which one can find one's way; `node tests/node/lengths.js` prints how the scripts stand.
const sized = {
  "max-lines-per-function": ["error", { max: 120 }],
  complexity: ["error", 12],
};

export default [
  { files: ["components/**/*.js", "tests/browser/**/*.js"], languageOptions: { globals: globals.browser }, rules },
  { files: ["components/**/*.js"], rules: sized },
  { files: ["tests/components/**/*.js"], languageOptions: { globals: globals.nodeBuiltin }, rules },
];
