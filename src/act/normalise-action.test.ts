import assert from "node:assert/strict";
import { test } from "node:test";
import {
  expectPrepared,
  expectRefusal,
  openTestPreparer,
  prepareProposal,
  proposal,
} from "../../test/act-preparer.ts";
import type { Tool } from "../signal/tool.ts";
import type { JsonObject } from "../text/json.ts";
import { makeNameRegistry } from "./actuators.ts";
import { familiarTools } from "./familiar-names.ts";
import { normaliseAction } from "./normalise-action.ts";
import { openWorkbench } from "./tools/workbench.fixture.ts";

const tools = await (async () => {
  await using bench = await openWorkbench();
  const declared = openTestPreparer(bench).declarations();
  return makeNameRegistry(
    "tool",
    declared.map(
      ({ name, description, parameters }): Tool => ({
        name,
        description,
        parameters,
        permission: "allow",
        prepare: async () => ({ ok: false, code: "", message: "" }),
      }),
    ),
  );
})();

/** The tool and arguments that a call is read as, or the refusal. */
function read(tool: string, args: JsonObject, workspace: string | null = "/home/ada/garden"): unknown {
  const made = normaliseAction(proposal("tool", { tool, args }), tools, workspace);
  if (!made.ok) return `${made.code}: ${made.message}`;
  const { payload } = made.action;
  return [payload["tool"], payload["args"]];
}

const transcripts: readonly (readonly [string, string, JsonObject, string, JsonObject])[] = [
  [
    "Claude Code",
    "Read",
    { file_path: "a", offset: 3, limit: 2 },
    "read-file",
    { path: "a", offset: 3, limit: 2 },
  ],
  [
    "Claude Code",
    "Edit",
    { file_path: "a", old_string: "x", new_string: "y", replace_all: false },
    "edit-file",
    { path: "a", old: "x", new: "y", all: false },
  ],
  [
    "Claude Code",
    "MultiEdit",
    { file_path: "a", edits: [{ old_string: "x", new_string: "y" }] },
    "edit-file",
    { path: "a", edits: [{ old: "x", new: "y" }] },
  ],
  ["Claude Code", "Write", { file_path: "a", content: "x" }, "write-file", { path: "a", content: "x" }],
  [
    "Claude Code",
    "Bash",
    { command: "ls", description: "List", timeout: 1000, run_in_background: false },
    "shell",
    { cmd: "ls" },
  ],
  [
    "Claude Code",
    "Grep",
    { pattern: "Foo", "-i": true, "-n": true, "-C": 2, glob: "*.ts", output_mode: "content", head_limit: 5 },
    "search-files",
    { pattern: "(?i)Foo", context: 2, glob: "*.ts", limit: 5 },
  ],
  ["Claude Code", "Glob", { pattern: "**/*.ts" }, "list-files", { glob: "**/*.ts" }],
  ["Claude Code", "LS", { path: "/home/ada/garden/sub" }, "list-files", { path: "/home/ada/garden/sub" }],
  [
    "Claude Code",
    "WebFetch",
    { url: "https://a.example", prompt: "sum up" },
    "fetch-url",
    { url: "https://a.example" },
  ],
  [
    "an editor tool",
    "str_replace_based_edit_tool",
    { command: "str_replace", path: "a", old_str: "x", new_str: "y" },
    "edit-file",
    { path: "a", old: "x", new: "y" },
  ],
  [
    "an editor tool",
    "str_replace_based_edit_tool",
    { command: "view", path: "a", view_range: [3, 7] },
    "read-file",
    { path: "a", offset: 3, limit: 5 },
  ],
  [
    "an editor tool",
    "str_replace_editor",
    { command: "create", path: "a", file_text: "x" },
    "write-file",
    { path: "a", content: "x" },
  ],
  [
    "Codex",
    "shell",
    { command: ["bash", "-lc", "ls -la | head"], workdir: "/home/ada/garden" },
    "shell",
    { cmd: "ls -la | head" },
  ],
  [
    "Codex",
    "shell",
    { command: ["grep", "-n", "a b", "it's"] },
    "shell",
    { cmd: "grep -n 'a b' 'it'\\''s'" },
  ],
  ["Codex", "exec_command", { cmd: "ls" }, "shell", { cmd: "ls" }],
  [
    "Codex",
    "grep_files",
    { pattern: "x", include: "*.rs", path: "src", limit: 3 },
    "search-files",
    { pattern: "x", glob: "*.rs", path: "src", limit: 3 },
  ],
  [
    "Codex",
    "list_dir",
    { dir_path: "/home/ada/garden", depth: 2 },
    "list-files",
    { path: "/home/ada/garden", depth: 2 },
  ],
  [
    "Qwen",
    "read_file",
    { absolute_path: "/home/ada/garden/a", offset: 0, limit: 10 },
    "read-file",
    { path: "/home/ada/garden/a", offset: 1, limit: 10 },
  ],
  [
    "Qwen",
    "replace",
    { file_path: "a", old_string: "x", new_string: "y", expected_replacements: 1 },
    "edit-file",
    { path: "a", old: "x", new: "y" },
  ],
  [
    "Qwen",
    "replace",
    { file_path: "a", old_string: "x", new_string: "y", expected_replacements: 3 },
    "edit-file",
    { path: "a", old: "x", new: "y", all: true },
  ],
  [
    "Qwen",
    "run_shell_command",
    { command: "ls", is_background: false, directory: "." },
    "shell",
    { cmd: "ls" },
  ],
  [
    "Qwen",
    "search_file_content",
    { pattern: "x", include: "*.py" },
    "search-files",
    { pattern: "x", glob: "*.py" },
  ],
  ["Qwen", "save_memory", { fact: "x" }, "remember", { text: "x" }],
  ["Cline", "list_files", { path: ".", recursive: true }, "list-files", { path: ".", depth: 100 }],
  [
    "Cline",
    "search_files",
    { path: ".", regex: "x", file_pattern: "*.ts" },
    "search-files",
    { path: ".", pattern: "x", glob: "*.ts" },
  ],
  ["Cline", "execute_command", { command: "ls" }, "shell", { cmd: "ls" }],
  [
    "Cursor",
    "read_file",
    { target_file: "a", start_line: "5", end_line: 9 },
    "read-file",
    { path: "a", offset: 5, limit: 5 },
  ],
  ["opencode", "read", { filePath: "a" }, "read-file", { path: "a" }],
];

