import type { JailPort, JailReply, JailWork } from "../signal/jail-work.ts";
import type { SkillDeclaration, SkillHead } from "../signal/skill.ts";
import { beginOf } from "../text/cut-text.ts";
import { nothingDeclared, readDeclaration } from "./read-declaration.ts";
import { readSkillFile, type SkillCode } from "./read-skill-file.ts";

/** A test of a skill; the problem is null where it passed. */
export type SkillTestResult = { readonly name: string; readonly problem: string | null };

/** A version of a skill that loads and whose tests pass, or what is wrong with it. `head` is null where the file cannot be read. */
export type CheckedSkill =
  | {
      readonly ok: true;
      readonly head: SkillHead;
      readonly declared: SkillDeclaration;
      readonly code: string;
      readonly tests: readonly SkillTestResult[];
    }
  | {
      readonly ok: false;
      readonly problem: string;
      readonly head: SkillHead | null;
      readonly tests: readonly SkillTestResult[];
    };

/** Milliseconds that loading a skill and each of its tests may take, and the characters of what they give. */
export const loadLimits = { milliseconds: 2000, maxCharacters: 100_000 };
/** Types are stripped by the program itself, whose library has to be loaded first: a busy machine must not make a skill look broken. */
const stripLimits = { ...loadLimits, milliseconds: 10_000 };

/** Milliseconds that all tests of a file may take together: a thousand tests of 2 s each would hold up every turn. */
const allTestsMilliseconds = 20_000;

type Ask = (work: JailWork) => Promise<JailReply>;

/** Checks a version of a skill in a jail of its own: its syntax, what it brings, and its tests. Nothing of it stays. `now` gives milliseconds. */
export async function checkSkill(
  { file, text }: { readonly file: string; readonly text: string },
  openJail: () => Promise<JailPort>,
  now = () => performance.now(),
): Promise<CheckedSkill> {
  const read = readSkillFile(file, text);
  if (!read.ok) return { ok: false, problem: read.problem, head: null, tests: [] };
  const { head, code } = read;
  const failed = (problem: string, tests: readonly SkillTestResult[] = []): CheckedSkill => ({
    ok: false,
    problem: `${file}: ${problem}`,
    head,
    tests,
  });
  if (code.module.trim() === "") {
    const problem = unguardedIn(head, nothingDeclared);
    if (problem !== null) return failed(problem);
    return { ok: true, head, declared: nothingDeclared, code: "", tests: [] };
  }
  const jail = await openJail();
  const ask = askOf(jail);
  try {
    const module = await loadModule({ code: code.module, file }, ask);
    if (!module.ok) return failed(module.problem);
    const problem = unguardedIn(head, module.declared);
    if (problem !== null) return failed(problem);
    const tests = await runTests(code.tests, file, { ask, now });
    const broken = tests.find(({ problem }) => problem !== null);
    if (broken !== undefined) return failed(`the test '${broken.name}' failed: ${broken.problem}`, tests);
    return { ok: true, head, declared: module.declared, code: module.javascript, tests };
  } finally {
    await jail.end();
  }
}

/** An effect that its file says is guarded, and that none of its gates is asked about, in words: its code was lost, or never written. */
function unguardedIn({ guards }: SkillHead, { gates }: SkillDeclaration): string | null {
  const open = guards.find((effect) => !gates.some(({ effects }) => effects.includes(effect)));
  return open === undefined
    ? null
    : `#+GUARDS: names ${open}, and no gate that it exports is asked about that.`;
}

/** What the code of a skill brings, whether its tests pass or not; null where it cannot be loaded. */
export async function declarationOf(
  { file, text }: { readonly file: string; readonly text: string },
  openJail: () => Promise<JailPort>,
): Promise<SkillDeclaration | null> {
  const read = readSkillFile(file, text);
  if (!read.ok) return null;
  if (read.code.module.trim() === "") return nothingDeclared;
  const jail = await openJail();
  try {
    const module = await loadModule({ code: read.code.module, file }, askOf(jail));
    return module.ok ? module.declared : null;
  } finally {
    await jail.end();
  }
}

function askOf(jail: JailPort): Ask {
  return (work) =>
    jail.request(work, work.kind === "strip" ? stripLimits : loadLimits, new AbortController().signal);
}

type LoadedModule =
  | { readonly ok: true; readonly javascript: string; readonly declared: SkillDeclaration }
  | { readonly ok: false; readonly problem: string };

async function loadModule(
  { code, file }: { readonly code: string; readonly file: string },
  ask: Ask,
): Promise<LoadedModule> {
  const failed = (problem: string): LoadedModule => ({ ok: false, problem });
  const stripped = await ask({ kind: "strip", code, file });
  if (!stripped.ok) return failed(describeReply(stripped));
  const javascript = String(JSON.parse(stripped.json));
  const loaded = await ask({ kind: "load", code: javascript, file });
  if (!loaded.ok) return failed(`it cannot be loaded: ${describeReply(loaded)}`);
  const declaration = readDeclaration(loaded.json);
  if (!declaration.ok) return failed(`its exports cannot be used: ${declaration.problem}`);
  return { ok: true, javascript, declared: declaration.declared };
}

/** Runs the tests one after the other. Those that are left when their time is over did not pass. */
async function runTests(
  tests: SkillCode["tests"],
  file: string,
  { ask, now }: { readonly ask: Ask; readonly now: () => number },
): Promise<readonly SkillTestResult[]> {
  const begun = now();
  const results: SkillTestResult[] = [];
  for (const { name, code, line } of tests) {
    if (now() - begun > allTestsMilliseconds) {
      const problem = `all tests of a file together have ${allTestsMilliseconds / 1000} s, and those before it took them: it was not run. Make them faster, or fewer`;
      return [...results, { name, problem }];
    }
    results.push({ name, problem: await runTest({ body: "\n".repeat(line) + code, file }, ask) });
  }
  return results;
}

/** Null where it passed. */
async function runTest(
  { body, file }: { readonly body: string; readonly file: string },
  ask: Ask,
): Promise<string | null> {
  const stripped = await ask({ kind: "strip", code: body, file });
  if (!stripped.ok) return describeReply(stripped);
  const ran = await ask({ kind: "test", code: String(JSON.parse(stripped.json)), file });
  return ran.ok ? null : describeReply(ran);
}

/** Why a jail gave no value, in words. */
export function describeReply({ code, message }: JailReply & { readonly ok: false }): string {
  switch (code) {
    case "time-limit":
      return "it took too long and was ended";
    case "memory-limit":
      return "it needed too much memory and was ended";
    case "cancelled":
      return "it was stopped";
    case "jail-failed":
    case "thrown":
      return beginOf(message, 500);
    default:
      return code satisfies never;
  }
}
