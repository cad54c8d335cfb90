import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Label } from "../../signal/label.ts";
import { openSampleState } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "origins-"));
after(() => rmSync(root, { recursive: true, force: true }));

const web: Label = { integrity: "untrusted", secrecy: "public", sources: [{ id: "r1", path: "" }] };
const own: Label = { integrity: "user", secrecy: "public", sources: [] };

test("an origin is joined to what was kept, and so never grows more trusting by itself", async () => {
  await using state = await openSampleState(join(root, "joined"));
  await state.origins.keep(["a", "b"], web);
  await state.origins.keep(["a"], own);
  const found = await state.origins.of(["a", "b", "c"]);
  assert.deepEqual([...found.keys()].toSorted(), ["a", "b"]);
  assert.deepEqual(found.get("a"), { label: web, trusted: false });
});

test("the owner's word stays, also where the same text comes from elsewhere again", async () => {
  await using state = await openSampleState(join(root, "trusted"));
  await state.origins.keep(["a"], web);
  await state.origins.trust(["a"]);
  await state.origins.keep(["a"], web);
  assert.equal((await state.origins.of(["a"])).get("a")?.trusted, true);
  await state.origins.trust(["never-kept"]);
  assert.equal((await state.origins.of(["never-kept"])).get("never-kept")?.trusted, true);
});

test("origins outlive the process", async () => {
  const folder = join(root, "kept");
  {
    await using state = await openSampleState(folder);
    await state.origins.keep(["a"], web);
  }
  await using state = await openSampleState(folder);
  assert.equal((await state.origins.of(["a"])).get("a")?.label.integrity, "untrusted");
});
