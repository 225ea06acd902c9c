// Test files in one process, each a suite: `node in_one_process.js FILE...`. `make check` has a process for each.

import path from "node:path";
import { suite } from "node:test";
import { pathToFileURL } from "node:url";

for (const file of process.argv.slice(2)) suite(file, () => import(pathToFileURL(path.resolve(file)).href));
