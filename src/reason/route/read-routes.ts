import type { ChosenModel } from "../../signal/chosen-model.ts";

/**
 * What a rule asks of a turn. `person`: somebody speaks. `event`: nobody does, and no job of the owner's
 * either. A sub-task is what the turn at its beginning is. Tokens are those of what was said and attached.
 */
export type RouteCondition =
  | { readonly kind: "always" | "private" | "hard" | "easy" | "person" | "event" | "cognition" | "sub-task" }
  /** The job of a name; null for any. */
  | { readonly kind: "job"; readonly name: string | null }
  | { readonly kind: "over" | "under"; readonly tokens: number };

/** A rule: where all its conditions hold, these models are asked first, or alone, or these providers not at all. */
export type RouteRule = {
  /** The rule as the owner wrote it. */
  readonly text: string;
  readonly when: readonly { readonly holds: boolean; readonly condition: RouteCondition }[];
  readonly does: "first" | "only" | "skip";
  readonly models: readonly ChosenModel[];
};

/** The rules of a text, or what is wrong with it. */
export type ReadRoutes =
  | { readonly ok: true; readonly rules: readonly RouteRule[] }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads rules such as `private: only ollama; hard and over 2000 tokens: anthropic/claude-opus-5-5, openai; job standup: groq; easy: skip anthropic`.
 * What cannot be read makes the whole text unreadable, so that no rule is left out in silence.
 */
export function readRoutes(text: string): ReadRoutes {
  const rules: RouteRule[] = [];
  for (const part of text.split(";")) {
    const rule = part.replaceAll(/\s+/g, " ").trim();
    if (rule === "") continue;
    const read = readRule(rule);
    if (typeof read === "string") return { ok: false, problem: `has a rule "${rule}" ${read}` };
    rules.push(read);
  }
  return { ok: true, rules };
}

function readRule(text: string): RouteRule | string {
  const colon = text.indexOf(":");
  if (colon < 0) return "without a colon: write CONDITION: MODEL";
  const when: RouteRule["when"][number][] = [];
  for (const words of text.slice(0, colon).trim().split(/ and /i)) {
    const [, not, rest = ""] = /^(not )?(.*)$/i.exec(words.trim()) ?? [];
    const condition = readCondition(rest.trim());
    if (condition === null)
      return `whose condition "${words.trim()}" is none of private, hard, easy, person, event, cognition, sub-task, job [NAME], over N tokens, under N tokens, always`;
    when.push({ holds: not === undefined, condition });
  }
  const [, does, names = ""] = /^(only |skip )?(.*)$/i.exec(text.slice(colon + 1).trim()) ?? [];
  const models = names.split(",").map((name) => readModel(name.trim()));
  const known = models.filter((model) => model !== null);
  if (known.length < models.length) return "with a model that is neither PROVIDER nor PROVIDER/MODEL";
  const word = does?.trim().toLowerCase();
  if (word === "skip" && known.some(({ model }) => model !== null))
    return "that skips a model: name its provider alone";
  return { text, when, does: word === "only" || word === "skip" ? word : "first", models: known };
}

const plainConditions = [
  "always",
  "private",
  "hard",
  "easy",
  "person",
  "event",
  "cognition",
  "sub-task",
] as const;

function readCondition(words: string): RouteCondition | null {
  const kind = plainConditions.find((word) => word === words.toLowerCase());
  if (kind !== undefined) return { kind };
  const [, name = null] = /^job(?: ([\w.-]{1,80}))?$/i.exec(words) ?? [null, undefined];
  if (/^job\b/i.test(words) && (name !== null || /^job$/i.test(words))) return { kind: "job", name };
  const [, side, tokens] = /^(over|under) (\d{1,9})(?: tokens?)?$/i.exec(words) ?? [];
  if (side === undefined) return null;
  return { kind: side.toLowerCase() === "over" ? "over" : "under", tokens: Number(tokens) };
}

/** Reads `PROVIDER` or `PROVIDER/MODEL`; null for anything else. */
export function readModel(name: string): ChosenModel | null {
  const [, provider, model] = /^([\w-]+)(?:\/([\w./:@+-]{1,100}))?$/.exec(name) ?? [];
  return provider === undefined || /^(?:only|skip)$/i.test(provider)
    ? null
    : { provider: provider.toLowerCase(), model: model ?? null };
}
