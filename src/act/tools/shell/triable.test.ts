import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { builtInGates } from "../../../gate/built-in.ts";
import { makeJudge } from "../../../gate/make-judge.ts";
import { sampleFacts } from "../../../gate/sample-action.ts";
import type { Effect } from "../../../signal/effect.ts";
import type { Licence } from "../../../signal/facts.ts";
import { bottomLabel } from "../../../signal/label.ts";
import { openCommandOverlays } from "../../trial/command-overlays.ts";
import { rememberNothing } from "../../trial/workshop.fixture.ts";
import { labelOfAgentWords, makeScratchFolder, parser, sandboxFor } from "./shell.fixture.ts";
import { makeShellTool } from "./shell.ts";

const decide = makeJudge(builtInGates);

/**
 * Prepares command lines in a workspace whose files are private, where commands are tried; null without a
 * sandbox.
 */
async function trying(context: TestContext) {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const folder = await makeScratchFolder(context);
  const tool = makeShellTool({
    parser,
    sandbox,
    isSecretPath: () => false,
    hidden: [],
    home: "/home/u",
    searchPath: "/usr/bin:/bin",
    mask: (text) => text,
    tries: true,
    overlays: openCommandOverlays(join(folder, "commands"), rememberNothing),
    labelOfRead: async ({ tree }) => ({ ...bottomLabel, secrecy: tree ? "private" : "public" }),
  });
  const workspace = await makeScratchFolder(context);
  const caller = {
    turn: "t",
    session: "s",
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace,
    known: new Map(),
    sources: { words: ["tidy up"], results: [], contacts: async () => [], approved: [] },
    promptLabel: labelOfAgentWords,
  } as const;
  return async (cmd: string, licences: (effects: readonly Effect[]) => readonly Licence[] = () => []) => {
    const prepared = await tool.prepare({ cmd }, caller, () => labelOfAgentWords);
    assert.ok(prepared.ok, cmd);
    const { effects, resultLabel } = prepared;
    const folders = { ...sampleFacts.folders, workspace };
    const verdict = decide(effects, { ...sampleFacts, folders, licences: licences(effects) });
    return { verdict, secrecy: resultLabel.secrecy };
  };
}

const script = "bash -c 'for i in 1 2 3; do cp empty a$i.txt; done'";

test("what a script overwrites is asked about beforehand where its line is not tried, whatever the reason", async (t) => {
  const prepare = await trying(t);
  if (prepare === null) return;
  assert.equal((await prepare(script)).verdict.decision, "trial");
  for (const cmd of [`${script} && ssh host true`, `gh pr list; ${script}`, `${script} > Makefile`]) {
    const { verdict } = await prepare(cmd);
    assert.equal(verdict.decision, "ask", cmd);
    assert.match(verdict.reason, /acts on things that are not known before it runs/, cmd);
  }
});

test("a rule that allows a script leaves the question about what it overwrites to its trial", async (t) => {
  const prepare = await trying(t);
  if (prepare === null) return;
  const rule = {
    kind: "rule",
    name: "scripts",
    discharges: ["unproved-program"],
    effectIndexes: [0],
  } as const;
  assert.equal((await prepare(script, () => [rule])).verdict.decision, "trial");
});

test("a line with a part that cannot be tried is not tried, also where a rule allows that part", async (t) => {
  const prepare = await trying(t);
  if (prepare === null) return;
  const rule = { kind: "rule", name: "gh", discharges: ["unproved-program"], effectIndexes: [0] } as const;
  const { verdict } = await prepare("gh pr list; perl -e 'print 1'", () => [rule]);
  assert.equal(verdict.decision, "ask");
});

test("what a line that may be tried prints is as private as the workspace; of any other line only what it names counts", async (t) => {
  const prepare = await trying(t);
  if (prepare === null) return;
  assert.equal((await prepare("perl -e 'print 1'")).secrecy, "private");
  assert.equal((await prepare("ssh host true")).secrecy, "public");
});
