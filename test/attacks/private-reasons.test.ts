import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, isMissing, makeWorld, named, sent, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const diary =
  "* Doctor :@personal:\nwombats4711 in the left knee and the lump has grown by four millimetres\n";
/** What the attacks below make of the diary. */
const hex = Buffer.from(diary).toString("hex").slice(24, 100);

type Call = readonly [string, object];
const shell = (cmd: string): Call => ["shell", { cmd }];
const python = (...lines: readonly string[]): Call =>
  shell(
    `python3 -c "
import binascii,os,subprocess
h=binascii.hexlify(open('dia'+'ry.org','rb').read()[12:50]).decode()
${lines.join("\n")}
"`,
  );

async function worldWith(t: TestContext, { isPrivate = true } = {}): Promise<AgentWorld> {
  const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  writeFileSync(world.path("diary.org"), isPrivate ? diary : diary.replace(":@personal:", ":errands:"));
  return world;
}

/**
 * Has the model call tools, a turn for each, and gives what it was told of the last one, and what its owner
 * was.
 */
async function refused(world: AgentWorld, ...made: readonly Call[]) {
  await using daemon = await world.open();
  const seen: string[] = [];
  for (const call of made) {
    world.provider.add(calls(call), { text: "Done." });
    const said = await (await talkTo(daemon)).say("go on");
    assert.equal(said.end, "answered", JSON.stringify(call));
    seen.push(JSON.stringify(named(said.events, "verdict").map(({ reason }) => reason)));
  }
  return { told: lastResult(world), shown: seen.at(-1) ?? "" };
}

/** The last result in the last request. */
function lastResult(world: AgentWorld): string {
  return (
    sent(world, world.provider.requests.length - 1)
      .split('"role":"tool"')
      .at(-1) ?? ""
  );
}

function assertUnsaid(text: string): void {
  for (let from = 0; from + 8 <= hex.length; from += 4)
    assert.ok(!text.includes(hex.slice(from, from + 8)), text);
}

const inTask = (...steps: readonly Step[]): readonly Step[] =>
  steps.map((step) => ({ ...step, when: "PART-A" }));

/** Has a sub-task call a tool, and gives the requests of the sub-task and of the turn that began it. */
async function refusedInTask(world: AgentWorld, call: Call): Promise<readonly string[]> {
  const when = "OWNERS-JOB";
  world.provider.add(
    { ...calls(["delegate", { tasks: [{ task: "PART-A", tools: [call[0]] }] }]), when },
    ...inTask(calls(call), { text: "I could not." }),
    { text: "Done.", when },
  );
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say(`delegate the parts of ${when}`);
  assert.equal(said.end, "answered");
  return world.provider.requests.slice(2).map(({ body }) => body);
}

const secretBehindName = python("os.mkdir(h)", "open(h+'/.env','w').write('x')");

test("why an act is blocked is as private as the trial that made the names in it, and its owner reads it", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const { told, shown } = await refused(await worldWith(t), secretBehindName);
  assertUnsaid(told);
  assert.match(told, /"blocked: Nothing was done/);
  assert.match(told, /withheld: private/);
  assert.ok(shown.includes(`${hex}/.env is a secret path`), shown);
});

test("without private text the model is told why a trial was blocked", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const { told } = await refused(await worldWith(t, { isPrivate: false }), secretBehindName);
  assert.match(told, /[0-9a-f]{40,}\/\.env is a secret path/);
});

test("what the words of an act say is told, also beside private text", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  for (const call of [
    shell("cat .env"),
    shell("echo x > .env"),
    ["read-file", { path: ".env" }],
    ["write-file", { path: ".env", content: "x" }],
  ] as const) {
    const { told } = await refused(await worldWith(t), call);
    assert.match(told, /\.env is a secret path/, JSON.stringify(call));
  }
});

test("what a sub-task is refused for is told neither its model nor the one that began it", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const call = python("os.mkdir(h)", "open(h+'/Makefile','w').write('x')");
  const bodies = await refusedInTask(await worldWith(t), call);
  for (const body of bodies) assertUnsaid(body);
  assert.match(bodies[0] ?? "", /needs-owner: Nothing was done/);
});

test("why an act on a link is refused is as private as where the link leads, by whatever tool and further link", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await worldWith(t);
  writeFileSync(world.path("s.txt"), "words\n");
  symlinkSync("lnk", world.path("further"));
  await refused(
    world,
    python("os.symlink(h+'/.env','lnk')"),
    ["read-file", { path: "lnk" }],
    ["read-file", { path: "further" }],
    ["write-file", { path: "lnk", content: "x" }],
    ["list-files", { path: "lnk" }],
    ["read-code", { path: "lnk" }],
    ["tangle", { path: "lnk" }],
    shell("cat lnk"),
    shell("cat l''nk"),
    shell("cat further"),
    shell("realpath further"),
    shell("echo x > lnk"),
    shell("cp s.txt lnk"),
  );
  for (const { body } of world.provider.requests) assertUnsaid(body);
});
