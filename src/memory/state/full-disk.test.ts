import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const { CI } = process.env;
const strict = CI === "true";
const samples = new URL("./samples.fixture.ts", import.meta.url).href;

/** Runs code with a small file system of its own mounted at the folder, in a namespace that ends with it; null where that is not to be had. */
function inSmallDisk(t: TestContext, options: string, code: (place: string) => string): string | null {
  const place = mkdtempSync(join(root, "disk-"));
  const mount = 'mount -t tmpfs -o "$1" tmpfs "$2" || exit 99; shift 2; exec "$@"';
  const command = [process.execPath, "--input-type=module", "-e", code(place)];
  const namespace = ["--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", options, place];
  const child = spawnSync("unshare", [...namespace, ...command], { encoding: "utf8" });
  if (child.status === 0) return child.stdout;
  const missing = child.error !== undefined || child.status === 99 || child.stderr.startsWith("unshare:");
  assert.ok(missing && !strict, `${child.error ?? ""}${child.stderr}`);
  t.skip("needs user namespaces: install util-linux and allow unprivileged user namespaces");
  return null;
}

test("a full disk is explained, loses nothing acknowledged, and is over when there is room again", (t) => {
  const output = inSmallDisk(
    t,
    "size=4m",
    (place) => `
    import { rmSync, writeFileSync } from "node:fs";
    import { openSampleState, sampleRecord, sampleSignal } from ${JSON.stringify(samples)};
    writeFileSync(${JSON.stringify(join(place, "filler"))}, Buffer.alloc(1_800_000));
    const folder = ${JSON.stringify(join(place, "state"))};
    const codes = new Set();
    const until = async (work) => {
      for (let count = 0; count < 5000; count += 1) {
        try { await work(count); } catch (error) { codes.add(error.code ?? String(error)); return count; }
      }
      return -1;
    };
    let accepted, appended, check, found;
    {
      await using state = await openSampleState(folder);
      const text = "x".repeat(3000);
      accepted = await until((count) => state.accept(sampleSignal({ id: "s" + count, text }), 50));
      appended = await until((count) => state.journal.append(sampleRecord({ detail: { text } }), { forced: true }));
      check = await state.journal.verify();
      found = (await state.turns.unfinished()).length;
      rmSync(${JSON.stringify(join(place, "filler"))});
      await state.accept(sampleSignal({ id: "after" }), 50);
      await state.journal.append(sampleRecord(), { forced: true });
    }
    await using again = await openSampleState(folder);
    const last = await again.journal.verify();
    console.log("codes", [...codes].join());
    console.log("accepted some", accepted > 0, "lost", accepted - found);
    console.log("journal", check.ok, "lost", appended - check.entries);
    console.log("accepted after", (await again.turns.unfinished()).length - accepted);
    console.log("journal after", last.ok, last.entries - appended);
    console.log("problems", (await again.verify()).length);`,
  );
  if (output === null) return;
  assert.deepEqual(output.trim().split("\n"), [
    "codes full-disk",
    "accepted some true lost 0",
    "journal true lost 0",
    "accepted after 1",
    "journal after true 1",
    "problems 0",
  ]);
});

test("a file system that cannot be written is explained", (t) => {
  const output = inSmallDisk(
    t,
    "ro",
    (place) => `
    import { openSampleState } from ${JSON.stringify(samples)};
    try { await openSampleState(${JSON.stringify(place)}); } catch (error) { console.log(error.code, error.message); }
    try { await openSampleState(${JSON.stringify(join(place, "state"))}); } catch (error) { console.log(error.code, error.message); }`,
  );
  if (output === null) return;
  const lines = output.trim().split("\n");
  assert.equal(lines.length, 2);
  for (const line of lines)
    assert.match(line, /^unwritable .* cannot be written: its disk is read-only\. Mount it writable/);
});

test("a state on a file system that cannot be written can still be read", (t) => {
  const output = inSmallDisk(
    t,
    "size=2m",
    (place) => `
    import { execFileSync } from "node:child_process";
    import { openSampleState, sampleSignal } from ${JSON.stringify(samples)};
    const place = ${JSON.stringify(place)};
    { await using state = await openSampleState(place); await state.accept(sampleSignal(), 50); }
    execFileSync("mount", ["--options-mode", "ignore", "-o", "remount,ro", place]);
    await using state = await openSampleState(place, { access: "read" });
    console.log((await state.turns.unfinished()).length);`,
  );
  if (output !== null) assert.equal(output.trim(), "1");
});
