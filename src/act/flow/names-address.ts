import { findNaming } from "../../text/words/find-words.ts";
import { refusesElsewhere } from "../../text/words/foreign-words.ts";
import { refusingSigns } from "../../text/words/order-words.ts";
import { readIntent } from "../../text/words/read-intent.ts";
import { wantsMention } from "./wants-mention.ts";

/**
 * Whether the owner's words of this turn name a URL as a whole and want what is there: they neither forbid
 * it, nor quote it from others, nor say of it what is not understood.
 */
export function namesAddress(typed: readonly string[], url: string): boolean {
  return typed.some((text) => {
    if (forbidsSomething([text])) return false;
    const intent = readIntent([text]);
    return findNaming(intent.words, url).some((word) => wantsMention(intent, word));
  });
}

/** Whether the owner's words may forbid something: then what they name is not asked for. */
export function forbidsSomething(typed: readonly string[]): boolean {
  const { words, signs } = readIntent(typed);
  return (
    words.some(({ text, role }) => role === "plain" && (refusals.has(text) || refusesElsewhere(text))) ||
    signs.some((sign) => refusingSigns.has(sign) && /\p{So}/u.test(sign))
  );
}

/** Words that may forbid what stands beside them: then the address asks. */
const refusals: ReadonlySet<string> = new Set(
  "not don't dont never without no nor neither avoid nicht nie niemals kein keine keinen ohne".split(" "),
);
