import assert from "node:assert/strict";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { proveHarmless } from "../../src/act/shell/programs/prove-harmless.ts";
import { makeScratchFolder, shellIn } from "../../src/act/tools/shell.fixture.ts";

test("a tool that runs what a file of its folder names is not vouched for, not even for its version", () => {
  for (const program of ["cargo", "rustc", "go"]) {
    assert.equal(proveHarmless([program, "--version"]).harmless, false, program);
  }
});

test("letters that tree reads as further options are not taken for a value", () => {
  for (const cmd of ["tree -Lo 2 out", "tree -Po x out", "tree -aIo x out", "tree -P -Lo 2 out"]) {
    assert.equal(proveHarmless(cmd.split(" ")).harmless, false, cmd);
  }
  for (const cmd of ["tree -L 2", "tree -L2", "tree -a -I node_modules", "tree -aL 2"]) {
    assert.equal(proveHarmless(cmd.split(" ")).harmless, true, cmd);
  }
});

test("a program that takes its arguments from a file is not vouched for, wherever the file is named", () => {
  for (const args of [["@list"], ["-n", "@list"], ["-t", "@list", "a"], ["--bytes", "@list"]]) {
    assert.equal(proveHarmless(["strings", ...args]).harmless, false, args.join(" "));
  }
});

test("both sides of a comparison of dates are names that are judged", () => {
  for (const words of [
    ["a", "-nt", "b"],
    ["!", "a", "-ef", "b"],
    ["-f", "c", "-a", "a", "-ot", "b"],
  ]) {
    const proof = proveHarmless(["test", ...words]);
    const read = proof.harmless ? proof.reads.map(({ path }) => path) : [];
    assert.ok(read.includes("a") && read.includes("b"), words.join(" "));
  }
});

test("a file called - is judged, for the programs that read it instead of their input", async (context) => {
  const folder = await makeScratchFolder(context);
  const reads = async (cmd: string): Promise<readonly string[]> => {
    const prepared = await shellIn(folder).prepare(cmd);
    assert.ok(prepared.ok, cmd);
    return prepared.effects.flatMap((effect) => (effect.kind === "read-path" ? [effect.target] : []));
  };
  const commands = [
    "rev -",
    "column -t -",
    "hexdump -C -",
    "hd -",
    "look S -",
    "cat a -",
    "sed p -",
    "date -f -",
  ];
  for (const cmd of commands) assert.ok(!(await reads(cmd)).includes(join(folder, "-")), cmd);
  await writeFile(join(folder, ".env"), "SECRET\n");
  await symlink(".env", join(folder, "-"));
  for (const cmd of commands) assert.ok((await reads(cmd)).includes(join(folder, ".env")), cmd);
});
