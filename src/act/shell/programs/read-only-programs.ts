import { awkRule } from "./awk.ts";
import { filePrograms } from "./file-programs.ts";
import { findRule } from "./find.ts";
import { gitRule } from "./git.ts";
import { jqRule } from "./jq.ts";
import { makeProgramRule } from "./program-rule.ts";
import type { WrapperRule } from "./proof.ts";
import { psRule } from "./ps.ts";
import { sedRule } from "./sed.ts";
import { commandRule, printfRule, typeRule, wordsOnlyRule } from "./shell-words.ts";
import { systemPrograms } from "./system-programs.ts";
import { testRule } from "./test-command.ts";
import { textPrograms } from "./text-programs.ts";
import { treeRule } from "./tree.ts";
import { versionOnlyPrograms, versionOnlyRule } from "./version-only.ts";
import { wrapperTable } from "./wrapper-table.ts";
import { shellRule, wrapperRule, xargsRule } from "./wrappers.ts";
import { xxdRule } from "./xxd.ts";

/** Programs with ordinary options: name, operands and exact options. A new read-only program is one entry in one of the three tables. */
const ordinaryPrograms = { ...filePrograms, ...textPrograms, ...systemPrograms };

/** All programs that the shell grammar can prove to only read, each with its rule. A program that is not here always asks. */
export const readOnlyPrograms: ReadonlyMap<string, WrapperRule> = new Map<string, WrapperRule>([
  ...Object.entries(ordinaryPrograms).map(([name, spec]) => [name, makeProgramRule(spec)] as const),
  ...versionOnlyPrograms.map((name) => [name, versionOnlyRule] as const),
  ...["echo", "true", "false", "expr"].map((name) => [name, wordsOnlyRule] as const),
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, awkRule] as const),
  ...[...wrapperTable.keys()].map((name) => [name, wrapperRule] as const),
  ["bash", shellRule],
  ["command", commandRule],
  ["find", findRule],
  ["git", gitRule],
  ["jq", jqRule],
  ["printf", printfRule],
  ["ps", psRule],
  ["sed", sedRule],
  ["test", testRule],
  ["[", testRule],
  ["tree", treeRule],
  ["type", typeRule],
  ["xargs", xargsRule],
  ["xxd", xxdRule],
]);
