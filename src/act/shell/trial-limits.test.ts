import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { prlimitWords, withTrialLimits } from "./trial-limits.ts";

test("a trial has its limits, and lower ones where this process has lower ones, which nobody but root may raise", async () => {
  const lines = (files: string, core: string): string =>
    [
      "Limit                     Soft Limit           Hard Limit           Units     ",
      "Max cpu time              unlimited            unlimited            seconds   ",
      `Max core file size        0                    ${core}            bytes     `,
      `Max open files            1024                 ${files}              files     `,
    ].join("\n");
  const usual =
    "/usr/bin/prlimit --cpu=300 --data=4294967296 --nproc=1024 --fsize=2147483648 --nofile=4096 --core=1";
  assert.equal(prlimitWords(lines("524288", "unlimited")).join(" "), usual);
  assert.equal(prlimitWords("").join(" "), usual);
  assert.match(prlimitWords(lines("256", "0")).join(" "), /--nofile=256 --core=0$/);
  const [prlimit = "", ...options] = await withTrialLimits();
  assert.equal(spawnSync(prlimit, [...options, "true"]).status, 0);
});
