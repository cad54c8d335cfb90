import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bottomLabel } from "../../signal/label.ts";
import { failure, type Preparation, success } from "../../signal/tool.ts";
import { problem } from "./fallible.ts";
import { prepareBoth } from "./prepare-both.ts";

const folder = mkdtempSync(join(tmpdir(), "prepare-both-"));
after(() => rmSync(folder, { recursive: true, force: true }));

type Ready = Extract<Preparation, { readonly ok: true }>;

const ready = (path: string, run: Ready["run"]): Ready => ({
  ok: true,
  effects: [],
  plan: path,
  changes: [{ path, before: null, after: null }],
  resultLabel: bottomLabel,
  run,
});
const writing = (name: string): Ready => {
  const path = join(folder, name);
  return ready(path, async () => {
    writeFileSync(path, "new");
    return success({});
  });
};
const failing = ready(join(folder, "c"), async () => failure(problem("denied", "c cannot be written.")));

test("where the last of three changes fails, all before it are taken back, however they were combined", async () => {
  const ports = { keepPreImage: async () => "kept" };
  const [a, b] = [writing("a"), writing("b")];
  for (const all of [
    prepareBoth(prepareBoth(a, b, ports), failing, ports),
    prepareBoth(a, prepareBoth(b, failing, ports), ports),
  ]) {
    writeFileSync(join(folder, "a"), "old");
    const outcome = await all.run(new AbortController().signal);
    assert.equal(outcome.status === "error" && outcome.message, "c cannot be written.");
    assert.equal(readFileSync(join(folder, "a"), "utf8"), "old");
    assert.equal(existsSync(join(folder, "b")), false);
  }
});

test("what lost a race says so only where nothing is left of the change before it", async () => {
  const path = join(folder, "raced");
  for (const [others, code] of [
    ["new", "conflict"],
    ["of somebody else", "partly-done"],
  ] as const) {
    const losing = ready(join(folder, "c"), async () => {
      writeFileSync(path, others);
      return failure(problem("conflict", "c changed."));
    });
    writeFileSync(path, "old");
    const outcome = await prepareBoth(writing("raced"), losing, { keepPreImage: async () => "kept" }).run(
      new AbortController().signal,
    );
    assert.equal(outcome.status === "error" && outcome.code, code);
    assert.equal(readFileSync(path, "utf8"), code === "conflict" ? "old" : others);
  }
});
