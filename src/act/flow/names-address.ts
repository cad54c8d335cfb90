import { findNaming } from "../../signal/intent/find-words.ts";
import { readIntent } from "../../signal/intent/read-intent.ts";

/** Whether the owner's words of this turn name a URL as a whole, where they do not forbid it and do not quote it from others. */
export function namesAddress(typed: readonly string[], url: string): boolean {
  return typed.some((text) => {
    return findNaming(readIntent([text]).words, url).length > 0 && !forbidsSomething([text]);
  });
}

/** Whether the owner's words may forbid something: then what they name is not asked for. */
export function forbidsSomething(typed: readonly string[]): boolean {
  return readIntent(typed).words.some(({ text, role }) => role === "plain" && refusals.has(text));
}

/** Words that may forbid what stands beside them: then the address asks. */
const refusals: ReadonlySet<string> = new Set(
  "not don't dont never without no nor neither avoid nicht nie niemals kein keine keinen ohne".split(" "),
);
