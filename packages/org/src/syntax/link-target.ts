/** What a link leads to, as Org reads the text of it. */
export type ParsedLinkTarget = {
  readonly linkType: string;
  readonly path: string;
  readonly searchOption: string | null;
  readonly application: string | null;
};

/** The types of links that a plain Emacs knows. */
export const linkTypes: ReadonlySet<string> = new Set(
  (
    "attachment bbdb bibtex docview doi elisp eww file file+emacs file+sys ftp gnus help http https id info irc mailto mhe " +
    "news rmail shell shortdoc w3m"
  ).split(" "),
);

const typed = /^([a-z0-9+]+):/i;

/** Reads the text of a link in brackets. */
export function readLinkTarget(raw: string): ParsedLinkTarget {
  if (/^(?:\/|~|\.\.?\/)/.test(raw)) return refine("file", raw);
  const type = typed.exec(raw)?.[1];
  if (type !== undefined && linkTypes.has(type.toLowerCase()))
    return refine(type, raw.slice(type.length + 1));
  if (raw.startsWith("(") && raw.endsWith(")")) return refine("coderef", raw.slice(1, -1));
  if (raw.startsWith("#")) return refine("custom-id", raw.slice(1));
  return refine("fuzzy", raw);
}

/** A link's target with what a link to a file says besides its path. */
export function refine(linkType: string, path: string): ParsedLinkTarget {
  const file = /^file(?:\+([^\n]+))?$/i.exec(linkType);
  if (file === null) return { linkType, path, searchOption: null, application: null };
  const search = /::([^\n]*)$/.exec(path);
  const plain = search === null ? path : path.slice(0, search.index);
  return {
    linkType: "file",
    path: plain.replace(/^\/\/\/*([^\n]:)?\//, "$1/"),
    searchOption: search?.[1] ?? null,
    application: file[1] ?? null,
  };
}

/** The text of a link with its abbreviation written out, as `#+LINK` lines say. Functions in them are not called. */
export function expandAbbreviation(raw: string, links: ReadonlyMap<string, string>): string {
  if (links.size === 0) return raw;
  const [, name = "", , tag = ""] = /^([^:]*)(::?([^\n]*))?$/.exec(raw) ?? [];
  const written = links.get(name);
  if (written === undefined || callsFunction(written)) return raw;
  if (written.includes("%s")) return written.replace("%s", () => tag);
  if (written.includes("%h")) return written.replace("%h", () => hexified(tag));
  return written + tag;
}

function callsFunction(written: string): boolean {
  const at = written.search(/%\([^)]/);
  return at !== -1 && written.includes(")", at);
}

function hexified(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
