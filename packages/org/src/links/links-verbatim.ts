/** Gives the end of the verbatim text or code that opens at a place, for places that only grow; the place itself where nothing closes it. */
export function verbatimEnds(text: string): (at: number) => number {
  const ends = new Map([
    ["=", nextPlace(text, /(?<=\S)=(?![^\s\-.,:!?;'")}[\\])/g)],
    ["~", nextPlace(text, /(?<=\S)~(?![^\s\-.,:!?;'")}[\\])/g)],
  ]);
  const paragraphEnd = nextPlace(text, /\n[ \t]*\n/g);
  return (at) => {
    // Between the two marks stands one character at least.
    const close = ends.get(text[at] ?? "")?.(at + 2) ?? text.length;
    return close < Math.min(paragraphEnd(at), text.length) ? close + 1 : at;
  };
}

function nextPlace(text: string, pattern: RegExp): (from: number) => number {
  let known = -1;
  return (from) => {
    if (known < from) {
      pattern.lastIndex = from;
      known = pattern.exec(text)?.index ?? text.length;
    }
    return known;
  };
}
