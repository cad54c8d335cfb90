import assert from "node:assert/strict";
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { sandboxFor } from "../../src/act/tools/shell/shell.fixture.ts";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";

/** Links, each with the file that a model writes and what it holds before; `~` is the home around the workspace. */
const led: readonly (readonly [link: string, to: string, written: string])[] = [
  ["CLAUDE.md", "docs/guide.md", "CLAUDE.md"],
  [".cursorrules", "docs/guide.md", "docs/guide.md"],
  [".husky", "hooks", "hooks/pre-commit"],
  [".githooks", "hooks", "hooks/new"],
  [".github/copilot-instructions.md", "../docs/guide.md", "docs/guide.md"],
  [".claude/skills/a/notes.md", "../../../docs/guide.md", "docs/guide.md"],
  ["AGENTS.md", "docs/gone.md", "docs/gone.md"],
  ["docs/Makefile", "../docs/guide.md", "docs/guide.md"],
  ["../.bashrc", "work/docs/guide.md", "docs/guide.md"],
  ["../.config/nvim", "../work/hooks", "hooks/pre-commit"],
  [".git/config", "../docs/guide.md", "docs/guide.md"],
  [".git/hooks", "../hooks", "hooks/lib"],
  [".git/hooks/pre-commit", "../../docs/guide.md", "docs/guide.md"],
  [".git/info/attributes", "../../docs/guide.md", "docs/guide.md"],
];

/**
 * An agent beside a guide and hooks of its owner, whose model calls once beside one link; a question gets a
 * no.
 */
async function besideLinks(context: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const world = await makeWorld(context, [], settings);
  for (const name of ["docs/guide.md", "hooks/pre-commit"]) {
    mkdirSync(dirname(world.path(name)), { recursive: true });
    writeFileSync(world.path(name), "mine");
  }
  const daemon = await world.open();
  context.after(() => daemon[Symbol.asyncDispose]());
  return async (link: string, to: string, call: readonly [string, object]) => {
    mkdirSync(dirname(world.path(link)), { recursive: true });
    symlinkSync(to, world.path(link));
    world.provider.drop();
    world.provider.add(calls(call), { text: "done" });
    const talk = await talkTo(daemon);
    const said = await talk.say("write it");
    if (said.end === "approval-required") await talk.say(`/deny ${talk.token()}`);
    rmSync(world.path(link));
    return said;
  };
}

test("a file that is executed later by a link asks, whichever of its names a model writes", async (context) => {
  const propose = await besideLinks(context);
  for (const [link, to, path] of led) {
    const said = await propose(link, to, ["write-file", { path, content: "new" }]);
    assert.equal(said.end, "approval-required", `${link} → ${to}`);
    assert.match(said.text, /executed later/, said.text);
  }
});

test("a file that is executed later by a link of its owner asks, too, where a command that is tried writes it", async (context) => {
  if ((await sandboxFor(context)) === null) return;
  const propose = await besideLinks(context, { TRIALS: "true", PATH: "/usr/local/bin:/usr/bin:/bin" });
  for (const [link, to, path] of [...led, ["notes.txt", "docs/guide.md", "notes.txt"] as const]) {
    const name = [...path].map((letter) => `chr(${letter.charCodeAt(0)})`).join("+");
    const cmd = `python3 -c "open(${name}, 'w').write('new')"`;
    const said = await propose(link, to, ["shell", { cmd }]);
    assert.equal(said.end, link === "notes.txt" ? "answered" : "approval-required", `${link} → ${to}`);
  }
});

test("a file that has another name by a hard link asks, and what links of ordinary names lead to does not", async (context) => {
  const writes = ["env.txt", "docs/guide.md", "packages/a/x.js"];
  const world = await makeWorld(
    context,
    writes.flatMap((path, index) => {
      const call = calls(["write-file", { path, content: "newer" }]);
      return index === 0 ? [call] : [call, { text: "done" }];
    }),
  );
  for (const name of writes) {
    mkdirSync(dirname(world.path(name)), { recursive: true });
    writeFileSync(world.path(name), "mine");
  }
  linkSync(world.path("env.txt"), world.path(".envrc"));
  linkSync(world.path("docs/guide.md"), world.path("guide.md"));
  symlinkSync("docs", world.path("manual"));
  mkdirSync(world.path("node_modules"));
  symlinkSync("../packages/a", world.path("node_modules/a"));
  mkdirSync(world.path(".git"));
  symlinkSync("../docs", world.path(".git/objects"));
  mkdirSync(world.path(".vscode"));
  symlinkSync("..", join(world.path(".vscode"), "root"));
  await using daemon = await world.open();
  const verdicts: unknown[] = [];
  for (const path of writes) {
    const said = await (await talkTo(daemon)).say(`write ${path}`);
    verdicts.push(...named(said.events, "verdict").map(({ verdict }) => verdict));
  }
  assert.deepEqual(verdicts, ["ask", "pass", "pass"]);
  assert.equal(readFileSync(world.path(".envrc"), "utf8"), "mine");
});

/**
 * A home folder whose settings and keys lie behind links, as `stow` and `chezmoi` leave it, and a talk in it.
 */
