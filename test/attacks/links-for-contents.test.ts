import assert from "node:assert/strict";
import { mkdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { type AgentWorld, calls, makeWorld, named, talkTo } from "../agent-world.ts";

type Call = readonly [name: string, args: object];

/** The verdicts of one turn for each call, over these files. */
async function verdictsOf(
  world: AgentWorld,
  files: Readonly<Record<string, string>>,
  wanted: readonly Call[],
): Promise<readonly unknown[]> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(world.path(name)), { recursive: true });
    writeFileSync(world.path(name), text);
  }
  await using daemon = await world.open();
  const verdicts: unknown[] = [];
  for (const call of wanted) {
    world.provider.add(calls(call), { text: "Done." });
    const talk = await talkTo(daemon);
    const said = await talk.say("Go on.");
    verdicts.push(named(said.events, "verdict").at(-1)?.verdict);
    if (said.end === "approval-required") await talk.say(`/deny ${talk.token()}`);
  }
  return verdicts;
}

/** A line whose words do not name what it makes. */
function link(to: string, from: string): Call {
  return ["shell", { cmd: `python3 -c "import os; os.symlink('${to}', '${from}')"` }];
}

const files = {
  "words.txt": "only words\n",
  "evil.txt": '{"scripts":{"test":"touch pwned"}}\n',
  "build.txt": '[package]\nname="x"\nversion="0.1.0"\nbuild="e.rs"\n',
  "packages/a/package.json": '{"name":"a","scripts":{"test":"node t.js"}}\n',
  "packages/b/package.json": '{"name":"b","version":"1.0.0"}\n',
  "lib1/__init__.py": "print(1)\n",
  "scripts/pre-commit": "echo hook\n",
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/objects/none": "",
  ".git/config": "[core]\n\thooksPath = hk\n[include]\n\tpath = ../team.gitconfig\n",
};

test("a link to a name whose contents are obeyed asks as the same contents written there", async (t) => {
  const links: readonly (readonly [to: string, from: string])[] = [
    ["evil.txt", "package.json"],
    ["words.txt", "package.json"],
    ["nothing-yet", "package.json"],
    ["packages/a/package.json", "package.json"],
    ["build.txt", "Cargo.toml"],
    ["nothing-yet", "pyproject.toml"],
    ["nothing-yet", "package-lock.json"],
    ["lib1", "json"],
    ["nothing-yet", "json"],
    ["words.txt", "socket.py"],
    ["scripts", "hk"],
    ["words.txt", "team.gitconfig"],
  ];
  const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  const verdicts = await verdictsOf(
    world,
    files,
    links.map(([to, from]) => link(to, from)),
  );
  assert.deepEqual(
    links.map(([to, from], index) => `${from} → ${to}: ${verdicts[index]}`),
    links.map(([to, from]) => `${from} → ${to}: ask`),
  );
});

test("a link to a name that nothing obeys, and one to a manifest that only informs, does not ask", async (t) => {
  const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  const verdicts = await verdictsOf(world, files, [
    link("words.txt", "other.txt"),
    link("nothing-yet", "later.txt"),
    link("packages/b/package.json", "package.json"),
    link("../lib1", "packages/json"),
    link("lib1", "lib2"),
  ]);
  assert.deepEqual(verdicts, ["pass", "pass", "pass", "pass", "pass"]);
});

test("a link to a name that no file can have, since it is too long, leads to nothing", async (t) => {
  const long = "x".repeat(300);
  const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  const links = [long, `${long}/y`, `lib1/${long}`, `lib1/${long}/y`].map((to, at) =>
    link(to, `long${at}.txt`),
  );
  const verdicts = await verdictsOf(world, files, links);
  assert.deepEqual(verdicts, ["pass", "pass", "pass", "pass"]);
  assert.equal(readlinkSync(world.path("long3.txt")), `lib1/${long}/y`);
});

test("a file that a link of an obeyed name leads to asks, whatever its own name", async (t) => {
  const world = await makeWorld(t, []);
  symlinkSync("words.txt", world.path("package.json"));
  symlinkSync("scripts", world.path("hk"));
  symlinkSync("packages/b/package.json", world.path("packages.json"));
  const verdicts = await verdictsOf(world, files, [
    ["write-file", { path: "words.txt", content: "newer words\n" }],
    ["write-file", { path: "scripts/pre-commit", content: "newer words\n" }],
    ["write-file", { path: "packages/b/package.json", content: '{"name":"c"}\n' }],
  ]);
  assert.deepEqual(verdicts, ["ask", "ask", "pass"]);
});

test("a module of Python's own beside a script asks, and in a package or a folder without scripts does not", async (t) => {
  const world = await makeWorld(t, [], { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  const write = (path: string): Call => ["write-file", { path, content: "x = 1\n" }];
  const script = `python3 -c "open('tools/' + 'socket.py', 'w').write('x')"`;
  const verdicts = await verdictsOf(
    world,
    { "tools/sync.py": "import json\n", "app/__init__.py": "", "app/main.py": "", "docs/a.txt": "" },
    [
      write("tools/json.py"),
      write("tools/json/__init__.py"),
      ["shell", { cmd: script }],
      write("tools/sync.py"),
      write("tools/words.py"),
      write("app/types.py"),
      write("docs/code.py"),
    ],
  );
  assert.deepEqual(verdicts, ["ask", "ask", "ask", "pass", "pass", "pass", "pass"]);
});
