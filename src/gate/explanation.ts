import type { Effect } from "../signal/effect.ts";
import type { Facts } from "../signal/facts.ts";
import type { Gate } from "./judge.ts";

/** Blocks a proposal whose explanation is not made of words or has at most 10 characters. A reply to the person of the turn, a model call and a command of the owner need none. */
export const explanation: Gate = {
  name: "explanation",
  priority: 700,
  revision: 1,
  answer(effect, facts) {
    if (!isNeeded(effect, facts)) return { result: "not-concerned" };
    const problem = explanationProblem(facts.action.explanation);
    return problem === null
      ? { result: "passed", reason: "the action says why" }
      : {
          result: "block",
          code: "unexplained",
          reason: `the explanation ${problem}: say in a sentence what this is for`,
        };
  },
};

function isNeeded(effect: Effect, { action, origin }: Facts): boolean {
  if (action.kind === "model-call") return effect.kind !== "call-model";
  if (action.kind === "command" && origin.person === "owner") return false;
  if (action.kind === "proposal" || effect.kind !== "tell-person") return true;
  return effect.person !== "owner" && !(effect.person === origin.person && effect.ownSession);
}

function explanationProblem(text: string): string | null {
  const plain = text.slice(0, 2000).replaceAll(invisible, "").replaceAll(blanks, " ").trim().toLowerCase();
  if ([...plain].length <= 10) return "has no more than 10 characters";
  const letters = new Set(plain.match(lettersAndDigits) ?? []);
  if (letters.size < 4) return "has no words";
  const words = plain.split(" ");
  return words.length > 1 && new Set(words).size === 1 ? "repeats one word" : null;
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu;
const blanks = /[\s\p{C}]+/gu;
const lettersAndDigits = /[\p{L}\p{N}]/gu;
