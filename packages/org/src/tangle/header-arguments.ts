/** The header arguments of a block, by their names with the colon. Null: one that stands without a value. */
export type HeaderArguments = ReadonlyMap<string, string | null>;

/** Reads header arguments such as `:tangle a.ts :noweb yes`, as Emacs splits them: quotes and balanced brackets hold together. Nothing is evaluated. */
export function parseHeaderArguments(text: string): HeaderArguments {
  const found = new Map<string, string | null>();
  for (const [index, piece] of splitBalanced(text).entries()) {
    const [, key = "", value = null] =
      /^\s*(\S+)(?:\s+(\S[^\n]*))?/.exec(index === 0 ? piece : `:${piece}`) ?? [];
    if (key !== "") found.set(key, value === null ? null : readValue(value.trimEnd()));
  }
  return found;
}

/** Arguments one after the other; of the same name the last counts. */
export function mergeArguments(all: readonly HeaderArguments[]): HeaderArguments {
  return new Map(all.flatMap((one) => [...one]));
}

function readValue(value: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(value) ?? [];
  if (quoted === undefined) return value;
  return quoted.replaceAll(/\\([\s\S])/g, (_, sign: string) =>
    sign === "n" ? "\n" : sign === "t" ? "\t" : sign,
  );
}

const closing: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
]);

/** The pieces between colons that a blank stands before. */
function splitBalanced(text: string): readonly string[] {
  const pieces: string[] = [];
  let begin = 0;
  for (let at = 0; at < text.length; ) {
    const sign = text.charAt(at);
    if (sign === ":" && /[ \t]/.test(text.charAt(at - 1))) {
      pieces.push(text.slice(begin, at - 1));
      begin = at + 1;
    }
    at = endOfUnit(text, at);
  }
  return [...pieces, text.slice(begin)];
}

/** Behind the quoted text or the brackets that begin at a place, or behind one character. */
function endOfUnit(text: string, at: number): number {
  const sign = text.charAt(at);
  if (sign === '"' && text.charAt(at - 1) !== "\\") {
    for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1))
      if (text.charAt(end - 1) !== "\\") return end + 1;
    return text.length;
  }
  if (!closing.has(sign)) return at + 1;
  const open = [sign];
  for (let end = at + 1; end < text.length; end += 1) {
    const next = text.charAt(end);
    if (closing.has(next)) open.push(next);
    else if (next === closing.get(open.at(-1) ?? "")) open.pop();
    if (open.length === 0) return end + 1;
  }
  return text.length;
}
