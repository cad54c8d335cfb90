import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
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

type Call = readonly [tool: string, args: object];
const read = (path: string): Call => ["read-file", { path }];
const run = (cmd: string): Call => ["shell", { cmd }];

/**
 * What a case makes in its folder, the calls of its turn, and what becomes of its folder before the next
 * turn.
 */
type Case = {
  readonly make: (folder: string) => void;
  readonly act: (name: string) => readonly Call[];
  readonly later?: (folder: string) => void;
};

/** The bodies of the requests of two turns, after both were answered and what the first wrote stands. */
async function talkOver(name: string, { make, act, later }: Case): Promise<readonly string[]> {
  const folder = world.path(name);
  mkdirSync(folder);
  make(folder);
  const from = world.provider.requests.length;
  const acts = act(name);
  const work = `${name}/work.txt`;
  const write: Call = ["write-file", { path: work, content: "an hour of work\n" }];
  world.provider.add(calls(write), ...acts.map((each) => calls(each)), { text: "Done." }, { text: "Again." });
  const talk = await talkTo(agent);
  const first = await talk.say("look at it, please");
  assert.equal(first.end, "answered", `${name}: ${first.text}`);
  later?.(folder);
  const next = await talk.say("hello");
  assert.equal(next.end, "answered", `${name}, later: ${next.text}`);
  assert.ok(existsSync(world.path(work)) || later !== undefined, name);
  return world.provider.requests.slice(from).map(({ body }) => body);
}

const plain = (folder: string): void => writeFileSync(join(folder, "m0"), "my words\n");
const replaced: Readonly<Record<string, (folder: string) => void>> = {
  gone: (folder) => unlinkSync(join(folder, "m0")),
  folder: (folder) => {
    unlinkSync(join(folder, "m0"));
    mkdirSync(join(folder, "m0"));
  },
  loop: (folder) => {
    unlinkSync(join(folder, "m0"));
    symlinkSync("m0", join(folder, "m0"));
  },
  notafolder: (folder) => {
    renameSync(folder, `${folder}.old`);
    writeFileSync(folder, "");
  },
};

test("what takes the place of a file that was read ends no turn", async () => {
  for (const [name, later] of Object.entries(replaced))
    await talkOver(name, { make: plain, act: () => [read(`${name}/m0`), run(`grep -rn my ${name}`)], later });
  rmSync(world.path("notafolder"));
});

if (process.getuid?.() !== 0) {
  const closed = (folder: string): void => {
    plain(folder);
    writeFileSync(join(folder, "open.txt"), "my open words\n");
    chmodSync(join(folder, "m0"), 0o000);
  };
  const cases: Readonly<Record<string, Case>> = {
    tools: {
      make: closed,
      act: (name) => [
        read(`${name}/m0`),
        ["search-files", { pattern: "my", path: name }],
        ["list-files", { path: name }],
        ["write-file", { path: `${name}/m0`, content: "x" }],
      ],
    },
    commands: {
      make: closed,
      act: (name) => [
        run(`grep -rn my ${name}`),
        run(`cat ${name}/*`),
        run(`find ${name} -type f -exec grep my {} +`),
      ],
    },
    shut: {
      make: (folder) => {
        mkdirSync(join(folder, "in"));
        plain(join(folder, "in"));
        chmodSync(join(folder, "in"), 0o000);
      },
      act: (name) => [read(`${name}/in/m0`), run(`cat ${name}/in/m0`), run(`grep -r my ${name}`)],
    },
    notes: {
      make: (folder) => {
        writeFileSync(join(folder, "n.org"), "* My note\n");
        chmodSync(join(folder, "n.org"), 0o000);
      },
      act: (name) => [read(`${name}/n.org`), run(`grep -r my ${name}`), run(`cat ${name}/n.org`)],
    },
    settings: {
      make: (folder) => {
        mkdirSync(join(folder, ".git/objects"), { recursive: true });
        mkdirSync(join(folder, ".git/refs"));
        for (const name of [".git/HEAD", ".git/config", ".gitignore", "AGENTS.md"]) {
          writeFileSync(join(folder, name), "");
          chmodSync(join(folder, name), 0o000);
        }
      },
      act: (name) => [
        run(`ls -la ${name}`),
        run(`git -C ${name} status`),
        run(`cat ${name}/.git/config ${name}/AGENTS.md`),
        run(`grep -r my ${name}`),
      ],
    },
  };

  test("a file that its user may not read ends no turn and no session, and takes back no work", async () => {
    for (const [name, each] of Object.entries(cases)) {
      const bodies = await talkOver(name, each);
      // Where git's own settings are closed, nobody knows what a repository would show.
      const isKnown = name !== "settings";
      assert.equal(/withheld/.test(bodies.at(-1) ?? ""), !isKnown, name);
    }
  });

  test("a file that was closed after it was read counts as private: a model elsewhere is told it no more", async () => {
    const later = (folder: string): void => chmodSync(join(folder, "m0"), 0o000);
    for (const [name, call] of Object.entries({
      byTool: read,
      byCommand: (path: string) => run(`cat ${path}`),
    })) {
      const bodies = await talkOver(name, { make: plain, act: () => [call(`${name}/m0`)], later });
      assert.match(bodies.at(-2) ?? "", /my words/, name);
      assert.doesNotMatch(bodies.at(-1) ?? "", /my words/, name);
      assert.match(bodies.at(-1) ?? "", /withheld: private/, name);
    }
  });

  /** A folder with a diary, and what the owner was told after the yes to a line there. */
  const approve = async (name: string, cmd: string): Promise<string> => {
    mkdirSync(world.path(`${name}/old/in`), { recursive: true });
    writeFileSync(world.path(`${name}/old/diary.txt`), "mine\n");
    world.provider.add(calls(run(cmd)), { text: "Done." });
    const talk = await talkTo(agent);
    const said = await talk.say("close it");
    assert.equal(said.end, "approval-required", JSON.stringify(said.events));
    await talk.say(`/approve ${talk.token()}`);
    const outcome = named(talk.events, "outcome").at(-1);
    return JSON.stringify(outcome);
  };
  const modeOf = (path: string): string => (statSync(world.path(path)).mode & 0o7777).toString(8);

  test("a folder that the owner let a line close keeps its name and is closed", async () => {
    const lines = [
      ["all", "chmod 000 all/old", "0"],
      ["deep", "chmod -R a-r deep/old", "311"],
      ["names", "chmod 311 names/old", "311"],
      ["entries", "chmod 600 entries/old", "600"],
    ] as const;
    for (const [name, cmd, mode] of lines) {
      const told = await approve(name, cmd);
      assert.doesNotMatch(told, /not-approved|not approved/, name);
      assert.equal(modeOf(`${name}/old`), mode, name);
    }
  });
}
