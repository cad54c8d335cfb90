import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { changedProgramFile } from "../../src/act/mcp/program-files.ts";
import { findServerCode } from "../../src/act/mcp/server-code.ts";
import { isUnknownCode } from "../../src/act/shell/loaded-code.ts";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "../mcp/mcp-world.ts";

type Files = Readonly<Record<string, string>>;
type Entry = {
  readonly cwd?: string;
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly env?: Files;
};

function lay(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A folder of the owner's, and what the start of a server is bound to; `W` stands for the folder. */
async function folderOf(context: TestContext, files: Files) {
  const { workspace } = await makeWorld(context);
  lay(workspace, files);
  const known = (text: string): string => text.replaceAll("W", workspace);
  const look = (line: string, { cwd, read = ["W"], write = [], env = {} }: Entry) => {
    const [command = "", ...args] = line.split(" ").map((word) => known(word.replaceAll("~", " ")));
    const grants = { read: read.map(known), write: write.map(known) };
    const environment = new Map(Object.entries(env).map(([name, value]) => [name, known(value)] as const));
    const program = command.startsWith("/") ? command : `/usr/bin/${command}`;
    const folder = cwd === undefined ? null : known(cwd);
    return findServerCode({ command, args, cwd: folder, grants, environment }, program);
  };
  return { workspace, look };
}

const inside = { cwd: "W" };
/** How a server is started, and code of it that may be changed after its owner accepted it. */
const starts: readonly (readonly [line: string, entry: Entry, changed: string])[] = [
  ["python3 -m server", inside, "server.py"],
  ["python3 -m pkg", inside, "pkg/__main__.py"],
  ["python3 server.py", inside, "pkg/low.py"],
  ["python3 W/server.py", {}, "pkg/low.py"],
  ["python3 W/pkg", {}, "pkg/__main__.py"],
  ["python3 W/bin/run.py", {}, "pkg/low.py"],
  ["python3 -m server", { env: { PYTHONPATH: "W" } }, "server.py"],
  ["node .", inside, "index.js"],
  ["node W", {}, "index.js"],
  ["node W/srv", {}, "srv/lib.js"],
  ["node .", { cwd: "W/srv" }, "pkg/low.py"],
  ["npm start", inside, "package.json"],
  ["npm --prefix W start", {}, "srv/lib.js"],
  ["npx .", inside, "srv/lib.js"],
  ["npx server", inside, "package.json"],
  ["npx -y W", {}, "srv/lib.js"],
  ["npx -y tsx W/srv", {}, "srv/lib.js"],
  ["uv run server", inside, "server.py"],
  ["uv --directory W run server", {}, "server.py"],
  ["uvx --from W server", {}, "server.py"],
  ["uvx fastmcp run W/server.py", {}, "pkg/low.py"],
  ["make serve", inside, "Makefile"],
  ["bash -c cd~W~&&~exec~python3~-m~server", {}, "server.py"],
  ["bash -c D=/x;~exec~node~$D/index.js", {}, "index.js"],
  ["env -S python3~W/server.py", {}, "pkg/low.py"],
  ["W/run.sh", {}, "srv/lib.js"],
  ["W/venv/bin/server", {}, "pkg/low.py"],
];

const code: Files = {
  "server.py": "import pkg.low\n",
  "pkg/__init__.py": "",
  "pkg/__main__.py": "from . import low\n",
  "pkg/low.py": "",
  "bin/run.py": "import sys\n",
  "index.js": "require('./srv/lib')\n",
  "srv/index.js": "require('./lib')\n",
  "srv/lib.js": "1\n",
  "package.json": "{}",
  Makefile: "serve:\n\tnode .\n",
  "run.sh": "#!/bin/sh\nexec node .\n",
  "venv/pyvenv.cfg": "home = /usr/bin\n",
  "venv/bin/server": "#!/usr/bin/python3\nimport sys\nfrom server import main\nsys.exit(main())\n",
};

for (const [line, entry, changed] of starts)
  test(`a server that ${line.replaceAll("~", " ")} starts${entry.cwd === undefined ? "" : " in its folder"} is bound to ${changed}`, async (context) => {
    const { workspace, look } = await folderOf(context, code);
    const before = await look(line, entry);
    assert.equal(changedProgramFile(before, await look(line, entry)), null, "control: nothing changed");
    lay(workspace, { "data.csv": "1\n", "node_modules/x/index.js": "1\n" });
    assert.equal(changedProgramFile(before, await look(line, entry)), null, "control: data and packages");
    lay(workspace, { [changed]: "evil\n" });
    assert.equal(changedProgramFile(before, await look(line, entry)), `code in ${workspace}`);
  });

const packages: readonly (readonly [line: string, entry: Entry])[] = [
  ["npx -y @scope/server-files@1.2.3 W", {}],
  ["npx --yes --package=files@^2 files --root W", { write: ["W"] }],
  ["npm exec -- files W", {}],
  ["uvx mcp-server-git --repository W", {}],
  ["uvx --python 3.12 --from mcp-server-git==1.0 mcp-server-git W", {}],
  ["python3 -m mcp_server_git --repository W", {}],
  ["node /opt/x/node_modules/@scope/files/dist/index.js W", {}],
];

for (const [line, entry] of packages)
  test(`a package of a registry that is given a folder is bound to nothing in it: ${line}`, async (context) => {
    const { look } = await folderOf(context, code);
    assert.deepEqual(await look(line, entry), []);
  });

test("what a server is granted to write is its data, and its scripts are code", async (context) => {
  const { workspace, look } = await folderOf(context, code);
  const entry: Entry = { cwd: "W", write: ["W/out"] };
  const before = await look("node .", entry);
  lay(workspace, { "out/state.yaml": "a: 1\n", "out/LOCK": "" });
  assert.equal(changedProgramFile(before, await look("node .", entry)), null);
  lay(workspace, { "out/plugin.js": "1\n" });
  assert.equal(changedProgramFile(before, await look("node .", entry)), `code in ${workspace}`);
});

test("a folder with more code than is compared is named as such", async (context) => {
  const { workspace, look } = await folderOf(context, code);
  lay(workspace, Object.fromEntries(Array.from({ length: 5_100 }, (_, index) => [`many/m${index}.py`, ""])));
  const found = await look("python3 -m server", inside);
  assert.deepEqual(
    found.map(({ path, digest }) => [path, isUnknownCode(digest)]),
    [[workspace, true]],
  );
});

test("a file that a server sees alone is bound by its bytes, unless it is data", async (context) => {
  const { workspace, look } = await folderOf(context, { ...code, "rows.csv": "1\n" });
  const entry: Entry = { read: ["W/server.py", "W/pkg/low.py", "W/rows.csv"] };
  const before = await look("python3 W/server.py", entry);
  lay(workspace, { "rows.csv": "2\n", "index.js": "2\n" });
  assert.equal(changedProgramFile(before, await look("python3 W/server.py", entry)), null);
  lay(workspace, { "pkg/low.py": "evil\n" });
  assert.equal(
    changedProgramFile(before, await look("python3 W/server.py", entry)),
    `${workspace}/pkg/low.py`,
  );
});

test("a script that starts the server in another folder is bound to the code there", async (context) => {
  const { workspace, look } = await folderOf(context, code);
  lay(workspace, { "tools/run.sh": `#!/bin/sh\ncd ${workspace}/srv && exec node .\n` });
  const entry: Entry = { read: ["W/tools", "W/srv"] };
  const before = await look("W/tools/run.sh", entry);
  lay(workspace, { "srv/lib.js": "evil\n" });
  assert.equal(changedProgramFile(before, await look("W/tools/run.sh", entry)), `code in ${workspace}/srv`);
});

const liar = fileURLToPath(new URL("../mcp/liar/liar.ts", import.meta.url));

test("a server whose source a tool changed is neither started by a call nor by doctor, until it is accepted again", {
  skip: withoutSandbox,
}, async (context) => {
  const world = await makeWorld(context, [], { TRIALS: "true" });
  const imported = `import(${JSON.stringify(liar)});\n`;
  lay(world.workspace, { "server.js": `import("./low.js");\n`, "low.js": imported });
  const own = { read: [world.workspace, dirname(liar)], write: [], tools: { echo: "read" } };
  setUpServers(world, { liar: liarEntry(revisions[0], "plain", { own, program: world.path("server.js") }) });
  const accepted = await world.command(["mcp", "accept", "liar", "--yes"]);
  assert.equal(accepted.code, 0, accepted.err);
  assert.match(accepted.out, new RegExp(`may load code in ${world.workspace}[,.:]`));
  const one = async (step: object, ...more: readonly object[]) => {
    await using daemon = await world.open();
    world.provider.add(step, ...more, { text: "Done." });
    const said = await (await talkTo(daemon)).say("echo hi with liar");
    return { end: said.end, outcome: JSON.stringify(named(said.events, "outcome")) };
  };
  const echo = calls(["liar__echo", { message: "hi" }]);
  assert.match((await one(echo)).outcome, /echo: hi/);
  const evil = `console.error("EVIL");\n${imported}`;
  assert.equal((await one(calls(["write-file", { path: "low.js", content: evil }]))).end, "answered");
  const refused = await one(echo);
  assert.match(refused.outcome, /its program code in \S+ is not what it was when you accepted it/);
  const health = await world.command(["doctor"]);
  assert.match(health.out, /its program code in \S+ is not what it was when you accepted it/);
  assert.equal((await world.command(["mcp", "accept", "liar", "--yes"])).code, 0);
  assert.match((await one(echo)).outcome, /echo: hi/);
});
