/**
 * What a link is to. `target` is what follows `TYPE:`. Links within the file have the types `custom-id` (`#…`), `headline` (`*…`), `coderef`
 * and `fuzzy`; paths without a type are `file`. `search` is what follows `::` in a link to a file or an ID.
 */
export type LinkTarget = {
  readonly type: string;
  readonly target: string;
  readonly search: string | null;
};

const scheme = /^([A-Za-z][\w+.-]+):([\s\S]*)$/;
const path = /^(?:\/|~\/|\.\.?\/|[A-Za-z]:[/\\])/;
const abbreviation = /^([^:]*[^:\s])(?:::?([\s\S]*))?$/;
const citationKey = /@([-.:?!`'/*@+|(){}<>&_^$#%~\w\p{L}\p{M}\p{N}]+)/gu;

/** Reads what stands between the brackets of a link: one target, or each key of a citation as org-ref writes it (`cite:&a;&b`). */
export function readTargets(
  written: string,
  abbreviations: ReadonlyMap<string, string>,
): readonly LinkTarget[] {
  const whole = readTarget(written, abbreviations);
  if (!/^cite[a-z]*$/.test(whole.type)) return [whole];
  const keys = whole.target.split(/[,;]/).map((key) => /&([^\s]+)/.exec(key)?.[1] ?? key.trim());
  return keys.map((target) => ({ type: "cite", target, search: null }));
}

function readTarget(written: string, abbreviations: ReadonlyMap<string, string>): LinkTarget {
  const whole = expand(unescapeTarget(written.replace(/\s*\n\s*/g, " ")), abbreviations);
  if (whole.startsWith("#")) return { type: "custom-id", target: whole.slice(1), search: null };
  if (whole.startsWith("*")) return { type: "headline", target: whole.slice(1).trim(), search: null };
  if (/^\(.*\)$/.test(whole)) return { type: "coderef", target: whole.slice(1, -1), search: null };
  if (path.test(whole)) return withSearch("file", whole);
  const [, type, target] = scheme.exec(whole) ?? [];
  if (type === undefined || target === undefined) return { type: "fuzzy", target: whole, search: null };
  const name = type.toLowerCase();
  if (name === "file" || name.startsWith("file+")) return withSearch("file", target);
  return name === "id" ? withSearch("id", target) : { type: name, target, search: null };
}

/** The keys of a citation, such as `[cite:see @doe2020 p. 3; @roe2021]`. */
export function citationKeys(citation: string): readonly string[] {
  return [...citation.matchAll(citationKey)].flatMap(([, key]) => (key === undefined ? [] : [key]));
}

function withSearch(type: string, whole: string): LinkTarget {
  const at = whole.indexOf("::");
  return at === -1
    ? { type, target: whole, search: null }
    : { type, target: whole.slice(0, at), search: whole.slice(at + 2) };
}

/** Takes the backslashes away that Org writes before brackets, and halves those before them. */
function unescapeTarget(written: string): string {
  return written.replace(/(\\+)([[\]])/g, (_, slashes: string, bracket: string) => {
    return "\\".repeat(Math.floor((slashes.length - 1) / 2)) + bracket;
  });
}

/** Replaces a `#+LINK` abbreviation. What would call a function, `%(…)`, is left as it is. */
function expand(whole: string, abbreviations: ReadonlyMap<string, string>): string {
  if (abbreviations.size === 0) return whole;
  const [, name, tag = ""] = abbreviation.exec(whole) ?? [];
  const replacement = name === undefined ? undefined : abbreviations.get(name);
  if (replacement === undefined || replacement.includes("%(")) return whole;
  if (replacement.includes("%s")) return replacement.replaceAll("%s", () => tag);
  if (replacement.includes("%h"))
    return replacement.replaceAll("%h", () => encodeURIComponent(tag.toWellFormed()));
  return replacement + tag;
}
