import type { SkillDeclaration, SkillHead } from "../../signal/skill.ts";
import type { SkillCode } from "../read-skill-file.ts";

/** A draft that loads, as it is judged before anybody sees it. */
export type Draft = {
  readonly head: SkillHead;
  readonly declared: SkillDeclaration;
  readonly code: SkillCode;
};

/** Names that belong to others: of tools, of slash commands, and of the skills that one may depend on. */
export type KnownNames = {
  readonly tools: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
  readonly skills: ReadonlySet<string>;
  /** The tools that a skill may call. */
  readonly callable: ReadonlySet<string>;
};

const highestPriority = 50;
const mostWords = 30;
/** Capabilities that reach further than the owner can oversee without a limit. */
const limited: ReadonlyMap<string, string> = new Map([
  ["shell", "shell:git"],
  ["fetch-url", "fetch-url:api.example.org"],
]);
/** Words that stand in nearly every message. */
const everyday: ReadonlySet<string> = new Set(
  "the and you for that this with what have are not can please der die das und ist nicht ich ein eine bitte".split(
    " ",
  ),
);

/**
 * Why a draft is refused, in a sentence for the model; null where it is not. A model gives itself no standing instruction, no place in every turn, no name of
 * another, no power without a limit or a use, and nothing that no test tries. What it may do beyond that is the owner's to see.
 */
export function findDraftProblem(draft: Draft, known: KnownNames): string | null {
  return (
    problemOfHead(draft, known) ??
    problemOfNames(draft, known) ??
    problemOfTrigger(draft) ??
    problemOfCapabilities(draft, known) ??
    problemOfTests(draft)
  );
}

function problemOfHead({ head, declared }: Draft, { skills }: KnownNames): string | null {
  if (head.mandates.length > 0 || declared.mandates === true)
    return "A draft may have no #+MANDATE: and export no mandate. A standing instruction for every turn is the owner's to write.";
  if (declared.recovers === true)
    return "A draft may not export recover. What is said where no model answers is the owner's to write.";
  if (head.priority > highestPriority) return `#+PRIORITY: of a draft is at most ${highestPriority}.`;
  const missing = head.dependsOn.find((name) => !skills.has(name));
  return missing === undefined ? null : `#+DEPENDS_ON: there is no skill ${missing}.`;
}

function problemOfNames({ declared }: Draft, { tools, commands }: KnownNames): string | null {
  const tool = declared.tools.find(({ name }) => tools.has(name));
  if (tool !== undefined) return `The tool ${tool.name} exists already. Give it another name.`;
  const command = declared.commands.find(({ name }) => commands.has(name));
  return command === undefined ? null : `The command /${command.name} exists already. Give it another name.`;
}

function problemOfTrigger({ head, declared }: Draft): string | null {
  const { words = [], tags = [] } = head.trigger ?? {};
  const takesPart = head.prompt !== "" || declared.prompts || declared.triggers || declared.tools.length > 0;
  if (words.length + tags.length === 0)
    return takesPart || head.trigger !== null
      ? "A draft takes part by words, or by tags of notes: name them in #+TRIGGER_WORDS: or #+TRIGGER_TAG:."
      : null;
  if (words.length > mostWords)
    return `#+TRIGGER_WORDS: has more than ${mostWords} words. Name the few that matter.`;
  const wide = words.find(
    (word) => everyday.has(word.toLowerCase()) || /^[\p{P}\p{S}\s]*[a-z]?[a-z]?$/iu.test(word),
  );
  return wide === undefined
    ? null
    : `#+TRIGGER_WORDS: '${wide}' stands in nearly every message. Name words of the matter alone.`;
}

function problemOfCapabilities({ head, declared, code }: Draft, { callable }: KnownNames): string | null {
  for (const capability of head.capabilities) {
    const [tool = "", limit] = capability.split(/:(.*)/s);
    const example = limited.get(tool);
    if (!callable.has(tool)) return `#+CAPABILITIES: there is no tool ${tool}.`;
    if (example !== undefined && limit === undefined)
      return `#+CAPABILITIES: ${tool} needs a limit, such as ${example}.`;
    const isUsed =
      declared.tools.some(({ calls, steps }) => calls || steps === true) && quoted(tool).test(code.module);
    if (!isUsed) return `#+CAPABILITIES: no tool of the skill calls ${tool}. Name only what is called.`;
  }
  return null;
}

/** Everything that code does is tried before the owner is asked. */
function problemOfTests({ declared, code }: Draft): string | null {
  if (code.module.trim() === "") return null;
  const tests = code.tests.map((test) => test.code).join("\n");
  const untried = [...declared.tools, ...declared.gates].find(
    ({ name }) => !new RegExp(`\\.${name}(?![\\w-])|${quoted(name).source}`).test(tests),
  );
  if (untried !== undefined) return `No block :test tries ${untried.name}. Test it with at least one call.`;
  return code.tests.length === 0 ? "It has code and no block :test. Add one." : null;
}

/** A name in quotes. Names have small letters, digits and hyphens. */
function quoted(name: string): RegExp {
  return new RegExp(`["'\`]${name}["'\`]`);
}
