import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";

for (const [agent, steps] of [
  [
    "Claude Code",
    [
      calls(
        ["Glob", { pattern: "**/*.txt" }],
        ["Grep", { pattern: "t.o", path: ".", output_mode: "content" }],
      ),
      calls(["Read", { file_path: "a.txt" }]),
      calls(["Edit", { file_path: "a.txt", old_string: "two", new_string: "2" }]),
      calls(["Bash", { command: "wc -l a.txt", description: "Count the lines" }]),
    ],
  ],
  [
    "Codex",
    [
      calls(
        ["shell", { command: ["bash", "-lc", "ls"] }],
        ["grep_files", { pattern: "t.o", include: "*.txt" }],
      ),
      calls(["read_file", { file_path: "a.txt", offset: 1, limit: 5 }]),
      calls(["str_replace_editor", { command: "str_replace", path: "a.txt", old_str: "two", new_str: "2" }]),
      calls(["exec_command", { cmd: "wc -l a.txt" }]),
    ],
  ],
  [
    "Qwen",
    [
      calls(["list_directory", { path: "." }], ["search_file_content", { pattern: "t.o", include: "*.txt" }]),
      calls(["read_file", { absolute_path: "a.txt", offset: 0, limit: 100 }]),
      calls([
        "replace",
        { file_path: "a.txt", old_string: "two", new_string: "2", expected_replacements: 1 },
      ]),
      calls(["run_shell_command", { command: "wc -l a.txt", is_background: false }]),
    ],
  ],
] as const) {
  test(`a job done with the names of ${agent} is done`, async (t) => {
    const world = await makeWorld(t, [...steps, { text: "Done." }]);
    writeFileSync(world.path("a.txt"), "one\ntwo\n");
    await using daemon = await world.open();
    const said = await (await talkTo(daemon)).say("replace two by 2 in a.txt");
    assert.equal(said.text, "Done.");
    assert.equal(readFileSync(world.path("a.txt"), "utf8"), "one\n2\n");
    assert.match(sent(world, 1), /a\.txt/);
    assert.match(sent(world, 4), /2 a\.txt/);
    assert.ok(named(said.events, "outcome").every(({ status }) => status === "success"));
  });
}

test("the clients and the journal see this agent's names, and the journal what they were", async (t) => {
  const world = await makeWorld(t, [
    calls(["Write", { file_path: "b.txt", content: "x" }]),
    calls(["Bash", { command: "rm -rf /elsewhere" }]),
    { text: "Done." },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("write b.txt");
  assert.deepEqual(named(said.events, "proposed")[0]?.action.payload, {
    tool: "write-file",
    args: { path: "b.txt", content: "x" },
  });
  const written = journalOf(world).find(({ kind, changes }) => kind === "intent" && changes.length > 0);
  assert.deepEqual(written?.facts?.action.renamed, ["Write → write-file", "file_path → path"]);
  const judged = journalOf(world).find(
    ({ kind, facts }) => kind === "verdict" && facts?.action.tool === "shell",
  );
  assert.deepEqual(judged?.facts?.action.renamed, ["Bash → shell", "command → cmd"]);
});
