import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { homeWorld } from "./home-world.ts";

test("a folder outside goes with the secret files in it after the yes, and all comes back by an undo", async (t) => {
  const { at, propose, approve, agent, talk } = await homeWorld(t);
  mkdirSync(at("envd/deep"), { recursive: true });
  for (const name of ["envd/.env", "envd/deep/one"]) writeFileSync(at(name), `${name}\n`);
  for (const cmd of ["rm -rf ~/envd", "rm -rf ~/envd ~/docs && rm own", "rm -rf ../envd"]) {
    const asked = await propose(cmd);
    assert.equal(asked.end, "approval-required", cmd);
    assert.match(asked.text, /secret files go with it: \.\.\/envd\/\.env/);
    const outcome = await approve();
    assert.match(outcome, /exitCode":0/, outcome);
    assert.ok(!existsSync(at("envd")), cmd);
    await agent.runCommand({ kind: "undo" }, talk.session);
    assert.equal(readFileSync(at("envd/.env"), "utf8"), "envd/.env\n", cmd);
    assert.ok(existsSync(at("envd/deep/one")) && existsSync(at("work/own")), cmd);
  }
});

test("a folder outside with a closed folder in it goes whole after the yes, or is not asked about", async (t) => {
  const { at, propose, approve, agent, talk, provider } = await homeWorld(t);
  mkdirSync(at("shut/closed"), { recursive: true });
  writeFileSync(at("shut/closed/one"), "one\n");
  chmodSync(at("shut/closed"), 0);
  const asked = await propose("rm -rf ~/shut");
  if (process.getuid?.() !== 0) {
    assert.equal(asked.end, "answered", "rm itself could delete a part of it only");
    assert.match(provider.requests.at(-1)?.body ?? "", /shut\/closed is closed to .*Propose chmod u\+rwx/);
    return;
  }
  assert.match(await approve(), /exitCode":0/);
  assert.ok(!existsSync(at("shut")));
  await agent.runCommand({ kind: "undo" }, talk.session);
  assert.equal(readFileSync(at("shut/closed/one"), "utf8"), "one\n");
});
