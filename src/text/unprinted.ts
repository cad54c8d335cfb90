const esc = "\u001b";
const begin = String.raw`(?:${esc}|\\u001b|\\x1b|\\033|\\e)`;
/** Colours and moves, and links, which name an address. */
const terminalCode = String.raw`(?:${begin}\[|\u009b)[0-?]*[ -/]*[@-~]|${begin}\][^\u0007${esc}]{0,2000}(?:\u0007|${esc}\\)`;
/** Every other byte of ASCII in UTF-16, but no NUL between the names of a list. */
const wideNul = String.raw`\0(?![^\0]{2})|(?<![^\0]{2})\0|\\u0000|\\x00`;
/** What stands between the letters of a text without being seen, also as it is escaped. */
const unprinted = new RegExp(`${wideNul}|${terminalCode}`, "gi");

/**
 * A text as it is seen. `places` has for each of its code units, and for its end, the place in the whole
 * text.
 */
export type PrintedText = { readonly text: string; readonly places: Uint32Array };

/** A text without what is not seen. */
export function withoutUnprinted(text: string): string {
  return text.replace(unprinted, "");
}

/** A text without what is not seen, with the places of what is; null where all of it is seen. */
export function readPrinted(text: string): PrintedText | null {
  if (text.search(unprinted) === -1) return null;
  const places = new Uint32Array(text.length + 1);
  let [printed, count, from] = ["", 0, 0];
  const take = (to: number): void => {
    printed += text.slice(from, to);
    for (let at = from; at < to; at += 1) places[count++] = at;
  };
  for (const { index, 0: code } of text.matchAll(unprinted)) {
    take(index);
    from = index + code.length;
  }
  take(text.length);
  places[count] = text.length;
  return { text: printed, places };
}
