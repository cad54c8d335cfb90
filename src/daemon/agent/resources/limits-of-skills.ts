import { readAllowedTools } from "../../../act/allowed-tools.ts";
import type { Label } from "../../../signal/label.ts";
import type { Message } from "../../../signal/message.ts";
import type { FolderSkill, SkillNarrowing } from "../../../signal/skill.ts";
import type { Turn } from "../../../signal/turn.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../../text/json.ts";

/** A skill whose instructions may stand in a prompt. */
type ShownSkill = { readonly name: string; readonly skill: FolderSkill; readonly label: Label };

/** Turns of which it is known which skills took part; the oldest go first. */
const mostTurns = 64;

/**
 * The skills that took part in the latest turns. One that is disabled meanwhile stays in the prompt of its
 * turn.
 */
export class ShownSkills {
  readonly #byTurn = new Map<string, Map<string, ShownSkill>>();

  add(turn: string, skills: readonly ShownSkill[]): void {
    const known = this.#byTurn.get(turn) ?? new Map<string, ShownSkill>();
    for (const skill of skills) known.set(skill.name, skill);
    this.#byTurn.set(turn, known);
    for (const [oldest] of this.#byTurn) if (this.#byTurn.size > mostTurns) this.#byTurn.delete(oldest);
  }

  in(turn: string): readonly ShownSkill[] {
    return [...(this.#byTurn.get(turn)?.values() ?? [])];
  }
}

type Shown = {
  readonly turn: Turn;
  readonly past: readonly Message[];
  readonly inForce: readonly ShownSkill[];
  /** The skills that took part by name since the turn began. */
  readonly shown: readonly ShownSkill[];
};

/**
 * What the skills allow whose instructions stand in a prompt: those that the words of the turn name, those
 * that `use-skill` gave in the turn or before it, and of the owner's own also those that words before it
 * name, since what they say stays there. One in force narrows as it is now, any other as it was shown.
 */
export function narrowingsOf({ turn, past, inForce, shown }: Shown): readonly SkillNarrowing[] {
  const limits = new Map<string, readonly string[] | null>();
  for (const [name, told] of usedIn([...past, ...turn.messages])) limits.set(name, told);
  for (const { name, skill } of shown) limits.set(name, skill.allowedTools);
  const said = past.flatMap((one) => (one.role === "user" && one.told !== true ? [one.text] : []));
  for (const { name, skill, label } of inForce)
    if (limits.has(name) || (label.integrity === "user" && said.some((text) => names(text, name))))
      limits.set(name, skill.allowedTools);
  return [...limits].flatMap(([skill, allowed]) =>
    allowed === null ? [] : [{ skill, tools: readAllowedTools(allowed) }],
  );
}

/**
 * Whether the words of a turn name a skill, so that it takes part: as a command, with the word skill beside
 * it, or by a name of several words.
 */
export function isNamed({ signal }: Turn, name: string): boolean {
  return signal.payload["expanded"] === name || names(signal.text, name);
}

function names(text: string, name: string): boolean {
  const bare = `(?<![\\p{L}\\p{N}_./-])[$]?${RegExp.escape(name)}(?![\\p{L}\\p{N}_/-])`;
  const pattern = /[-_.]/.test(name) ? bare : `skill ["'\`]?${bare}|${bare}["'\`]? skill`;
  return new RegExp(`${pattern}|^/${RegExp.escape(name)}(?:\\s|$)`, "iu").test(text);
}

/**
 * The skills of which `use-skill` gave something, and the tools to which they were said to be limited; null
 * where to none.
 */
export function usedIn(messages: readonly Message[]): ReadonlyMap<string, readonly string[] | null> {
  const asked = new Map<string, Json | undefined>();
  const used = new Map<string, readonly string[] | null>();
  for (const message of messages) {
    if (message.role === "assistant")
      for (const { id, action } of message.calls) asked.set(id, argumentsOf(action.payload)["name"]);
    if (message.role !== "result" || message.result.tool !== "use-skill") continue;
    const { outcome } = message.result;
    const name = asked.get(message.callId);
    if (outcome.status !== "success" || typeof name !== "string") continue;
    const told = isJsonObject(outcome.content) ? outcome.content["only these tools"] : undefined;
    const limit = isJsonArray(told) ? told.filter((one) => typeof one === "string") : null;
    used.set(name, limit ?? used.get(name) ?? null);
  }
  return used;
}

function argumentsOf({ args = null }: JsonObject): JsonObject {
  return isJsonObject(args) ? args : {};
}
