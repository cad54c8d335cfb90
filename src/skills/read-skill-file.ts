import { nodeIdentityOf, type OrgNode, parseOrg, scanOutline } from "#org";
import type { EffectKind } from "../signal/effect.ts";
import { sensors } from "../signal/signal.ts";
import type { SkillHead } from "../signal/skill.ts";
import { readSkillLimits } from "../signal/skill-limits.ts";
import { pushAll } from "../text/lists.ts";
import { nearestName } from "../text/nearest-name.ts";
import { findStrayLine, isTextBlock } from "./find-stray-line.ts";

/** The code of a skill as its file has it. Its lines stand where they stand in the file, so that an error names the line of the file. */
export type SkillCode = {
  /** TypeScript; empty where there is none. */
  readonly module: string;
  /** The blocks that the module is made of. */
  readonly blocks: readonly string[];
  /** `line`: that of the file before the code. */
  readonly tests: readonly { readonly name: string; readonly code: string; readonly line: number }[];
};

/** A skill's file as it was read, or what is wrong with it. */
export type ReadSkill =
  | { readonly ok: true; readonly head: SkillHead; readonly code: SkillCode }
  | { readonly ok: false; readonly problem: string };

/** The largest file of a skill, in characters. */
export const largestSkill = 64 * 1024;

/** The effects that a gate of a skill may guard. */
export const guardable = [
  "read-path",
  "write-path",
  "delete-path",
  "run-program",
  "reach-host",
  "tell-person",
  "change-memory",
  "evaluate",
  "use-service",
] as const satisfies readonly EffectKind[];

