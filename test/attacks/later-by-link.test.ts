import assert from "node:assert/strict";
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
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

test("a file that is executed later by a link asks, whichever of its names a model writes", async (context) => {
  for (const [link, to, path] of led) {
    const world = await makeWorld(context, [
      calls(["write-file", { path, content: "new" }]),
      { text: "done" },
    ]);
    for (const name of ["docs/guide.md", "hooks/pre-commit"]) {
      mkdirSync(dirname(world.path(name)), { recursive: true });
      writeFileSync(world.path(name), "mine");
    }
    mkdirSync(dirname(world.path(link)), { recursive: true });
    symlinkSync(to, world.path(link));
    await using daemon = await world.open();
    const said = await (await talkTo(daemon)).say("write it");
    assert.equal(said.end, "approval-required", `${link} → ${to}`);
    assert.match(said.text, /executed later/, said.text);
  }
});

test("a file that is executed later by a link of its owner asks, too, where a command that is tried writes it", async (context) => {
  if ((await sandboxFor(context)) === null) return;
  for (const [link, to, path] of [...led, ["notes.txt", "docs/guide.md", "notes.txt"] as const]) {
    const name = [...path].map((letter) => `chr(${letter.charCodeAt(0)})`).join("+");
    const cmd = `python3 -c "open(${name}, 'w').write('new')"`;
    const world = await makeWorld(context, [calls(["shell", { cmd }]), { text: "done" }], {
      TRIALS: "true",
      PATH: "/usr/local/bin:/usr/bin:/bin",
    });
    for (const file of ["docs/guide.md", "hooks/pre-commit"]) {
      mkdirSync(dirname(world.path(file)), { recursive: true });
      writeFileSync(world.path(file), "mine");
    }
    mkdirSync(dirname(world.path(link)), { recursive: true });
    symlinkSync(to, world.path(link));
    await using daemon = await world.open();
    const said = await (await talkTo(daemon)).say("write it");
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
