import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  alwaysDelivered,
  expectPrepared,
  expectRefusal,
  openTestPreparer,
  prepareProposal,
  proposal,
  shellDouble,
} from "../../test/act-preparer.ts";
import type { Tool } from "../signal/tool.ts";
import type { JsonObject } from "../text/json.ts";
import { openActuatorRegistry } from "./actuators.ts";
import { makeMessageActuator } from "./built-in-actuators.ts";
import { callerAt, openWorkbench } from "./tools/workbench.fixture.ts";

const go = new AbortController().signal;

test("a tool call in any case of target and tool is prepared with its facts", async () => {
  await using bench = await openWorkbench();
  const prepared = expectPrepared(
    await prepareProposal(bench, proposal("TOOL", { tool: "List-Files", args: { path: "." } })),
  );
  assert.deepEqual([prepared.tool, prepared.action.target], ["list-files", "tool"]);
  assert.deepEqual(prepared.facts.action, {
    kind: "proposal",
    target: "tool",
    tool: "list-files",
    explanation: "because it was asked",
    problems: [],
  });
  assert.deepEqual(prepared.facts.folders, { ...bench.ports.folders, workspace: bench.workspace });
  assert.deepEqual(
    [prepared.facts.permission, prepared.facts.sandbox, prepared.facts.healthy],
    ["allow", true, true],
  );
});

test("unknown targets, tools and commands are refused by name, with the known names", async () => {
  await using bench = await openWorkbench();
  assert.match(
    expectRefusal(await prepareProposal(bench, proposal("rocket", {}))),
    /^unknown-target: Target 'rocket' not found\. There are: cli, tui,/,
  );
  assert.match(
    expectRefusal(await prepareProposal(bench, proposal("tool", { tool: "rm", args: {} }))),
    /^unknown-tool: Tool 'rm' not found\. There are: read-file,/,
  );
  assert.match(
    expectRefusal(await prepareProposal(bench, proposal("system", { action: "reboot" }))),
    /^unknown-command: .*'reboot'.*eval, message/,
  );
});

test("names of an object's prototype are no tools and no targets", async () => {
  await using bench = await openWorkbench();
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    assert.match(expectRefusal(await prepareProposal(bench, proposal(name, {}))), /^unknown-target/);
    assert.match(
      expectRefusal(await prepareProposal(bench, proposal("tool", { tool: name, args: {} }))),
      /^unknown-tool/,
    );
  }
});

test("a name in a refusal is cut and shows no control characters", async () => {
  await using bench = await openWorkbench();
  const words = expectRefusal(
    await prepareProposal(bench, proposal("tool", { tool: `\u001b]0;x\u0007${"y".repeat(500)}`, args: {} })),
  );
  assert.doesNotMatch(words, /\p{Cc}/u);
  assert.ok(words.length < 400);
});

test("payloads are closed: missing and further keys are refused and never reshaped", async () => {
  await using bench = await openWorkbench();
  for (const [target, payload] of [
    ["tool", { tool: "read-file" }],
    ["tool", { tool: "read-file", args: [] }],
    ["tool", { tool: "read-file", args: { path: "a" }, approved: true }],
    ["tool", { name: "read-file", args: { path: "a" } }],
    ["cli", { text: "hi" }],
    ["cli", { action: "message", text: "hi", session: "another" }],
    ["cli", { action: "message", text: "" }],
    ["system", { action: "eval", code: "1", jailed: false }],
    ["system", {}],
  ] as const) {
    assert.match(
      expectRefusal(await prepareProposal(bench, proposal(target, payload))),
      /^invalid-payload/,
      JSON.stringify(payload),
    );
  }
  for (const args of [{ path: 1 }, {}, { path: "a", args: {} }, { args: { path: "a" } }]) {
    assert.match(
      expectRefusal(await prepareProposal(bench, proposal("tool", { tool: "read-file", args }))),
      /^invalid-arguments/,
      JSON.stringify(args),
    );
  }
});

