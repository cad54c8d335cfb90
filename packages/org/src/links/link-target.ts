import { readLinkTarget } from "../syntax/link-target.ts";
import type { NodeOf } from "../syntax/node.ts";

/**
 * What a link leads to. `target` is what follows `TYPE:`. Links within the file have the types `custom-id` (`#…`), `headline` (`*…`), `coderef`
 * and `fuzzy`; paths without a type are `file`; a citation has the type `cite`. Other types are in lower case, those that a plain Emacs does not
 * know included. `search` is what follows `::` in a link to a file or an ID.
 */
export type LinkTarget = {
  readonly type: string;
  readonly target: string;
  readonly search: string | null;
};

type ParsedLink = Pick<NodeOf<"link">["properties"], "linkType" | "path" | "searchOption">;

const scheme = /^([A-Za-z][\w+.-]+):([\s\S]*)$/;

/** The targets of a parsed link: one, or each key of a citation as org-ref writes it (`cite:&a;&b`). A radio link has none. */
export function targetsOf({ linkType, path, searchOption }: ParsedLink): readonly LinkTarget[] {
  const type = linkType.toLowerCase();
  switch (type) {
    case "radio":
      return [];
    case "id":
    case "denote":
      return [splitSearch(type, path)];
    case "fuzzy":
      return fuzzyTargets(path);
    default:
      return [{ type, target: path, search: searchOption }];
  }
}

/** The targets of a link as it is written, without its brackets. */
export function readTargets(written: string): readonly LinkTarget[] {
  return targetsOf(readLinkTarget(written));
}

/** Emacs looks a type that it does not know up as a heading; here it is a type, so that a link to another program is not taken for a broken one. */
function fuzzyTargets(path: string): readonly LinkTarget[] {
  if (path.startsWith("*")) return [{ type: "headline", target: path.slice(1).trim(), search: null }];
  const [, written, target] = scheme.exec(path) ?? [];
  if (written === undefined || target === undefined) return [{ type: "fuzzy", target: path, search: null }];
  const type = written.toLowerCase();
  if (type === "denote") return [splitSearch(type, target)];
  if (!/^cite[a-z]*$/.test(type)) return [{ type, target, search: null }];
  const keys = target.split(/[,;]/).map((key) => /&([^\s]+)/.exec(key)?.[1] ?? key.trim());
  return keys.map((key) => ({ type: "cite", target: key, search: null }));
}

function splitSearch(type: string, path: string): LinkTarget {
  const at = path.indexOf("::");
  if (at === -1) return { type, target: path, search: null };
  return { type, target: path.slice(0, at), search: path.slice(at + 2) };
}