async function stowedWorld(context: TestContext) {
  const world = await makeWorld(context);
  const at = (name: string): string => join(world.home, name);
  const stowed = ["bashrc", "nvim/init.lua", "bin/tool", "ssh/authorized_keys", "plan"];
  for (const file of [...stowed.map((name) => `dotfiles/${name}`), "work/own", "work/src/a.txt"]) {
    mkdirSync(dirname(at(file)), { recursive: true });
    writeFileSync(at(file), "mine\n");
  }
  mkdirSync(at(".config"));
  mkdirSync(at(".local"));
  for (const [link, to] of [
    [".bashrc", "dotfiles/bashrc"],
    [".config/nvim", "../dotfiles/nvim"],
    [".local/bin", "../dotfiles/bin"],
    [".ssh", "dotfiles/ssh"],
    ["plan", "dotfiles/plan"],
    ["work/keys", "../.ssh"],
    ["work/docs", "src"],
    ["elsewhere", ".bashrc"],
  ] as const)
    symlinkSync(to, at(link));
  const agent = await world.open();
  context.after(() => agent[Symbol.asyncDispose]());
  const propose = async (tool: string, args: object) => {
    const talk = await talkTo(agent);
    world.provider.add(calls([tool, args]), { text: "done" });
    const said = await talk.say("please do it");
    world.provider.drop();
    return {
      talk,
      ...said,
      told: named(said.events, "verdict")
        .map(({ reason }) => reason)
        .join("; "),
    };
  };
  return { ...world, agent, at, propose };
}

const shell = (cmd: string) => ["shell", { cmd }] as const;
const write = (path: string) => ["write-file", { path, content: "new" }] as const;
const edit = (path: string) => ["edit-file", { path, old: "mine", new: "new" }] as const;

test("what is changed through a link is judged by the name of the link, too, whatever changes it", async (context) => {
  if ((await sandboxFor(context)) === null) return;
  const { propose } = await stowedWorld(context);
  const start = /executed later.*(?:shell|program)|executed later: it is/;
  const keys = /secret path/;
  for (const [[tool, args], decision, why] of [
    [shell("cp own ~/.bashrc"), "ask", start],
    [shell("cp own ~/dotfiles/bashrc"), "ask", start],
    [shell("cp own ~/elsewhere"), "ask", start],
    [shell("echo x > ~/.bashrc"), "ask", start],
    [shell("echo x >> ../.config/nvim/init.lua"), "ask", /executed later/],
    [shell("cp own ~/.local/bin/tool"), "ask", start],
    [shell("mv own ~/.local/bin/new"), "ask", start],
    [shell("rm ~/.local/bin/tool"), "ask", /bin.tool is executed later/],
    [shell("sed -i s/mine/x/ ~/.bashrc"), "ask", start],
    [write("~/.bashrc"), "ask", start],
    [shell("cp own ~/.ssh/authorized_keys"), "block", keys],
    [shell("echo k >> ~/.ssh/authorized_keys"), "block", keys],
    [shell("echo k >> ~/dotfiles/../.ssh/new"), "block", keys],
    [shell("cp own keys/authorized_keys"), "block", keys],
    [shell("rm ~/.ssh/authorized_keys"), "block", keys],
    [write("~/.ssh/authorized_keys"), "block", keys],
    [write("keys/new"), "block", keys],
    [edit("~/.ssh/authorized_keys"), "block", keys],
    [["read-file", { path: "~/.ssh/authorized_keys" }], "block", keys],
    [["search-files", { path: "~/.ssh", pattern: "mine" }], "block", keys],
    [write("docs/a.txt"), "pass", /./],
    [edit("docs/a.txt"), "pass", /./],
  ] as const) {
    const said = await propose(tool, args);
    const about = `${JSON.stringify(args)}: ${said.end} ${said.told} ${said.text}`;
    assert.equal(named(said.events, "verdict").at(-1)?.verdict, decision, about);
    assert.match(`${said.told} ${said.text}`, why, about);
  }
  for (const cmd of [
    "cp own ~/plan",
    "echo x > ~/plan",
    "cp own docs/a.txt",
    "echo x > docs/new",
    "rm docs/a.txt",
  ]) {
    const said = await propose(...shell(cmd));
    assert.doesNotMatch(`${said.told} ${said.text}`, /executed later|secret path/, cmd);
  }
});

test("no rule or plan takes a start file behind a link for an ordinary file, and one for an ordinary link holds", async (context) => {
  if ((await sandboxFor(context)) === null) return;
  const { propose, at, provider } = await stowedWorld(context);
  for (const [steps, refused] of [
    ["write ~/.bashrc", /it asks each time: .* executed later/],
    ["run cp own ~/.bashrc", /it asks each time: .* executed later/],
    ["write ~/.ssh/authorized_keys", /it would be refused: .* secret path/],
  ] as const) {
    assert.equal((await propose("propose-plan", { steps })).end, "answered", steps);
    assert.match(provider.requests.at(-1)?.body ?? "", refused);
  }
  for (const [cmd, file, isRule] of [
    ["cp own ~/.bashrc", "dotfiles/bashrc", false],
    ["cp own ~/dotfiles/bashrc", "dotfiles/bashrc", false],
    ["cp own ~/plan", "dotfiles/plan", true],
  ] as const) {
    const { talk } = await propose(...shell(cmd));
    await talk.say(`/always ${talk.token()} keep`);
    writeFileSync(at("work/own"), "evil\n");
    assert.equal((await propose(...shell(cmd))).end, isRule ? "answered" : "approval-required", cmd);
    assert.equal(readFileSync(at(file), "utf8"), isRule ? "evil\n" : "mine\n", cmd);
  }
  assert.ok(lstatSync(at("plan")).isSymbolicLink());
});