test("the target shell is the shell tool, and system eval the eval tool", async () => {
  await using bench = await openWorkbench();
  const shell = expectPrepared(await prepareProposal(bench, proposal("shell", { cmd: "ls" })));
  assert.deepEqual([shell.tool, shell.facts.permission], ["shell", "ask"]);
  const evaluated = expectPrepared(
    await prepareProposal(bench, proposal("system", { action: "eval", code: "6 * 7" })),
  );
  assert.equal(evaluated.tool, "eval");
  assert.deepEqual(await evaluated.run(go), { status: "success", content: { value: 42, logs: [] } });
});

test("the digest is the same for the same action over the same world, and another for any other", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "old");
  const digest = async (target: string, args: JsonObject) =>
    expectPrepared(await prepareProposal(bench, proposal(target, { tool: "write-file", args }))).digest;
  const first = await digest("tool", { path: "a.txt", content: "new" });
  assert.match(first, /^[0-9a-f]{64}$/);
  assert.equal(await digest("Tool", { content: "new", path: "a.txt" }), first);
  assert.notEqual(await digest("tool", { path: "a.txt", content: "new!" }), first);
  await bench.write("a.txt", "older");
  assert.notEqual(await digest("tool", { path: "a.txt", content: "new" }), first);
});

test("secrets in data that leaves or is kept are reported by rule and place, and never quoted", async () => {
  await using bench = await openWorkbench();
  const written = expectPrepared(
    await prepareProposal(
      bench,
      proposal("tool", { tool: "write-file", args: { path: "a", content: "x KEY-123 KEY-4" } }),
    ),
  );
  assert.deepEqual(written.facts.findings, [{ rule: "key", effectIndex: 0, where: "/args/content" }]);
  const edited = expectPrepared(
    await prepareProposal(
      bench,
      proposal("tool", { tool: "edit-file", args: { path: "a", old: "b", new: "KEY-123" } }),
    ),
  );
  assert.deepEqual(
    edited.facts.findings.map(({ effectIndex, where }) => [effectIndex, where]),
    [[1, "/args/new"]],
  );
  const read = expectPrepared(
    await prepareProposal(bench, proposal("tool", { tool: "read-file", args: { path: "KEY-123" } })),
  );
  assert.deepEqual(read.facts.findings, []);
  assert.doesNotMatch(JSON.stringify([written.facts, edited.facts]), /KEY-123/);
});

test("a key in an explanation is masked in the facts", async () => {
  await using bench = await openWorkbench();
  const proposed = {
    ...proposal("tool", { tool: "list-files", args: { path: "." } }),
    explanation: "uses KEY-12 and KEY-34 now",
  };
  assert.equal(
    expectPrepared(await prepareProposal(bench, proposed)).facts.action.explanation,
    "uses [masked: key] and [masked: key] now",
  );
});

test("a tool whose prepare or run throws gives a masked error, and cancelling has its own code", async () => {
  await using bench = await openWorkbench();
  const broken = shellDouble(() => Promise.reject(new Error("broken at KEY-123")));
  assert.match(
    expectRefusal(
      await prepareProposal(bench, proposal("shell", { cmd: "x" }), { parts: { tools: [broken] } }),
    ),
    /^prepare-failed: .*broken at \[masked: key\]/,
  );
  const failing = shellDouble(async (args) => ({
    ok: true,
    effects: [],
    plan: args,
    changes: [],
    resultLabel: callerAt(null).promptLabel,
    run: (cancel) => Promise.reject(cancel.aborted ? cancel.reason : new Error("broken at KEY-9")),
  }));
  const prepared = expectPrepared(
    await prepareProposal(bench, proposal("shell", { cmd: "x" }), { parts: { tools: [failing] } }),
  );
  assert.deepEqual(await prepared.run(go), {
    status: "error",
    code: "tool-failed",
    message: "The tool 'shell' failed: broken at [masked: key]",
  });
  assert.equal((await prepared.run(AbortSignal.abort())).status === "error" && "cancelled", "cancelled");
});

