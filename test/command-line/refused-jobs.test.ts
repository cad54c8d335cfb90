import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

test("a job that is refused stands nowhere in jobs.org, whatever refused it, and a right one can take its name", async (t) => {
  const world = await makeWorld(t);
  const file = join(world.configuration, "jobs.org");
  const add = (...options: readonly string[]) =>
    world.command(["jobs", "add", "plants", ...options, "water"]);
  const wrong = await add("--cron", "61 * * * *");
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /The job plants was not added: .*61\.\nNothing stays of it in .*jobs\.org\./);
  assert.ok(!existsSync(file));
  const others = "#+TITLE: Jobs\n\n* Mine, as I wrote it\n";
  mkdirSync(world.configuration, { recursive: true });
  writeFileSync(file, others);
  for (const options of [
    ["--cron", "0 0 30 2 *"],
    ["--cron", "0 9 * * *", "--zone", "Mars/X"],
    ["--cron", "0 9 * * *", "--allow", "frobnicate x"],
    ["--cron", "0 9 * * *", "--folder", "/nowhere"],
  ]) {
    const refused = await add(...options);
    assert.match(refused.err, /was not added: .*Nothing stays of it/s, options.join(" "));
    assert.equal(readFileSync(file, "utf8"), others);
  }
  const right = await add("--cron", "0 9 * * *");
  assert.equal(right.code, 0, right.err);
  writeFileSync(file, `${others}\n* other\n:PROPERTIES:\n:CRON: 0 9 * * *\n:END:\nwater\n`);
  assert.match(
    (await world.command(["jobs", "remove", "other"])).err,
    /The job other was never approved.*stands in jobs\.org: delete it there/,
  );
});
