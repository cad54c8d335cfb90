import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadBashGrammar } from "../../src/act/shell/load-bash-grammar.ts";
import { openShellParser } from "../../src/act/shell/parse.ts";
import { makeShellTool } from "../../src/act/tools/shell/shell.ts";
import { builtInGates } from "../../src/gate/built-in.ts";
import { makeJudge } from "../../src/gate/make-judge.ts";
import { sampleFacts } from "../../src/gate/sample-action.ts";
import { isSecretPath } from "../../src/gate/secret-path.ts";
import type { Verdict } from "../../src/signal/verdict.ts";
import { makeRandom } from "../make-random.ts";
import { dangerousCommands, mutateCommand } from "./mutate-command.ts";

/** A dangerous command that passed, in the form in which it did. */
export type Passed = { readonly from: string; readonly command: string };

/** Judges mutated dangerous commands in a folder with files, and runs none of them. Gives those that pass. The same seed makes the same commands. */
export async function fuzzCommands(plan: {
  readonly count: number;
  readonly seed: number;
}): Promise<readonly Passed[]> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "passepartout-fuzz-")));
  try {
    const judge = openJudge(home);
    const passed: Passed[] = [];
    for (const command of dangerousCommands)
      if ((await judge(command)) === "pass") passed.push({ from: command, command });
    for (let number = 0; number < plan.count; number += 1) {
      const random = makeRandom(plan.seed * 1_000_003 + number);
      const mutated = mutateCommand((below) => Math.floor(random() * below));
      if ((await judge(mutated.command)) === "pass") passed.push(mutated);
    }
    return passed;
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Judges command lines in a folder `work` of `home` with files, a secret one among them, and runs none. */
export function openJudge(home: string): (cmd: string) => Promise<Verdict["decision"] | "refused"> {
  const workspace = join(home, "work");
  for (const folder of ["src", ".ssh"]) mkdirSync(join(workspace, folder), { recursive: true });
  for (const file of ["a.txt", ".env", "x.sh", "cat", "rm", "src/a.ts", ".ssh/id_rsa"])
    writeFileSync(join(workspace, file), "x", { mode: 0o755 });
  const folders = {
    ...sampleFacts.folders,
    home,
    workspace,
    notes: join(home, "notes"),
    own: [join(home, ".state")],
  };
  const decide = makeJudge(builtInGates);
  const tool = makeShellTool({
    parser: openShellParser(loadBashGrammar),
    sandbox: { program: "bwrap", filter: null, argv: (argv) => argv },
    isSecretPath: (path) => isSecretPath(path, home),
    hidden: folders.own,
    home,
    searchPath: "/usr/local/bin:/usr/bin:/bin",
    mask: (text) => text,
  });
  const label = { integrity: "agent", secrecy: "public", sources: [] } as const;
  const caller = {
    turn: "t",
    session: "s",
    person: "owner",
    source: "cli",
    startedBy: "person",
    workspace,
    known: new Map(),
    promptLabel: label,
  } as const;
  return async (cmd) => {
    const prepared = await tool.prepare({ cmd }, caller, () => label);
    if (!prepared.ok) return "refused";
    return decide(prepared.effects, { ...sampleFacts, folders, sandbox: true, licences: [] }).decision;
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { count: { type: "string" }, seed: { type: "string" } } });
  const plan = {
    count: Number(values.count ?? 100_000),
    seed: Number(values.seed ?? Date.now() % 1_000_000),
  };
  const passed = await fuzzCommands(plan);
  process.stdout.write(`${plan.count} commands from seed ${plan.seed}: ${passed.length} pass\n`);
  for (const { from, command } of passed)
    process.stdout.write(`${JSON.stringify(command)}  (from ${JSON.stringify(from)})\n`);
  process.exitCode = passed.length === 0 ? 0 : 1;
}
