import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { type AgentWorld, calls, makeWorld, named, talkTo } from "../agent-world.ts";

const ends: (() => unknown)[] = [];
let world: AgentWorld;
let agent: Agent;
before(async (t) => {
  assert.ok("after" in t);
  world = await makeWorld({ after: (end) => ends.push(end) }, [], { TRIALS: "true" });
  agent = await world.open();
});
test.after(async () => {
  await agent[Symbol.asyncDispose]();
  for (const end of ends) await end();
});

const documents = 30;
const deletes = "import os, glob\nfor f in glob.glob('DIR/doc*.txt'): os.unlink(f)\n";

/** Asks for a script over documents in a folder of its own. */
async function runScript(name: string, script: string) {
  const folder = world.path(name);
  mkdirSync(join(folder, "out"), { recursive: true });
  for (let at = 1; at <= documents; at += 1)
    writeFileSync(join(folder, `doc${at}.txt`), `precious words of document ${at}\n`);
  writeFileSync(world.path(`${name}.py`), script.replaceAll("DIR", name));
  world.provider.add(calls(["shell", { cmd: `/usr/bin/python3 ${name}.py` }]));
  const talk = await talkTo(agent);
  const said = await talk.say("please run the build");
  assert.equal(said.end, "approval-required", `${name}: ${JSON.stringify(said.events)}`);
  const asked = named(said.events, "approval-required").at(-1);
  const deleted = asked?.effects.filter(({ kind }) => kind === "delete-path").length;
  return { talk, folder, said, deleted, rule: asked?.rule };
}

const isXattrThere = existsSync("/usr/bin/setfattr") && existsSync("/usr/bin/getfattr");
const beside: Readonly<Record<string, readonly [script: string, gets: RegExp]>> = {
  closes: ["os.chmod('DIR/out', 0)\n", /out gets the permissions 000/],
  makes: [
    "open('DIR/new.txt', 'w').write('x'); os.chmod('DIR/new.txt', 0)\n",
    /new\.txt gets the permissions 000/,
  ],
  borrows: ["open('DIR/own', 'w').write('x'); os.chmod('DIR/own', 0o4077)\n", /own gets the permissions 077/],
  ...(isXattrThere
    ? {
        attaches: [
          "os.setxattr('DIR/out', 'user.foo', b'1')\n",
          /out gets other extended attributes \(user\.foo\)/,
        ] as const,
      }
    : {}),
};

test("a right that no copy holds hides nothing else that a trial saw: all is asked, made and taken back", async () => {
  for (const [name, [script, gets]] of Object.entries(beside)) {
    const { talk, folder, said, deleted, rule } = await runScript(name, deletes + script);
    assert.match(said.text, gets, name);
    assert.equal(deleted, documents, name);
    assert.equal(rule, undefined, name);
    world.provider.add({ text: "Done." });
    assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered", name);
    const outcome = named(talk.events, "outcome").at(-1);
    assert.equal(outcome?.status, "success", `${name}: ${JSON.stringify(outcome)}`);
    assert.deepEqual(
      readdirSync(folder).filter((file) => file.startsWith("doc")),
      [],
      name,
    );
    if (name === "closes") assert.equal(statSync(join(folder, "out")).mode & 0o777, 0);
    if (name === "makes") assert.equal(statSync(join(folder, "new.txt")).mode & 0o777, 0);
    if (name === "borrows") assert.equal(statSync(join(folder, "own")).mode & 0o7777, 0o077);
    if (name === "attaches")
      assert.match(
        execFileSync("/usr/bin/getfattr", ["-d", "--absolute-names", join(folder, "out")]).toString(),
        /user\.foo="1"/,
      );
    await talk.say("/undo");
    assert.equal(readdirSync(folder).filter((file) => file.startsWith("doc")).length, documents, name);
  }
});

test("a script that deletes files and then misses a host is asked about with both", async () => {
  const script = `${deletes}import urllib.request\nurllib.request.urlopen("https://example.org/")\n`;
  const { said, deleted, rule } = await runScript("misses", script);
  assert.match(said.text, /example\.org/);
  assert.equal(deleted, documents);
  assert.equal(rule, undefined);
});
