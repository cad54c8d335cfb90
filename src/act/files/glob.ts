import { done, type Fallible, problem } from "./fallible.ts";
import { compileRegex } from "./linear-regex.ts";

/** Whether a path matches. The path is relative to the folder that the glob is about. */
export type MatchPath = (relative: string) => boolean;

const maxLength = 500;

/**
 * Compiles a glob: `*`, `?`, `[a-z]`, `**` for any folders, `{a,b}` for alternatives, and `!` in front for everything else. A glob without `/` matches names in every
 * folder. It becomes a linear regular expression, so that no glob is slow.
 */
export async function compileGlob(glob: string): Promise<Fallible<MatchPath>> {
  if (glob.length > maxLength)
    return problem("invalid-glob", `The glob is longer than ${maxLength} characters. Shorten it.`);
  const excludes = glob.startsWith("!");
  const wanted = (excludes ? glob.slice(1) : glob).replace(/^(?:\.\/)+/, "").replace(/\/$/, "/**");
  const anywhere = wanted.includes("/") ? "" : "(?:.*/)?";
  const source = `^${anywhere}${globSource(wanted.replace(/^\//, ""), { braces: true })}$`;
  const compiled = await compileRegex(source, { longest: 10 * maxLength });
  if (!compiled.ok) return problem("invalid-glob", `The glob '${glob}' cannot be read: ${compiled.message}.`);
  const { test } = compiled.value;
  return done(excludes ? (path) => !test(path) : test);
}

/** Any folders, all below, a part of a name, a quoted character, a set of characters, or one character. */
const tokens =
  /(?<folders>(?<=^|\/)\*\*+\/)|(?<below>(?<=^|\/)\*\*+$)|(?<part>\*+)|\\(?<quoted>.)|\[(?<not>[!^]?)(?<set>\]?(?:[^\]\\]|\\.)+)\]|(?<one>.)/gsu;
const inBraces = new Map([
  ["{", "(?:"],
  [",", "|"],
  ["}", ")"],
]);

/** A glob as the source of a regular expression without anchors. Without `braces`, as in `.gitignore`, they stand for themselves. */
export function globSource(glob: string, { braces }: { readonly braces: boolean }): string {
  const hasBraces = braces && isBalanced(glob);
  let source = "";
  let depth = 0;
  for (const { groups: { folders, below, part, quoted, not, set, one = "" } = {} } of glob.matchAll(tokens)) {
    if (folders !== undefined) source += "(?:.*/)?";
    else if (below !== undefined) source += ".*";
    else if (part !== undefined) source += "[^/]*";
    else if (quoted !== undefined) source += literal(quoted);
    else if (set !== undefined)
      source += `[${not === "" ? "" : "^/"}${set.replaceAll(/\\?([[\]^&~])/g, "\\$1")}]`;
    else if (one === "?") source += "[^/]";
    else if (!hasBraces || !inBraces.has(one) || (one === "," && depth === 0)) source += literal(one);
    else {
      depth += one === "{" ? 1 : one === "}" ? -1 : 0;
      source += inBraces.get(one) ?? "";
    }
  }
  return source;
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
}

function isBalanced(glob: string): boolean {
  let depth = 0;
  for (const character of glob) {
    depth += character === "{" ? 1 : character === "}" ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth === 0;
}
