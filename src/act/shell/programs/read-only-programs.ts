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

/** A program that the grammar knows: its rule, and the manual page that it was made from (name and section, package, version). */
export type KnownProgram = { readonly page: string; readonly rule: WrapperRule };

/** All programs that the shell grammar can prove to only read. A program that is not here always asks. */
export const readOnlyPrograms: ReadonlyMap<string, KnownProgram> = new Map<string, KnownProgram>([
  ...Object.entries(ordinaryPrograms).map(
    ([name, spec]) => [name, { page: spec.page, rule: makeProgramRule(spec) }] as const,
  ),
  ...Object.entries(versionOnlyPrograms).map(
    ([name, page]) => [name, { page, rule: versionOnlyRule }] as const,
  ),
  ...[...wrapperTable].map(([name, { page }]) => [name, { page, rule: wrapperRule }] as const),
  ...["echo", "true", "false", "expr"].map(
    (name) => [name, { page: `${name}(1) coreutils 9.1`, rule: wordsOnlyRule }] as const,
  ),
  ...["awk", "gawk", "nawk"].map((name) => [name, { page: "gawk(1) gawk 5.2.1", rule: awkRule }] as const),
  ["mawk", { page: "mawk(1) mawk 1.3.4", rule: awkRule }],
  ["bash", { page: "bash(1) bash 5.2.15", rule: shellRule }],
  ["command", { page: "bash(1) bash 5.2.15", rule: commandRule }],
  ["find", { page: "find(1) findutils 4.9.0", rule: findRule }],
  ["git", { page: "git(1) git 2.39.5", rule: gitRule }],
  ["jq", { page: "jq(1) jq 1.6", rule: jqRule }],
  ["printf", { page: "printf(1) coreutils 9.1", rule: printfRule }],
  ["ps", { page: "ps(1) procps 4.0.2", rule: psRule }],
  ["sed", { page: "sed(1) sed 4.9", rule: sedRule }],
  ["test", { page: "test(1) coreutils 9.1", rule: testRule }],
  ["[", { page: "test(1) coreutils 9.1", rule: testRule }],
  ["tree", { page: "tree(1) tree 2.1.0", rule: treeRule }],
  ["type", { page: "bash(1) bash 5.2.15", rule: typeRule }],
  ["xargs", { page: "xargs(1) findutils 4.9.0", rule: xargsRule }],
  ["xxd", { page: "xxd(1) xxd 9.0", rule: xxdRule }],
]);
