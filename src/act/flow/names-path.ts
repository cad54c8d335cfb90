import { normalize } from "node:path/posix";
import { readIntent } from "../../text/words/read-intent.ts";
import { forbidsSomething } from "./names-address.ts";
import { wantsMention } from "./wants-mention.ts";

/**
 * Whether the owner's words of this turn name a file by its whole path, where they want what is in it and
 * forbid nothing. A path that leads there through a link is another one.
 */
export function namesPath(typed: readonly string[], path: string, home: string): boolean {
  return typed.some((text) => {
    if (!/[/~]/.test(text) || forbidsSomething([text])) return false;
    const intent = readIntent([text]);
    return intent.words.some((word) => {
      const { identifier, role, opens, closes } = word;
      // In quotes it is named alone: a longer quotation may be words for others.
      const isNamed = role === "plain" || (role === "name" && opens && closes);
      if (!isNamed || identifier?.form !== "path") return false;
      const { value } = identifier;
      const named = normalize(value.startsWith("~/") ? `${home}/${value.slice(2)}` : value);
      return named === path && wantsMention(intent, word);
    });
  });
}
