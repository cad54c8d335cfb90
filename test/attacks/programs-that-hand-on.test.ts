import assert from "node:assert/strict";
import { test } from "node:test";
import { proveHarmless } from "../../src/act/shell/programs/prove-harmless.ts";

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
