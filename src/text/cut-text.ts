/** Characters beside a cut that are looked at: no emoji or letter with its marks is longer. */
const reach = 64;

/**
 * The beginning of a text, at most `most` UTF-16 units long. It ends before an emoji, or a letter with
 * marks, that does not fit whole.
 */
export function beginOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = Math.max(0, most - reach);
  const near = text.slice(from, most + reach);
  const cut = new Intl.Segmenter().segment(near).containing(most - from)?.index ?? 0;
  if (cut > 0) return text.slice(0, from + cut);
  // One character that is longer than all the room: then no code point is split at least.
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/** A text of at most `most` UTF-16 units, and behind it a mark where it was cut. */
export function shorten(text: string, most: number, mark = "…"): string {
  return text.length <= most ? text : `${beginOf(text, most)}${mark}`;
}
