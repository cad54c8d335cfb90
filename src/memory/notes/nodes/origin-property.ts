import { joinLabels, type Label } from "../../../signal/label.ts";

/** The property beside a text that says where it came from. */
export const originProperty = "ORIGIN";

/**
 * The label of a text with this value of `:ORIGIN:` below what has the label given. The property only ever takes trust away: anybody can write it.
 * A value whose first word is neither `untrusted` nor `agent` is the person's own property.
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
