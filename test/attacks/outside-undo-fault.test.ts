import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { homeWorld } from "./home-world.ts";

const full = Buffer.alloc(2_000_000);

/** Leaves no byte on the disk of a folder. */
function fill(path: string): void {
  assert.throws(() => writeFileSync(path, full), /ENOSPC/);
}

// Only root may mount a disk.
if (process.getuid?.() === 0)
  test("where the disk refuses a part of an undo over several folders, nothing is in neither place, the words say what stands where, and it can be repeated", async (t) => {
    const { at, propose, approve, agent, talk } = await homeWorld(t);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", at("docs")]);
    if (mounted.status !== 0) return t.skip("this root may not mount, as that of a container");
    using _ = { [Symbol.dispose]: () => spawnSync("umount", ["--lazy", at("docs")]) };
    const contents = { one: "1".repeat(600_000), three: "other/three\n", own: "work/own\n" };
    writeFileSync(at("docs/one"), contents.one);
    const before = ["docs/one", "other/three", "work/own"];
    const after = ["other/one", "docs/three", "docs/own"];
    const isWhole = (path: string): boolean => {
      try {
        return (
          readFileSync(at(path), "utf8") ===
          Object.entries(contents).find(([name]) => path.endsWith(name))?.[1]
        );
      } catch (fault) {
        assert.match(String(fault), /ENOENT/);
        return false;
      }
    };
    const there = (): readonly string[] => [...before, ...after].filter(isWhole);
    const undo = async (): Promise<string> =>
      JSON.stringify(await agent.runCommand({ kind: "undo" }, talk.session));
    await propose("mv ~/docs/one ~/other/ && mv ~/other/three ~/docs/ && mv own ~/docs/");
    assert.match(await approve(), /exitCode":0/);
    assert.deepEqual(there(), after);
    fill(at("docs/filler"));
    const said = await undo();
    const left = there();
    for (const [index, path] of before.entries())
      assert.ok(left.includes(path) || left.includes(after[index] ?? ""), `${path} is in no place: ${said}`);
    assert.match(said, /docs\/one could not be made: [^"]*(?:space|room|full)/i, said);
    assert.match(said, /stays as it is|nothing of it was taken back/, said);
    rmSync(at("docs/filler"));
    const again = await undo();
    assert.deepEqual(there(), before, again);
  });
