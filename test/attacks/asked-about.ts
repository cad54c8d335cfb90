import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { makeScratchFolder, parser } from "../../src/act/tools/shell/shell.fixture.ts";
import { makeShellTool } from "../../src/act/tools/shell/shell.ts";
import { builtInGates } from "../../src/gate/built-in.ts";
import { makeJudge } from "../../src/gate/make-judge.ts";
import { sampleFacts } from "../../src/gate/sample-action.ts";
import type { TurnSources } from "../../src/signal/tool.ts";
import type { JsonObject } from "../../src/text/json.ts";

const decide = makeJudge(builtInGates);
const label = { integrity: "agent", secrecy: "public", sources: [] } as const;

/** What a turn did before. */
export type DoneBefore = {
  readonly calls?: readonly { readonly tool: string; readonly args: JsonObject }[];
  readonly approved?: TurnSources["approved"];
};

/** What the gate of extent asks about a command, when the owner said these words; null where it asks nothing. */
export async function askedAbout(
  workspace: string,
  words: string,
  cmd: string,
  { calls = [], approved = [] }: DoneBefore = {},
): Promise<string | null> {
  const tool = makeShellTool({
    parser,
    sandbox: null,
    isSecretPath: () => false,
    hidden: [],
    home: "/home/u",
    searchPath: "/usr/bin:/bin",
    mask: (text) => text,
  });
  const results = calls.map((call, at) => ({ ...call, id: `result-${at}`, content: "", label }));
  const caller = {
    turn: "t",
    session: "s",
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace,
    known: new Map(),
    sources: { words: [words], results, contacts: async () => [], approved },
    promptLabel: label,
  } as const;
  const prepared = await tool.prepare({ cmd }, caller, () => label);
  assert.ok(prepared.ok, cmd);
  const verdict = decide(prepared.effects, {
    ...sampleFacts,
    folders: { ...sampleFacts.folders, workspace },
  });
  return verdict.trace.find(({ gate, result }) => gate === "extent" && result === "approval")?.reason ?? null;
}

/** A folder with thirteen files of each kind: `src/module-1.ts`, … */
export async function plantFiles(context: TestContext): Promise<string> {
  const folder = await makeScratchFolder(context);
  for (const form of forms) {
    for (let at = 1; at <= 13; at += 1) {
      const path = join(folder, form.replace("#", String(at)));
      await mkdir(join(path, ".."), { recursive: true });
      await writeFile(path, "debug");
    }
  }
  return folder;
}

const forms = [
  "cache/part-#.tmp",
  "src/module-#.ts",
  "themes/theme-#.conf",
  "conf/site-#.conf",
  "logs/app-#.log",
  "notes/draft-#.org",
  "notes/2023-#.org",
];
