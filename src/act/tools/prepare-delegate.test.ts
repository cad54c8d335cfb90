import assert from "node:assert/strict";
import { test } from "node:test";
import type { SkillNarrowing } from "../../signal/skill.ts";
import type { Caller } from "../../signal/tool.ts";
import { prepareDelegate } from "./prepare-delegate.ts";
import { labelOfAgentWords } from "./shell/shell.fixture.ts";

test("a turn that a skill narrows hands on no tool that it may not call itself, nor one whose arguments are limited", async () => {
  const skill = (...tools: SkillNarrowing["tools"]): SkillNarrowing => ({ skill: "review", tools });
  const names = ["read-file", "shell", "write-file", "delegate"];
  const delegate = (tool: string, narrowed: readonly SkillNarrowing[]) => {
    const caller: Caller = {
      turn: "turn",
      session: "session",
      person: "owner",
      source: "cli",
      startedBy: "person",
      workspace: null,
      known: new Map(),
      promptLabel: labelOfAgentWords,
      skills: { folders: [], narrowed },
    };
    const toolNames = async () => names;
    const ports = { mostDepth: 1, mostCalls: 5, perTurn: 1_000_000, home: "/home/ada", toolNames };
    const tasks = [{ task: "look", tools: [tool] }];
    return prepareDelegate({ tasks }, { ports, caller, labelOf: () => labelOfAgentWords });
  };
  const reads = skill({ tool: "read-file" }, { tool: "delegate" }, { tool: "shell", argv: ["git"] });
  assert.equal((await delegate("write-file", [])).ok, true);
  assert.equal((await delegate("read-file", [reads])).ok, true);
  for (const [tool, narrowed] of [
    ["write-file", [reads]],
    ["shell", [reads]],
    ["read-file", [reads, skill({ tool: "write-file" })]],
    ["read-file", [skill()]],
  ] as const) {
    const prepared = await delegate(tool, narrowed);
    assert.ok(!prepared.ok && prepared.code === "not-delegable", tool);
  }
});
