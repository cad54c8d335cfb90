/** Shows what grew from a source. */
export type ShowDerived = { readonly kind: "derived"; readonly source: string };

/**
 * Takes back all that grew from a source: for good, or so that `/undo` brings it back. `seen` is the digest of what was shown; where it is another by now, nothing
 * is done.
 */
export type ForgetDerived = {
  readonly kind: "forget-derived";
  readonly source: string;
  readonly undoable: boolean;
  readonly seen: string | null;
};

/** What `/forget` means with these words after it; null where an option stands there that it does not have. */
export function forgetting(
  rest: string,
): { readonly kind: "forget"; readonly id: string } | ShowDerived | ForgetDerived | null {
  const [, option, source = "", mode = ""] = /^(--\S+)\s+(\S.*?)(?:\s+--(\S+))?$/.exec(rest) ?? [];
  if (option === undefined) return rest.startsWith("--") ? null : { kind: "forget", id: rest };
  if (option !== "--derived-from") return null;
  if (mode === "") return { kind: "derived", source };
  if (mode !== "undoable" && mode !== "for-good") return null;
  return { kind: "forget-derived", source, undoable: mode === "undoable", seen: null };
}
