import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { locateJailWorker } from "../../../act/sandbox/jail.ts";
import { openJailThreads } from "../../../act/sandbox/jail-threads.ts";
import { loadPolicy } from "../../../settings/policy.ts";
import { bottomLabel } from "../../../signal/label.ts";
import { openOwnSkills } from "./open-own-skills.ts";

test("a skills folder that cannot be read is reported once, again when the reason changes, and again after it could be read", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "own-skills-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  await using jails = openJailThreads(locateJailWorker());
  const reports: string[] = [];
  const policy = loadPolicy({ HOME: home });
  await using skills = openOwnSkills({
    policy,
    jails,
    labelPieces: async () => bottomLabel,
    labelText: async () => bottomLabel,
    report: (message) => void reports.push(message),
    keepFailure: async () => undefined,
  });
  const folder = join(policy.config.places.configuration, "skills");
  mkdirSync(policy.config.places.configuration, { recursive: true });
  const look = async (make: () => void): Promise<readonly string[]> => {
    rmSync(folder, { recursive: true, force: true });
    make();
    reports.length = 0;
    for (let beat = 0; beat < 3; beat++) await skills.refresh();
    return [...reports];
  };
  const asFile = () => writeFileSync(folder, "");
  const [first, ...more] = await look(asFile);
  assert.match(first ?? "", /^The skills could not be read: .*ENOTDIR/);
  assert.deepEqual(more, []);
  const [other, ...others] = await look(() => {
    symlinkSync(`${folder}-elsewhere`, folder);
    symlinkSync(folder, `${folder}-elsewhere`);
  });
  assert.match(other ?? "", /ELOOP/);
  assert.deepEqual(others, []);
  assert.deepEqual(await look(() => mkdirSync(folder)), []);
  assert.equal((await look(asFile)).length, 1);
});