for (const [agent, tool, args, own, wanted] of transcripts) {
  test(`a call as ${agent} makes it is understood: ${tool} ${JSON.stringify(args).slice(0, 60)}`, () => {
    assert.deepEqual(read(tool, args), [own, wanted]);
  });
}

test("lines before and after a match become lines around it", () => {
  assert.deepEqual(read("Grep", { pattern: "x", "-A": 3, "-B": 1 }), [
    "search-files",
    { pattern: "x", context: 3 },
  ]);
});

test("this agent's own names are left as they are", () => {
  const action = proposal("tool", { tool: "edit-file", args: { path: "a", old: "x", new: "y" } });
  const made = normaliseAction(action, tools, null);
  assert.deepEqual(made, { ok: true, action, renamed: [] });
  assert.deepEqual(read("READ-FILE", { path: "a" }), ["READ-FILE", { path: "a" }]);
});

test("another working folder becomes a part of the command, which the judge sees", () => {
  const there = (workdir: string) => read("exec_command", { cmd: "ls -l", workdir });
  assert.deepEqual(there("/home/ada/garden"), ["shell", { cmd: "ls -l" }]);
  assert.deepEqual(there("sub dir"), ["shell", { cmd: "cd 'sub dir' && ls -l" }]);
});

test("two arguments that mean the same are refused where they differ, with the right names", () => {
  assert.match(
    String(read("Edit", { path: "a", file_path: "b", old: "x", new: "y" })),
    /^ambiguous-arguments: edit-file: 'path' and 'file_path' both mean 'path', and they differ\. Arguments: path, old, new/,
  );
  assert.deepEqual(read("Edit", { path: "a", file_path: "a", old: "x", new: "y" }), [
    "edit-file",
    { path: "a", old: "x", new: "y" },
  ]);
});

test("what cannot be said in the tool's own arguments is refused by name, and nothing is lost in silence", async () => {
  await using bench = await openWorkbench();
  for (const [tool, args, named] of [
    ["Bash", { command: "ls", run_in_background: true }, /background/],
    ["Grep", { pattern: "x", multiline: true }, /multiline.*Arguments: pattern/],
    ["apply_patch", { input: "*** Begin Patch" }, /apply_patch.*There are:.*edit-file/],
    ["search", { query: "x" }, /'search' not found. There are:.*recall/],
  ] as const) {
    const made = normaliseAction(proposal("tool", { tool, args }), tools, "/home/ada/garden");
    assert.ok(made.ok);
    if (made.action.payload["tool"] === "shell") assert.match(JSON.stringify(made.action.payload), named);
    else assert.match(expectRefusal(await prepareProposal(bench, proposal("tool", { tool, args }))), named);
  }
});

test("names are replaced before anything is judged, and the facts say what they were", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "x");
  const prepared = expectPrepared(
    await prepareProposal(bench, proposal("tool", { tool: "Read", args: { file_path: "a.txt" } })),
  );
  assert.equal(prepared.tool, "read-file");
  assert.deepEqual(prepared.action.payload, { tool: "read-file", args: { path: "a.txt" } });
  assert.deepEqual(prepared.facts.action.renamed, ["Read → read-file", "file_path → path"]);
  const same = expectPrepared(
    await prepareProposal(bench, proposal("tool", { tool: "read-file", args: { path: "a.txt" } })),
  );
  assert.equal(same.digest, prepared.digest);
  assert.equal(same.facts.action.renamed, undefined);
});

test("a denied tool is denied by every name, and a tool that has such a name of its own keeps it", async () => {
  await using bench = await openWorkbench();
  const parts = { permissions: new Map([["shell", "deny"]] as const) };
  const asked = proposal("tool", { tool: "Bash", args: { command: "ls" } });
  assert.equal(expectPrepared(await prepareProposal(bench, asked, { parts })).facts.permission, "deny");
  const grep = tools.find("recall");
  assert.ok(grep !== undefined);
  const own = makeNameRegistry("tool", [
    ...tools.names.flatMap((name) => tools.find(name) ?? []),
    { ...grep, name: "grep" },
  ]);
  const made = normaliseAction(proposal("tool", { tool: "grep", args: { query: "x" } }), own, null);
  assert.ok(made.ok && made.renamed.length === 0);
});

test("the table names tools that there are", () => {
  for (const own of familiarTools.values()) assert.notEqual(tools.find(own), undefined, own);
});
