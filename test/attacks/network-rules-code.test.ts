import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { chmod, mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { unknownScripts } from "../../src/signal/effect.ts";
import { canonicalJson } from "../../src/text/json.ts";
import { type AgentWorld, calls, makeWorld, named, talkTo } from "../agent-world.ts";

type Files = Readonly<Record<string, string>>;

async function lay(folder: string, files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** What a rule and an approval for a line with network are bound to. Null without a sandbox. */
async function bindingIn(context: TestContext, files: Files) {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const folder = await makeScratchFolder(context);
  await lay(folder, files);
  const { prepare } = shellIn(folder, { sandbox });
  const look = async (cmd: string, hosts: readonly string[] = ["a.example"]) => {
    const prepared = await prepare(cmd, hosts);
    assert.ok(prepared.ok, prepared.ok ? "" : prepared.message);
    const runs = prepared.effects.filter((effect) => effect.kind === "run-program");
    const scripts = runs.find((run) => run.network !== undefined)?.scripts ?? null;
    return { scripts, plan: canonicalJson(prepared.plan) };
  };
  return { folder, look };
}

/**
 * A line, the files that are there, and those that are written while its rule holds or its approval waits.
 */
type Form = readonly [cmd: string, files: Files, written: Files];

const requests = { "c/sync.py": "import requests\n" };
const forms: readonly Form[] = [
  [
    "python3 -m pkg.sync",
    { "pkg/__init__.py": "", "pkg/sync.py": "from .low import go\n", "pkg/low.py": "" },
    { "pkg/low.py": "print(1)\n" },
  ],
  [
    "python3 sync.py",
    { "sync.py": "from pkg.sub import x\n", "pkg/__init__.py": "", "pkg/sub.py": "" },
    { "pkg/__init__.py": "print(1)\n" },
  ],
  [
    "python3 sync.py",
    { "sync.py": "from e import (f,\n  g)\n", "e/__init__.py": "", "e/g.py": "" },
    { "e/g.py": "print(1)\n" },
  ],
  ["python3 c/sync.py", requests, { "c/requests.py": "print(1)\n" }],
  ["python3 c/sync.py", requests, { "c/requests/__init__.py": "print(1)\n" }],
  [
    "perl sync.pl",
    { "sync.pl": 'use lib "lib"; use Foo::Bar;\n', "lib/Foo/Bar.pm": "1;\n" },
    { "lib/Foo/Bar.pm": "0;\n" },
  ],
  ["gcc -o p p.c && ./p", { "p.c": '#include "p.h"\n', "p.h": "\n" }, { "p.h": "int x;\n" }],
  ["sh send.sh", { "send.sh": 'n=com; . "lib/$n$m"\n', "lib/common": "a=1\n" }, { "lib/common": "a=2\n" }],
  ["node send.js", { "send.js": "1\n", "lib/native.node": "x" }, { "lib/native.node": "y" }],
  ["awk -f p.awk", { "p.awk": "BEGIN {}\n" }, { "p.awk": "BEGIN { system() }\n" }],
  ["gawk -fp.txt", { "p.txt": "BEGIN {}\n" }, { "p.txt": "BEGIN { system() }\n" }],
  ["sed -nf p.txt data", { "p.txt": "p\n", data: "x" }, { "p.txt": "e curl\n" }],
  ["curl -K cfg https://a.example/", { cfg: "silent\n" }, { cfg: 'upload-file = "a"\n' }],
  ["curl -sSKcfg.txt https://a.example/", { "cfg.txt": "silent\n" }, { "cfg.txt": "verbose\n" }],
  ["curl --config=cfg.txt https://a.example/", { "cfg.txt": "silent\n" }, { "cfg.txt": "verbose\n" }],
  ["ssh -F cfg.txt a.example", { "cfg.txt": "Host a\n" }, { "cfg.txt": "ProxyCommand sh\n" }],
  ["ssh -o ControlPath=x -Fcfg.txt a.example", { "cfg.txt": "Host a\n" }, { "cfg.txt": "Match exec sh\n" }],
  ["BASH_ENV=f bash -c 'curl https://a.example/'", { f: "true\n" }, { f: "false\n" }],
  ["LD_PRELOAD=./z.so curl https://a.example/", { "z.so": "x" }, { "z.so": "y" }],
  ["CURL_HOME=d curl https://a.example/", { "d/.curlrc": "silent\n" }, { "d/.curlrc": "verbose\n" }],
  ["CURL_HOME=d curl https://a.example/", { "d/x.txt": "" }, { "d/.curlrc": "verbose\n" }],
  ["XDG_CONFIG_HOME=.c curl https://a.example/", { ".c/curlrc": "a\n" }, { ".c/curlrc": "b\n" }],
  [
    "GIT_CONFIG_GLOBAL=f git fetch https://a.example/x.git",
    { f: "[core]\n" },
    { f: "[core]\nfsmonitor = sh\n" },
  ],
  ["git -c include.path=../f fetch https://a.example/x.git", { f: "[core]\n" }, { f: "[alias]\n" }],
  ["npm install", { "package.json": "{}" }, { "package.json": '{"scripts":{"install":"sh"}}' }],
];

for (const [cmd, files, written] of forms) {
  const names = Object.keys(written).join(" and ");
  test(`neither a rule nor an approval for '${cmd}' with network outlives a change of ${names}`, async (context) => {
    const binding = await bindingIn(context, files);
    if (binding === null) return;
    const before = await binding.look(cmd);
    assert.match(before.scripts ?? "", /^[0-9a-f]{64}$/);
    assert.deepEqual(await binding.look(cmd), before, "control: nothing changed");
    await lay(binding.folder, written);
    const after = await binding.look(cmd);
    assert.notEqual(after.scripts, before.scripts);
    assert.notEqual(after.plan, before.plan);
  });
}

test("a link, a folder of another name and a program made executable are other code, too", async (context) => {
  const changes: readonly (readonly [what: string, change: (folder: string) => Promise<void>])[] = [
    ["link", (folder) => symlink("evil", join(folder, "json"))],
    ["folder", (folder) => rename(join(folder, "evil"), join(folder, "json"))],
    ["program", (folder) => chmod(join(folder, "tool.txt"), 0o755)],
  ];
  for (const [what, change] of changes) {
    const files = { "sync.py": "import json\n", "evil/__init__.py": "", "tool.txt": "#!/bin/sh\n" };
    const binding = await bindingIn(context, files);
    if (binding === null) return;
    const before = await binding.look("python3 sync.py");
    await change(binding.folder);
    assert.notEqual((await binding.look("python3 sync.py")).scripts, before.scripts, what);
  }
});

test("data, caches and packages beside a script void no rule, and code voids none for a program that runs none", async (context) => {
  const binding = await bindingIn(context, { "sync.py": "import json\n", "out/a.csv": "1\n", f: "x" });
  if (binding === null) return;
  const before = await binding.look("python3 sync.py");
  const data = ["out/a.csv", "out/b.json", "sync.log", "page.html", "photo.jpg", "notes.org", "new/list.txt"];
  const others = ["__pycache__/sync.cpython-313.pyc", "node_modules/x/index.js", ".git/FETCH_HEAD"];
  for (const name of [...data, ...others]) await lay(binding.folder, { [name]: `${name}\n` });
  await symlink("out/b.json", join(binding.folder, "latest.json"));
  assert.deepEqual(await binding.look("python3 sync.py"), before);
  const plain = [
    "git fetch https://a.example/x.git",
    "git push -u https://a.example/x.git f",
    "curl -sSfLo f https://a.example/x",
    "curl --output f -X POST -T f -d @f https://a.example/x",
    "curl -sSiC - -c f -o f https://a.example/x",
    "wget -qO f https://a.example/x",
    "gh pr create -F f",
  ];
  for (const cmd of plain) assert.equal((await binding.look(cmd)).scripts, null, cmd);
  const scripts = ["python3 sync.py", "curl -K f https://a.example/x"];
  for (const cmd of scripts)
    assert.equal((await binding.look(cmd, [])).scripts, null, `${cmd} without network`);
});

test("no rule holds where there is more code than is compared", async (context) => {
  const binding = await bindingIn(context, { "sync.py": "import json\n" });
  if (binding === null) return;
  mkdirSync(join(binding.folder, "many"));
  for (let index = 0; index < 5_100; index += 1) writeFileSync(join(binding.folder, `many/m${index}.py`), "");
  assert.equal((await binding.look("python3 sync.py")).scripts, unknownScripts);
});

const network = (cmd: string) => calls(["shell", { cmd, network: ["nowhere.example"] }]);
const low = (text: string) => `def go(): print('${text}')\n`;

async function laid(context: TestContext, steps: Parameters<typeof makeWorld>[1]): Promise<AgentWorld> {
  const world = await makeWorld(context, steps, { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  await lay(world.workspace, {
    "pkg/__init__.py": "",
    "pkg/sync.py": "from .low import go\ngo()\n",
    "pkg/low.py": low("GOOD"),
  });
  return world;
}
const written = calls(["write-file", { path: "pkg/low.py", content: low("EVIL") }]);
const line = "python3 -m pkg.sync";

test("a rule for a module with network asks again once a module that it imports was written", async (context) => {
  if ((await sandboxFor(context)) === null) return;
  const world = await laid(context, [
    network(line),
    { text: "one" },
    written,
    { text: "two" },
    network(line),
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("sync")).end, "approval-required");
  await talk.say(`/always ${talk.token()}`);
  const kept = await talk.say(`/always ${talk.token()} keep`);
  assert.match(JSON.stringify(named(kept.events, "outcome")), /GOOD/);
  assert.equal((await talk.say("write it")).end, "answered");
  assert.equal((await talk.say("sync again")).end, "approval-required");
});

test("a yes to a module with network runs nothing that was written while its question waited", async (context) => {
  if ((await sandboxFor(context)) === null) return;
  const world = await laid(context, [network(line), written, { text: "two" }, network(line)]);
  await using daemon = await world.open();
  const [talk, other] = [await talkTo(daemon), await talkTo(daemon)];
  assert.equal((await talk.say("sync")).end, "approval-required");
  assert.equal((await other.say("write it")).end, "answered");
  const said = await talk.say(`/approve ${talk.token()}`);
  assert.doesNotMatch(JSON.stringify(named(said.events, "outcome")), /EVIL/);
});

test("a script that writes its data and a log keeps its rule over three runs", async (context) => {
  if ((await sandboxFor(context)) === null) return;
  const cmd = "python3 sync.py";
  const runs = Array.from({ length: 4 }, () => [network(cmd), { text: "done" }]).flat();
  const changed = calls(["write-file", { path: "data.json", content: "{}" }]);
  const steps = [...runs, changed, { text: "done" }, network(cmd)];
  const world = await laid(context, steps);
  const script = `import json, time
open("sync.log", "a").write("synced\\n")
n = len(open("sync.log").read().split())
json.dump({"at": time.time(), "n": n}, open("data.json", "w"))
print("RUN", n)
`;
  await lay(world.workspace, { "sync.py": script });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("sync")).end, "approval-required");
  await talk.say(`/always ${talk.token()}`);
  assert.equal((await talk.say(`/always ${talk.token()} keep`)).end, "answered");
  for (let run = 2; run <= 4; run += 1) {
    const said = await talk.say("sync again");
    assert.equal(said.end, "answered", `run ${run}`);
    assert.match(JSON.stringify(named(said.events, "outcome")), new RegExp(`RUN ${run}`));
  }
  assert.equal((await talk.say("write it")).end, "answered");
  assert.equal((await talk.say("sync again")).end, "approval-required", "data of others");
});