test("a payload nested so deeply that it cannot be read is refused and does not throw", async () => {
  await using bench = await openWorkbench();
  let args: JsonObject = { path: "a" };
  for (let depth = 0; depth < 50_000; depth += 1) args = { args };
  assert.match(
    expectRefusal(await prepareProposal(bench, proposal("tool", { tool: "read-file", args }))),
    /^prepare-failed|^invalid/,
  );
});

test("names that mean the same are refused, for tools, actuators and arguments", async () => {
  await using bench = await openWorkbench();
  const twice = (name: string): Tool => ({ ...shellDouble(), name });
  assert.throws(
    () => openTestPreparer(bench, { tools: [twice("Read-File"), twice("read-file")] }),
    /'Read-File' and 'read-file'/,
  );
  assert.throws(
    () =>
      openActuatorRegistry(
        ["cli", "Cli"].map((name) => makeMessageActuator({ name, tell: alwaysDelivered })),
      ),
    /'cli' and 'Cli'/,
  );
  const argued = (...names: string[]): Tool => ({
    ...shellDouble(),
    parameters: {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    },
  });
  assert.throws(
    () => openTestPreparer(bench, { tools: [argued("maxResults", "max-results")] }),
    /'maxResults' and 'max-results'/,
  );
  assert.throws(() => openTestPreparer(bench, { tools: [argued("Explanation")] }), /'Explanation'/);
});

test("a default actuator that does not exist is refused at the start, by name", async () => {
  await using bench = await openWorkbench();
  assert.throws(
    () => openTestPreparer(bench, { defaultActuator: "fax" }),
    /'fax' does not exist.*DEFAULT_ACTUATOR/,
  );
});

test("every declaration asks for an explanation, denied tools are not declared, and all stay small", async () => {
  await using bench = await openWorkbench();
  const all = openTestPreparer(bench).declarations();
  assert.equal(all.length, 10);
  for (const declared of all) {
    const { parameters } = declared;
    assert.match(
      JSON.stringify(parameters),
      /"explanation":\{"type":"string"\}.*"required":\[.*"explanation"\]/,
    );
    assert.ok(JSON.stringify(declared).length <= 540, `${declared.name}: ${JSON.stringify(declared).length}`);
  }
  const fewer = openTestPreparer(bench, { permissions: new Map([["FETCH-URL", "deny"]]) });
  assert.equal(
    fewer.declarations().some(({ name }) => name === "fetch-url"),
    false,
  );
  const denied = expectPrepared(
    await fewer.prepare(
      proposal("tool", { tool: "fetch-url", args: { url: "https://a.example" } }),
      callerAt(null),
      [],
    ),
  );
  assert.equal(denied.facts.permission, "deny");
});

test("message actuators and silent ones are known by name in any case", async () => {
  await using bench = await openWorkbench();
  const { isMessageActuator, isSilent } = openTestPreparer(bench);
  assert.deepEqual(["cli", "TUI", "tool", "system", "rocket"].map(isMessageActuator), [
    true,
    true,
    false,
    false,
    false,
  ]);
  assert.deepEqual(["tool", "TOOL", "cli"].map(isSilent), [true, true, false]);
});

test("what is read in the folder of a skill has the label of the skill, whatever its own file says", async () => {
  await using bench = await openWorkbench();
  mkdirSync(join(bench.workspace, "skill"));
  for (const path of ["skill/reference.md", "skills.md"]) writeFileSync(join(bench.workspace, path), path);
  const label = { integrity: "untrusted", secrecy: "public", sources: [{ id: "page", path: "" }] } as const;
  const folders = [{ path: join(bench.workspace, "skill"), label }];
  const caller = { ...callerAt(bench.workspace), skills: { folders, narrowed: [] } };
  const integrityOf = async (path: string) => {
    const prepared = await prepareProposal(bench, proposal("tool", { tool: "read-file", args: { path } }), {
      caller,
    });
    assert.ok(prepared.ok, JSON.stringify(prepared));
    return [prepared.resultLabel.integrity, prepared.resultLabel.sources.some(({ id }) => id === "page")];
  };
  assert.deepEqual(await integrityOf("skill/reference.md"), ["untrusted", true]);
  assert.deepEqual(await integrityOf("skills.md"), ["user", false]);
});
