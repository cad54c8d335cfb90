import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { withTrialLimits } from "./process-limits.ts";

test("a trial has its limits, and lower ones where this process has lower ones, which nobody but root may raise", async (context) => {
  const lines = (files: string, core: string): string =>
    [
      "Limit                     Soft Limit           Hard Limit           Units     ",
      "Max cpu time              unlimited            unlimited            seconds   ",
      `Max core file size        0                    ${core}            bytes     `,
      `Max open files            1024                 ${files}              files     `,
    ].join("\n");
  const usual =
    "/usr/bin/prlimit --cpu=300 --data=4294967296 --nproc=1024 --fsize=2147483648 --nofile=4096 --core=1";
  const place = join(await makeScratchFolder(context), "limits");
  const wordsFor = async (text: string): Promise<string> => {
    await writeFile(place, text);
    return (await withTrialLimits(place)).join(" ");
  };
  assert.equal(await wordsFor(lines("524288", "unlimited")), usual);
  assert.equal(await wordsFor(""), usual);
  assert.match(await wordsFor(lines("256", "0")), /--nofile=256 --core=0$/);
  const [prlimit = "", ...options] = await withTrialLimits();
  assert.equal(spawnSync(prlimit, [...options, "true"]).status, 0);
});
