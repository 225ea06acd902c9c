import js from "@eslint/js";
import globals from "globals";

const rules = {
  ...js.configs.recommended.rules,
  "no-undef": "error",
  "no-unused-vars": ["error", { ignoreRestSiblings: true }],
  "no-shadow": "error",
  "consistent-return": ["error", { treatUndefinedAsUnspecified: true }],
};

export default [
  { files: ["components/**/*.js"], languageOptions: { globals: globals.browser }, rules },
  { files: ["tests/components/**/*.js"], languageOptions: { globals: globals.nodeBuiltin }, rules },
];
