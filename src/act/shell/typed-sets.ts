/** A pattern that the owner typed, and the word that stands for it. */
export type TypedPattern = { readonly mark: string; readonly pattern: string };

const mostListed = 100;

/** Writes out the sets that a text lists: "part-1 to part-3", "module-{1,2}.ts"; with signs as words, and names without a leading dot. */
export function withRangesListed(text: string): string {
  return text
    .replaceAll(
      /(?<!\S)([^\s{}]{0,200})\{([^\s{}]{1,200})\}([^\s{},]{0,200})/g,
      (whole, before, inside, behind) =>
        String(inside).includes(",")
          ? String(inside)
              .split(",")
              .map((one) => `${before}${one}${behind}`)
              .join(" and ")
          : whole,
    )
    .replaceAll(
      /(?<![\w./-])([\w./-]{0,100}?[\w./-])(\d{1,6})([.\w]{0,20}) (?:to|bis|through|thru) \1(\d{1,6})\3(?!\w)/g,
      (whole, before, first, behind, last) => {
        const [from, to] = [Number(first), Number(last)];
        if (to < from || to - from >= mostListed) return whole;
        return Array.from({ length: to - from + 1 }, (_, at) => `${before}${from + at}${behind}`).join(
          " and ",
        );
      },
    )
    .replaceAll(/(?<=\s)\.(?=\p{L})/gu, "")
    .replaceAll(/\b(any) (?=(?:more|longer)\b)/g, "$1")
    .replaceAll(/\s[+&]\s/g, " and ");
}

/** Puts a plain word in the place of each pattern that the command line has as the owner typed it. */
export function withPatternsMarked(
  text: string,
  cmd: string,
): { readonly marked: string; readonly patterns: readonly TypedPattern[] } {
  const patterns: TypedPattern[] = [];
  const marked = text.replaceAll(/[^\s,;"'`()<>„“”‘’]*[*?][^\s,;"'`()<>„“”‘’]*/gu, (word) => {
    const pattern = word.replace(/[.:!?]+$/, "").replace(/^\.\//, "");
    if (!/[*?]/.test(pattern) || !cmd.includes(pattern)) return word;
    const mark = `pattern${patterns.length}.typed`;
    patterns.push({ mark, pattern: pattern.toLowerCase() });
    return `${mark}${word.slice(word.indexOf(pattern) + pattern.length)}`;
  });
  return { marked, patterns };
}
