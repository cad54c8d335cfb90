import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { removeLeftStandIns, StandIns } from "./stand-ins.ts";

async function secretFolder(context: TestContext): Promise<string> {
  const folder = await makeScratchFolder(context);
  writeFileSync(join(folder, "key"), "canary");
  return folder;
}

test("a stand-in that cannot be made leaves nothing open, and all of them go together", {
  skip: process.platform === "linux" ? false : "needs /proc",
}, async (context) => {
  const standIns = new StandIns();
  const place = dirname(await standIns.of(await secretFolder(context)));
  writeFileSync(join(place, "socket"), "in the way");
  const open = (): number => readdirSync("/proc/self/fd").length;
  const before = open();
  await assert.rejects(standIns.of(await secretFolder(context)), /EADDRINUSE/);
  assert.equal(open(), before);
  await standIns[Symbol.asyncDispose]();
  assert.equal(existsSync(place), false);
});

test("what a killed process left of its stand-ins is removed, and nothing else", async (context) => {
  const place = await makeScratchFolder(context);
  const gone = Number(execFileSync("/bin/sh", ["-c", "echo $$"], { encoding: "utf8" }));
  const left = `passepartout-stand-ins-${gone}-Ab12Cd`;
  const others = [
    `passepartout-stand-ins-${process.pid}-Ab12Cd`,
    `passepartout-${gone}-Ab12Cd`,
    "passepartout-stand-ins-mine",
    `x-passepartout-stand-ins-${gone}-Ab12Cd`,
  ];
  for (const name of [left, ...others]) mkdirSync(join(place, name, "0"), { recursive: true, mode: 0o711 });
  assert.deepEqual(await removeLeftStandIns(place), []);
  assert.deepEqual(readdirSync(place).toSorted(), others.toSorted());
});
