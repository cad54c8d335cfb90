import { propertyOf } from "../outline/inherit.ts";
import type { PropertyDrawer } from "../outline/outline.ts";
import { readTargets } from "./link-target.ts";

/** What a node answers to, by the conventions of Org's IDs and of Org-roam. */
export type NodeIdentity = {
  readonly id: string | null;
  readonly customId: string | null;
  /** `ROAM_ALIASES`: other names of the node. */
  readonly aliases: readonly string[];
  /** `ROAM_REFS`: what the node is about, such as a page (`https`, `//example.org`) or a citation key (`cite`, `doe2020`). */
  readonly refs: readonly { readonly type: string; readonly target: string }[];
  /** `ROAM_EXCLUDE`: it is no node of the graph. */
  readonly excluded: boolean;
};

const citationKey = /@([-.:?!`'/*@+|(){}<>&_^$#%~\w\p{L}\p{M}\p{N}]+)/gu;

/** The identity that a property drawer gives. */
export function nodeIdentityOf(drawer: PropertyDrawer | null): NodeIdentity {
  return {
    id: propertyOf(drawer, "ID"),
    customId: propertyOf(drawer, "CUSTOM_ID"),
    aliases: splitQuoted(propertyOf(drawer, "ROAM_ALIASES") ?? ""),
    refs: splitQuoted(propertyOf(drawer, "ROAM_REFS") ?? "").flatMap(readRef),
    excluded: (propertyOf(drawer, "ROAM_EXCLUDE") ?? "") !== "",
  };
}

/**
 * Words with blanks between them; a word in double quotes may hold blanks, and `\"` and `\\` stand for themselves. An open quote reaches to the end.
 * @internal
 */
export function splitQuoted(value: string): readonly string[] {
  return [...value.matchAll(/"((?:[^"\\]|\\[\s\S])*)(?:"|$)|[^\s"]+/g)].map(([word, quoted]) =>
    quoted === undefined ? word : quoted.replace(/\\([\s\S])/g, "$1"),
  );
}

function readRef(written: string): NodeIdentity["refs"] {
  if (written.startsWith("@") || written.startsWith("[cite")) {
    return Array.from(written.matchAll(citationKey), ([, target = ""]) => ({ type: "cite", target }));
  }
  const bare = written.replace(/^\[\[(.*?)\](?:\[.*\])?\]$/, "$1");
  return readTargets(bare).map(({ type, target }) => ({ type, target }));
}
