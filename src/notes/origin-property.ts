import { joinLabels, type Label } from "../signal/label.ts";

/** The property that records where a text came from. */
export const originProperty = "ORIGIN";

/**
 * The label of a text from the label above it and its `:ORIGIN:` property. The property can only lower trust, because anybody can write it.
 * A value whose first word is neither `untrusted` nor `agent` is a property of the owner's and changes nothing.
 */
export function labelFromOrigin(above: Label, origin: string | undefined): Label {
  const [integrity, ...sources] = (origin ?? "").split(/\s+/);
  if (integrity !== "untrusted" && integrity !== "agent") return above;
  return joinLabels(above, {
    integrity,
    secrecy: "public",
    sources: sources.filter((id) => id !== "").map((id) => ({ id, path: "" })),
  });
}
