import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { Effect } from "../signal/effect.ts";
import { bottomLabel } from "../signal/label.ts";
import { builtInGates } from "./built-in.ts";
import { judge } from "./judge.ts";
import { remedyFor } from "./remedies.ts";
import { sampleFacts } from "./sample-action.ts";

const folder = new URL(".", import.meta.url);
const table = readFileSync(new URL("remedies.ts", folder), "utf8");
const listed = [...table.matchAll(/^ {2}\[\s*"([a-z-]+)",/gm)].map(([, code = ""]) => code);

test("the table of remedies has each objection of a gate, and no other", () => {
  const sources = readdirSync(folder)
    .filter((name) => /^[a-z-]+\.ts$/.test(name) && !/remedies|test|fixture/.test(name))
    .map((name) => readFileSync(new URL(name, folder), "utf8"));
  const codes = sources.flatMap((source) =>
    [...source.matchAll(/(?:\bcode: |\b(?:ask|block)\(\s*)([^,;]*)[,;]/g)].flatMap(([, place = ""]) =>
      [...place.matchAll(/"([a-z-]{5,})"/g)].map(([, code = ""]) => code),
    ),
  );
  assert.ok(codes.length > 40);
  assert.deepEqual([...new Set(codes)].sort(), listed.toSorted());
});

test("a verdict that asks or blocks says what passes instead, and one that passes does not", () => {
  const effect = (target: string): Effect => ({
    kind: "read-path",
    target,
    access: "contents",
    tree: false,
    label: bottomLabel,
    reversal: "undoable",
  });
  const insteadOf = (target: string) => judge(builtInGates, [effect(target)], sampleFacts).instead;
  assert.match(insteadOf("/srv/data/x") ?? "", /^What passes instead: names pass anywhere/);
  assert.match(insteadOf("/home/ada/.ssh/id_ed25519") ?? "", /^What passes instead: work without/);
  assert.equal(insteadOf(`${sampleFacts.folders.workspace}/a.txt`), undefined);
});

test("remedies are told once each, and a few at a time", () => {
  assert.equal(
    remedyFor(["delete-final", "delete-outside", "delete-home", "unknown"]),
    "What passes instead: leave it, and name it to the owner.",
  );
  assert.equal(remedyFor(["tool-asks"]), null);
  assert.equal(remedyFor(listed)?.split(";").length, 3);
});
