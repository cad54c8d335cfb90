import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadBashGrammar } from "../src/act/shell/load-bash-grammar.ts";
import { openShellParser } from "../src/act/shell/parse.ts";
import { makeShellTool } from "../src/act/tools/shell/shell.ts";

const label = { integrity: "agent", secrecy: "public", sources: [] } as const;
const workspace = await mkdtemp(join(tmpdir(), "passepartout-bench-"));
const asker = {
  turn: "t",
  session: "s",
  person: "owner",
  source: "cli",
  startedBy: "person",
  workspace,
  known: new Map(),
  promptLabel: label,
} as const;

/** Prints the median of preparing a command line: parsed, proved, its paths and programs resolved where `resolve` says so. */
async function measure(cmd: string, resolve: boolean): Promise<void> {
  const tool = makeShellTool({
    parser: openShellParser(loadBashGrammar),
    sandbox: null,
    isSecretPath: () => false,
    hidden: [],
    home: "/home/u",
    searchPath: "/usr/local/bin:/usr/bin:/bin",
    mask: (text) => text,
    resolve,
  });
  const times: number[] = [];
  for (let count = 0; count < 1_200; count += 1) {
    const before = process.hrtime.bigint();
    await tool.prepare({ cmd }, asker, () => label);
    if (count >= 200) times.push(Number(process.hrtime.bigint() - before) / 1_000);
  }
  times.sort((one, other) => one - other);
  const median = times[times.length >> 1] ?? 0;
  const how = resolve ? "paths and programs looked up" : "judging only";
  process.stdout.write(`shell prepare (${how}): ${median.toFixed(0)} µs, target 500 µs: ${cmd}\n`);
}

for (const cmd of [
  "ls -la",
  "cat notes.org | grep -n TODO | head -5",
  "git status --short && git diff --stat",
]) {
  await measure(cmd, false);
  await measure(cmd, true);
}
await rm(workspace, { recursive: true });
