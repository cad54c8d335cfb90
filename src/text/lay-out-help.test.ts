import assert from "node:assert/strict";
import { test } from "node:test";
import { layOutHelp } from "./lay-out-help.ts";

const help = [
  "Usage: passepartout example [--json] [--name TEXT]",
  "Sets up a model, the notes folder and the assistant's name: asks on the terminal.",
  "  --json       prints a JSON object for each of the things that were found",
  "  passepartout ask [--json] [--quiet] [--session NAME | --continue] TEXT",
  "                              ask one question and print the answer",
].join("\n");

test("help breaks no word, and its explanations stay in their column", () => {
  assert.deepEqual(layOutHelp(help, 60).split("\n"), [
    "Usage: passepartout example [--json] [--name TEXT]",
    "Sets up a model, the notes folder and the assistant's",
    "name: asks on the terminal.",
    "  --json       prints a JSON object for each of the things",
    "               that were found",
    "  passepartout ask [--json] [--quiet] [--session NAME |",
    "    --continue] TEXT",
    "                              ask one question and print",
    "                              the answer",
  ]);
});

test("no row of help is wider than a narrow terminal", () => {
  const rows = layOutHelp(help, 34).split("\n");
  for (const row of rows) assert.ok(row.length < 34, row);
  assert.ok(rows.includes("  --json"), rows.join("\n"));
  assert.ok(rows.includes("      prints a JSON object for"), rows.join("\n"));
});

test("in a pipe help stays as it is", () => {
  assert.equal(layOutHelp(help, null), help);
});