/** The name of a skill, and of what it brings. */
export const skillName = /^[a-z][a-z0-9-]{0,39}$/;
const tag = /^[\p{L}\p{N}_@#%]{1,100}$/u;
const capability = /^[a-z][a-z0-9-]{0,39}(?::\S{1,300})?$/;

/** Reads one skill: an Org file of prose, keywords and blocks of TypeScript. `file` is its name, such as `dice.org`. */
export function readSkillFile(file: string, text: string): ReadSkill {
  const wrong = (problem: string): ReadSkill => ({ ok: false, problem: `${file}: ${problem}` });
  const name = file.replace(/\.org$/, "");
  if (!skillName.test(name))
    return wrong("the name of a skill's file has small letters, digits and hyphens, and ends in .org.");
  if (text.length > largestSkill)
    return wrong(`it has more than ${largestSkill} characters. Make two skills of it.`);
  const { head, code, values, stray } = readParts(name, text);
  const limits = limitsIn(values);
  const problem = misspeltIn(values) ?? stray ?? problemOfValues(values) ?? problemOfHead(head);
  if (problem !== null) return wrong(problem);
  if (typeof limits === "string") return wrong(limits);
  const isLimited = Object.keys(limits).length > 0;
  return { ok: true, head: isLimited ? { ...head, limits } : head, code };
}

/** What a file says, whatever may be wrong with it. */
export type SkillParts = {
  readonly head: SkillHead;
  readonly code: SkillCode;
  readonly values: Values;
  /** What is wrong with its lines, in words. */
  readonly stray: string | null;
};

/** Reads what a file says. As in Emacs a mark of the byte order is no part of it, nor are the carriage returns of another system. */
export function readParts(name: string, written: string): SkillParts {
  const text = written.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const nodes = [...elementsOf(parseOrg(text))];
  const values = valuesIn(nodes);
  const stray = findStrayLine(nodes, text);
  return { head: headIn({ name, nodes, values, text }), code: codeIn(nodes, text), values, stray };
}

/** Keywords that have one value. */
const single = ["PRIORITY", "TRIGGER_SENSOR", "TIER", "TOOL_CALLS", "SECONDS"];

function problemOfValues(values: Values): string | null {
  const several = single.find((key) => wordsOf(values, key).length > 1);
  if (several !== undefined) return `#+${several}: has several values. Write one.`;
  const [priority = "50"] = wordsOf(values, "PRIORITY");
  if (!/^\d{1,3}$/.test(priority) || Number(priority) > 100) return "#+PRIORITY: is a number from 0 to 100.";
  const unknown = wordsOf(values, "GUARDS").find((word) => !guardable.some((kind) => kind === word));
  return unknown === undefined
    ? null
    : `#+GUARDS: '${unknown}' is no effect. Effects are ${guardable.join(", ")}.`;
}

function problemOfHead({ capabilities, trigger, job, hooks, crons }: SkillHead): string | null {
  const bad = capabilities.find((word) => !capability.test(word));
  if (bad !== undefined)
    return `#+CAPABILITIES: '${bad}' is no tool, such as read-file or fetch-url:api.example.org.`;
  const noTag = trigger?.tags?.find((word) => !tag.test(word));
  if (noTag !== undefined) return `#+TRIGGER_TAG: '${noTag}' is no tag: tags have letters, digits and _@#%.`;
  const { sensor } = trigger ?? {};
  if (sensor !== undefined && !sensors.some((known) => known === sensor))
    return `#+TRIGGER_SENSOR: '${sensor}' is no kind of signal. Kinds are ${sensors.join(", ")}.`;
  const isTimed = hooks.length + crons.length > 0;
  if (isTimed && job === undefined)
    return "#+CRON: and #+HOOK: say when a block #+begin_job is done, and it has none. Write what is to be done.";
  if (!isTimed && job !== undefined)
    return "nothing says when its block #+begin_job is done. Add #+CRON: or #+HOOK:.";
  return null;
}

/** The keywords that count in a skill. */
const keywords = [
  "TITLE",
  "DEPENDS_ON",
  "PRIORITY",
  "TRIGGER_WORDS",
  "TRIGGER_SENSOR",
  "TRIGGER_TAG",
  "CAPABILITIES",
  "TOOL_CALLS",
  "SECONDS",
  "MANDATE",
  "GUARDS",
  "HOOK",
  "CRON",
  "TIER",
];

/** A keyword that was most likely meant as one of a skill, in words: passed over, it would take a limit or a gate away without a sound. */
function misspeltIn(values: Values): string | null {
  for (const key of values.keys()) {
    if (keywords.includes(key)) continue;
    const stem = key.replace(/[YS]$/, "");
    const longer = stem.length > 5 ? keywords.find((keyword) => keyword.startsWith(stem)) : undefined;
    const near = nearestName(key, keywords) ?? longer ?? null;
    if (near !== null) return `#+${key}: is no keyword of a skill. Did you mean #+${near}:?`;
  }
  return null;
}

type HeadParts = {
  readonly name: string;
  readonly nodes: readonly OrgNode[];
  readonly values: Values;
  readonly text: string;
};

function headIn({ name, nodes, values, text }: HeadParts): SkillHead {
  const guards = wordsOf(values, "GUARDS");
  const words = wordsOf(values, "TRIGGER_WORDS", /\s*,\s*/);
  const [sensor] = wordsOf(values, "TRIGGER_SENSOR");
  const tags = wordsOf(values, "TRIGGER_TAG", /[\s,:]+/);
  const trigger = {
    ...(words.length === 0 ? {} : { words }),
    ...(sensor === undefined ? {} : { sensor }),
    ...(tags.length === 0 ? {} : { tags }),
  };
  return {
    name,
    title: values.get("TITLE")?.join(" ") ?? name,
    id: nodeIdentityOf(scanOutline(text).properties).id,
    dependsOn: wordsOf(values, "DEPENDS_ON"),
    priority: Number(wordsOf(values, "PRIORITY")[0] ?? "50"),
    capabilities: [...new Set(wordsOf(values, "CAPABILITIES"))].sort(),
    guards: guardable.filter((kind) => guards.includes(kind)),
    hooks: wordsOf(values, "HOOK"),
    crons: values.get("CRON") ?? [],
    ...jobIn(nodes, text, wordsOf(values, "TIER")[0] ?? null),
    mandates: (values.get("MANDATE") ?? []).filter((value) => value !== ""),
    trigger: Object.keys(trigger).length === 0 ? null : trigger,
    prompt: blocksIn("prompt", nodes, text),
  };
}

function limitsIn(values: Values): ReturnType<typeof readSkillLimits> {
  const said = (key: string): string | undefined => values.get(key)?.join(" ");
  return readSkillLimits({ calls: said("TOOL_CALLS"), seconds: said("SECONDS") });
}

type Values = ReadonlyMap<string, readonly string[]>;

/** The keywords of a file, in upper case, each with all its values. */
function valuesIn(nodes: readonly OrgNode[]): Values {
  const values = new Map<string, string[]>();
  for (const node of nodes) {
    if (node.type !== "keyword") continue;
    const key = node.properties.key.toUpperCase();
    values.set(key, [...(values.get(key) ?? []), node.properties.value.trim()]);
  }
  return values;
}

function wordsOf(values: Values, key: string, between = /[\s,]+/): readonly string[] {
  return (values.get(key) ?? []).flatMap((value) => value.split(between)).filter((word) => word !== "");
}

/** All elements of a tree, in the order of the text; of words for the model only their block. */
function* elementsOf(node: OrgNode): Generator<OrgNode> {
  yield node;
  if (isTextBlock(node)) return;
  for (const child of node.children) yield* elementsOf(child);
}

function jobIn(nodes: readonly OrgNode[], text: string, tier: string | null): Pick<SkillHead, "job"> {
  const words = blocksIn("job", nodes, text);
  return words === "" ? {} : { job: { tier, text: words } };
}

/** The text of all blocks of a type. */
function blocksIn(type: string, nodes: readonly OrgNode[], text: string): string {
  return nodes
    .flatMap((node) =>
      node.type === "special-block" &&
      node.properties.blockType.toLowerCase() === type &&
      node.contentsBegin >= 0
        ? [withoutCommas(text.slice(node.contentsBegin, node.contentsEnd)).trim()]
        : [],
    )
    .join("\n\n");
}

/** The text of a block without the commas that keep its lines from being Org. */
function withoutCommas(text: string): string {
  return text.replaceAll(/^([ \t]*),(?=,*(?:\*|#\+))/gm, "$1");
}

function codeIn(nodes: readonly OrgNode[], text: string): SkillCode {
  const lines: string[] = [];
  const blocks: string[] = [];
  const tests: { name: string; code: string; line: number }[] = [];
  const lineAt = lineCounter(text);
  for (const node of nodes) {
    if (node.type !== "src-block" || !/^(?:typescript|ts)$/i.test(node.properties.language ?? "")) continue;
    const { value, parameters } = node.properties;
    const before = lineAt(node.postAffiliated);
    const test = /(?:^|\s):test(?:\s+(.*))?$/.exec(parameters ?? "");
    if (test !== null) {
      const name = test[1]?.trim() || `line ${before}`;
      tests.push({ name, code: value, line: before });
      continue;
    }
    blocks.push(value);
    while (lines.length < before) lines.push("");
    pushAll(lines, value.replace(/\n$/, "").split("\n"));
  }
  return { module: lines.join("\n"), blocks, tests };
}

/** Gives the numbers of the lines of places in a text, each behind the one before. */
function lineCounter(text: string): (place: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (place) => {
    for (; next !== -1 && next < place; next = text.indexOf("\n", next + 1)) line += 1;
    return line;
  };
}
