import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type OrgNode, parseOrg } from "#org";
import { makePlainNotes, makeTreeNotes } from "./tree-notes.ts";

// More files by TREE_FILES, from another seed on by TREE_SEED; another Org by EMACS_LOAD_PATH, which for 9.8 may have TREE_SORT=pieces, elements or characters.
const count = Number(process.env["TREE_FILES"] ?? 60);
const seed = Number(process.env["TREE_SEED"] ?? 1);
const sort = process.env["TREE_SORT"];
const loadPath = process.env["EMACS_LOAD_PATH"];

const emacsIsHere = spawnSync("emacs", ["--version"]).status === 0;
const skip = emacsIsHere ? false : "there is no emacs on this machine";

test("the syntax trees of made-up notes are those of the installed Emacs", { skip }, (t) => {
  const files = makeFiles(t);
  const theirs = askEmacs(files.map(({ path }) => path));
  let nodes = 0;
  for (const [index, { text }] of files.entries()) {
    const ours = rowsOf(text);
    nodes += ours.length;
    assert.deepEqual(ours, theirs[index], `seed ${seed + index}: ${JSON.stringify(text)}`);
  }
  t.diagnostic(`${nodes} nodes of ${files.length} files agree`);
});

function makeFiles(t: TestContext): readonly { readonly path: string; readonly text: string }[] {
  const folder = mkdtempSync(join(tmpdir(), "trees-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return Array.from({ length: count }, (_, index) => {
    const own = seed + index;
    const text =
      sort === "pieces" || sort === "elements" || sort === "characters"
        ? makeTreeNotes(own, sort)
        : makePlainNotes(own);
    const path = join(folder, `notes-${own}.org`);
    writeFileSync(path, text);
    return { path, text };
  });
}

/** All nodes but text, those of titles and tags first, as Emacs walks through its tree. Offsets count characters, as it does. */
function rowsOf(text: string): readonly unknown[] {
  const rows: unknown[] = [];
  const point = (at: number): number | null => (at === -1 ? null : Array.from(text.slice(0, at)).length);
  const left: OrgNode[] = [parseOrg(text)];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const { type, begin, end, contentsBegin, contentsEnd, postBlank, children } = node;
    if (type !== "text" && type !== "org-data")
      rows.push([type, point(begin), point(end), point(contentsBegin), point(contentsEnd), postBlank]);
    left.push(...children.toReversed(), ...secondary(node).toReversed());
  }
  return rows;
}

function secondary(node: OrgNode): readonly OrgNode[] {
  if (node.type === "headline") return node.properties.title;
  if (node.type === "item") return node.properties.tag;
  if (node.type !== "citation" && node.type !== "citation-reference") return [];
  return [...node.properties.prefix, ...node.properties.suffix];
}

function askEmacs(paths: readonly string[]): readonly unknown[] {
  const load = loadPath === undefined ? [] : ["-L", loadPath];
  const program = join(import.meta.dirname, "tree-in-emacs.el");
  const run = spawnSync("emacs", ["-Q", "--batch", ...load, "-l", program, "--", ...paths], {
    encoding: "utf8",
    maxBuffer: 1e9,
    env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" },
  });
  assert.equal(run.status, 0, run.stderr);
  const lines = run.stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}
