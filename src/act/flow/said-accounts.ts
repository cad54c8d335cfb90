import type { Word } from "../../text/words/tokens.ts";

/** The accounts that words say, however they are written: "DE12-5001-…", "de12 5001 …". */
export function accountsIn(words: readonly Word[]): readonly string[] {
  return words.flatMap((word, at) => {
    if (word.role === "content") return [];
    if (word.identifier?.form === "account") return [word.identifier.value];
    const next = words
      .slice(at + 1)
      .findIndex(({ after, text }) => after !== "nothing" || !groupPattern.test(text));
    const group = next === -1 ? words.slice(at) : words.slice(at, at + 1 + next);
    const whole = accountValue(group.map(({ text }) => text).join(""));
    const own = accountPattern.test(accountValue(word.text)) ? accountValue(word.text) : whole;
    return accountPattern.test(own) ? [own] : [];
  });
}

/** An account in capitals, without what stands between its groups. */
export function accountValue(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase();
}

/** The shortest account of any country has 15 characters. */
const accountPattern = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const groupPattern = /^[a-z0-9.-]*\d[a-z0-9.-]*$/i;
