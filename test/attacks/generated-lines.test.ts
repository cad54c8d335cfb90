import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Effect } from "../../src/signal/effect.ts";
import type { Outcome } from "../../src/signal/tool.ts";
import { generateLine, stepProgram } from "./generate-line.ts";
import { court } from "./trial-court.ts";

/** A whole run is `npm run views`; a test run tries a few lines. */
const [count, seed] = [Number(process.env["VIEWS"] ?? 8), Number(process.env["VIEWS_SEED"] ?? 1)];

/** Every entry below a folder: what it is, and a digest of what it holds. */
function listing(
  folder: string,
  except: (path: string) => boolean = () => false,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const walk = (path: string): void => {
    if (except(path)) return;
    const status = lstatSync(path);
    const holds = status.isFile()
      ? createHash("sha256").update(readFileSync(path)).digest("hex")
      : status.isSymbolicLink()
        ? readlinkSync(path)
        : "";
    found.set(path, `${status.mode} ${holds}`);
    if (status.isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
  };
  walk(folder);
  return found;
}

function plant(paths: readonly string[], text: (path: string) => string): void {
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text(path));
  }
}

/** A workspace with links, plain and secret files, beside folders of which no line may see anything. */
async function world(context: TestContext) {
  const made = await court(context);
  if (made === null) return null;
  const { workspace } = made;
  const root = dirname(workspace);
  const names = [
    "plan",
    "Makefile",
    ".env",
    "id_rsa",
    "notes.org",
    "wire.secret",
    "journal.jsonl",
    "config",
    "x",
  ];
  const outside = ["out", "out/o", "home", "home/.ssh", "home/notes", "state"].flatMap((folder) =>
    names.map((name) => join(root, folder, name)),
  );
  plant(outside, (path) => `CANARY of ${path}\n`);
  const secret = [".env", ".ssh/id_rsa", "real/.env", "deep/a/b/.env"].map((name) => join(workspace, name));
  plant(secret, (path) => `CANARY of ${path}\n`);
  const plain = ["real", "other", "other/c", "deep/a", "deep/a/b"].flatMap((folder) =>
    ["plan", "Makefile", "x"].map((name) => join(workspace, folder, name)),
  );
  plant(plain, (path) => `${path}\n`);
  symlinkSync("real", join(workspace, "via"));
  symlinkSync("nowhere", join(workspace, "deep/a/d2"));
  plant([join(workspace, "step.py")], () => stepProgram);
  return { ...made, root };
}

function isNamed(effects: readonly Effect[], path: string): boolean {
  return effects.some(
    ({ kind, target }) =>
      (kind === "delete-path" || kind === "write-path") && (path === target || path.startsWith(`${target}/`)),
  );
}

/** Where a file of the overlays has what no command may see. */
function findCanary(sets: string): string | null {
  for (const [path] of listing(sets)) {
    const isHeld = path.includes("/upper/") && lstatSync(path).isFile();
    if (isHeld && readFileSync(path, "utf8").includes("CANARY")) return path;
  }
  return null;
}

test("no generated line reads, makes, covers or loses anything outside of its copy, or loses anything in it unseen", async (context) => {
  const made = await world(context);
  if (made === null) return;
  const { root, workspace, sets, prepare, undo, overlays } = made;
  const outside = (): ReadonlyMap<string, string> =>
    listing(root, (path) => path === workspace || path === sets);
  const beyond = outside();
  const seen = { lines: 0, changed: 0, refused: 0, kept: 0 };
  for (let number = 0; number < count; number += 1) {
    const { line, steps } = generateLine(seed * 1_000_003 + number, root);
    writeFileSync(join(workspace, "steps.json"), JSON.stringify(steps));
    const about = `line ${number}: ${line}\n${JSON.stringify(steps)}`;
    const before = listing(workspace);
    const prepared = await prepare(line);
    if (!prepared.ok || prepared.trial === undefined) {
      seen.refused += 1;
      continue;
    }
    seen.lines += 1;
    const signal = new AbortController().signal;
    const isTried = number % 3 !== 0;
    const outcome: Outcome = isTried ? (await prepared.trial(signal)).outcome : await prepared.run(signal);
    assert.doesNotMatch(JSON.stringify(outcome), /CANARY/, about);
    assert.deepEqual(outside(), beyond, about);
    assert.equal(findCanary(sets), null, about);
    if (isTried) {
      assert.deepEqual(listing(workspace), before, about);
      if (overlays.trials.find("turn", JSON.stringify({ cmd: line })) === null) continue;
      seen.changed += 1;
      const again = await prepare(line);
      if (!again.ok) continue;
      await again.run(signal);
      const after = listing(workspace);
      for (const [path, held] of before)
        if (!held.endsWith(" ") && after.get(path) === undefined)
          assert.ok(isNamed(again.effects, path), `${path} is lost unseen; ${about}`);
    }
    assert.deepEqual(outside(), beyond, about);
    const after = listing(workspace);
    const isSame =
      after.size === before.size && [...before].every(([path, held]) => after.get(path) === held);
    if (isSame) continue;
    seen.kept += 1;
    assert.deepEqual(await undo(), [], about);
    // What is executed later and nobody approved keeps the name that made it harmless.
    for (const path of listing(workspace).keys())
      if (basename(path).startsWith("not-approved.")) rmSync(path, { recursive: true, force: true });
    assert.deepEqual(listing(workspace), before, about);
  }
  context.diagnostic(JSON.stringify(seen));
});
