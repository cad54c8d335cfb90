/** A part of a pattern between two slashes, ready to match names. */
export type GlobSegment = {
  readonly isLiteral: boolean;
  readonly text: string;
  readonly matches: (name: string) => boolean;
};

type Token =
  | { readonly kind: "any-text" }
  | { readonly kind: "one"; readonly holds: (character: string) => boolean };

/** Reads one segment of a glob as bash does (Bash manual, 3.5.8.1, without `extglob`). Null for a set that depends on the locale. */
export function readGlobSegment(segment: string): GlobSegment | null {
  const tokens: Token[] = [];
  let text = "";
  let isLiteral = true;
  for (let at = 0; at < segment.length; ) {
    const character = String.fromCodePoint(segment.codePointAt(at) ?? 0);
    const set = character === "[" ? readSet(segment, at) : undefined;
    if (set === null) return null;
    if (set !== undefined) {
      tokens.push({ kind: "one", holds: set.holds });
      at = set.end;
      isLiteral = false;
    } else if (character === "*" || character === "?") {
      tokens.push(character === "*" ? { kind: "any-text" } : { kind: "one", holds: () => true });
      at += 1;
      isLiteral = false;
    } else {
      const escaped = character === "\\" && at + 1 < segment.length;
      const meant = escaped ? String.fromCodePoint(segment.codePointAt(at + 1) ?? 0) : character;
      tokens.push({ kind: "one", holds: (other) => other === meant });
      text += meant;
      at += meant.length + (escaped ? 1 : 0);
    }
  }
  const dotted = /^\\?\./.test(segment);
  return {
    isLiteral,
    text,
    matches: (name) => (dotted || !name.startsWith(".")) && matchTokens(tokens, [...name]),
  };
}

type CharacterSet = { readonly holds: (character: string) => boolean; readonly end: number };

/** Reads `[…]`. Undefined where the bracket is not closed, and so stands for itself. */
function readSet(segment: string, start: number): CharacterSet | null | undefined {
  const [, negation = "", members = ""] =
    /^\[([!^]?)((?:\]|\\.|\[:[a-z]+:\]|[^\]\\])(?:\\.|\[:[a-z]+:\]|[^\]\\])*)\]/su.exec(
      segment.slice(start),
    ) ?? [];
  if (members === "") return undefined;
  if (/\[[.=]/.test(members)) return null;
  const holders = [...members.matchAll(/\[:([a-z]+):\]|(\\?)(.)(?:-(\\?)(.))?/gsu)].map(
    ([, name, , from = "", , to]) => {
      if (name !== undefined) return classes.get(name) ?? null;
      return (character: string) =>
        to === undefined ? character === from : character >= from && character <= to;
    },
  );
  if (holders.includes(null)) return null;
  const holds = (character: string): boolean =>
    holders.some((holder) => holder?.(character) === true) !== (negation !== "");
  return { holds, end: start + members.length + negation.length + 2 };
}

const classes = new Map<string, (character: string) => boolean>(
  [
    ["alnum", /[\p{L}\p{N}]/u],
    ["alpha", /\p{L}/u],
    ["digit", /[0-9]/],
    ["lower", /\p{Ll}/u],
    ["upper", /\p{Lu}/u],
    ["space", /\s/],
    ["blank", /[ \t]/],
    ["punct", /[!-/:-@[-`{-~]/],
    ["xdigit", /[0-9A-Fa-f]/],
  ].map(([name, form]) => [String(name), (character) => new RegExp(form ?? "").test(character)]),
);

/** Matches in time that grows with the product of both lengths: goes back to the last `*` only. */
function matchTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let star = -1;
  let from = 0;
  while (at < name.length) {
    const wanted = tokens[token];
    if (wanted?.kind === "one" && wanted.holds(name[at] ?? "")) {
      token += 1;
      at += 1;
    } else if (wanted?.kind === "any-text") {
      star = token;
      from = at;
      token += 1;
    } else if (star >= 0) {
      from += 1;
      at = from;
      token = star + 1;
    } else return false;
  }
  return tokens.slice(token).every(({ kind }) => kind === "any-text");
}
