import { findNaming } from "../../signal/intent/find-words.ts";
import { readIntent } from "../../signal/intent/read-intent.ts";

/** Whether the owner's words of this turn name a URL as a whole, where they do not forbid it and do not quote it from others. */
export function namesAddress(typed: readonly string[], url: string): boolean {
  return typed.some((text) => {
    const { words } = readIntent([text]);
    return (
      findNaming(words, url).length > 0 &&
      !words.some(({ text: word, role }) => role === "plain" && refusals.has(word))
    );
  });
}

/** Words that may forbid what stands beside them: then the address asks. */
const refusals: ReadonlySet<string> = new Set(
  "not don't dont never without no nor neither avoid nicht nie niemals kein keine keinen ohne".split(" "),
);
