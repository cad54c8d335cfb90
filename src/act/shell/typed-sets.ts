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

/** The word that stands for a whole command line. */
export const lineMark = "line.typed";

/** Puts the program and one plain word in the place of a command line that the owner typed as a whole: not in the place of a part of a longer one. */
export function withLineMarked(text: string, cmd: string, program: string): string {
  const line = cmd
    .trim()
    .split(/(\s+)/)
    .map((part, at) => (at % 2 === 0 ? RegExp.escape(part) : part.includes("\n") ? "\\s+" : "[^\\S\\n]+"))
    .join("");
  const whole = new RegExp(`(?<![^\\s"'\`„“‘(])(?<![&|;({][ \\t]*)${line}${lineEnd}`, "g");
  return line === "" ? text : text.replaceAll(whole, `${program} ${lineMark}`);
}

/** Behind a line stands the end of its sentence, or a word that is no option and no sign of a shell. */
const lineEnd = "(?=[\"'`”’)]*[.,:!?]?(?:\\s*$|\\s*\\n|\\s+(?![-+*?&|;<>(){}\\[\\]$~\\\\#!])))";

/** Puts a plain word in the place of each pattern that the command line has as the owner typed it. What only marks an item of a list, or stresses a word, is no pattern. */
export function withPatternsMarked(
  text: string,
  cmd: string,
): { readonly marked: string; readonly patterns: readonly TypedPattern[] } {
  const patterns: TypedPattern[] = [];
  const marked = text.replaceAll(/[^\s,;"'`()<>„“”‘’]*[*?][^\s,;"'`()<>„“”‘’]*/gu, (word) => {
    const pattern = word.replace(/[.:!?]+$/, "").replace(/^\.\//, "");
    if (!/[*?]/.test(pattern) || isMarkup(pattern) || !cmd.includes(pattern)) return word;
    const mark = `pattern${patterns.length}.typed`;
    patterns.push({ mark, pattern: pattern.toLowerCase() });
    return `${mark}${word.slice(word.indexOf(pattern) + pattern.length)}`;
  });
  return { marked, patterns };
}

function isMarkup(word: string): boolean {
  return /^[*?]+$/.test(word) || /^(\*{1,3})[\p{L}\p{N}][\p{L}\p{N}_-]*\1$/u.test(word);
}
