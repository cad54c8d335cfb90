import { linksByEntry, type OrgLink } from "../links/links.ts";
import { propertyOf } from "../outline/inherit.ts";
import type { Outline } from "../outline/outline.ts";
import { showLinks } from "../text/bracket-link.ts";
import { type CheckEnvironment, type OrgProblem, quoteExcerpt } from "./check-problem.ts";

/** The link targets that a checked file may use. */
export type LinkEnvironment = {
  /** The IDs of all checked files. */
  readonly ids: ReadonlySet<string>;
  /** Names of `<<targets>>`, `#+NAME:` lines and radio targets of this file. */
  readonly names: ReadonlySet<string>;
  readonly hasFile: (target: string) => boolean;
  readonly hasId: (id: string) => boolean;
};

const remoteFile = /^\/(?:[a-z]+:|[^/]*@[^/]*:)|^\/\/|^[a-z]+:\/\//i;

/** Finds broken links. Links to other machines are not followed. */
export function checkLinks(outline: Outline, world: LinkEnvironment): readonly OrgProblem[] {
  const customIds = new Set(
    outline.headlines.flatMap(({ properties }) => propertyOf(properties, "CUSTOM_ID") ?? []),
  );
  const titles = new Set(outline.headlines.map(({ title }) => comparable(title)));
  const names = new Set([...world.names].map(comparable));
  const references = new Set([...outline.text.matchAll(/\(ref:([^()\n]*)\)/g)].map(([, name]) => name));
  const isThere = ({ type, target }: OrgLink): boolean => {
    switch (type) {
      case "id":
        return world.ids.has(target) || world.hasId(target);
      case "custom-id":
        return customIds.has(target);
      case "headline":
        return titles.has(comparable(target));
      case "fuzzy":
        return titles.has(comparable(target)) || names.has(comparable(target));
      case "coderef":
        return references.has(target) || (/[()]/.test(target) && outline.text.includes(`(ref:${target})`));
      case "file":
        return target === "" || remoteFile.test(target) || world.hasFile(target);
      default:
        return true;
    }
  };
  return [...linksByEntry(outline).values()]
    .flat()
    .filter((link) => !isThere(link))
    .map((link) => ({ at: link.begin, code: `broken-${link.type}-link`, message: inWords(link) }));
}

/** Binds the environment of a check to one file. */
export function linkEnvironment(
  path: string,
  world: CheckEnvironment,
  ids: ReadonlySet<string>,
  names: ReadonlySet<string>,
) {
  return {
    ids,
    names,
    hasFile: (target: string) => world.hasFile(path, target),
    hasId: (id: string) => world.hasId(path, id),
  };
}

/** Emacs compares titles without cookies, case and the number of blanks. */
function comparable(title: string): string {
  return showLinks(title)
    .replace(/\[\d*%\]|\[\d*\/\d*\]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function inWords({ type, target }: OrgLink): string {
  switch (type) {
    case "id":
      return `broken link: no note has the ID ${quoteExcerpt(target)}.`;
    case "custom-id":
      return `broken link: no heading of this file has the CUSTOM_ID ${quoteExcerpt(target)}.`;
    case "headline":
      return `broken link: this file has no heading ${quoteExcerpt(target)}.`;
    case "coderef":
      return `broken link: no line of code in this file is marked ${quoteExcerpt(`(ref:${target})`)}.`;
    case "file":
      return `broken link: there is no file ${quoteExcerpt(target)}.`;
    default:
      return `broken link: this file has no heading, target or name ${quoteExcerpt(target)}.`;
  }
}
