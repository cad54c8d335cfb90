/** A line with its break, and where it begins. */
export type Line = { readonly line: string; readonly start: number };

const isBreak = (unit: number): boolean => unit === 10 || unit === 13;

/** The first and the last `reach` lines of a text, in order and each once, without a look at those between. Each carriage return and each line feed ends a line. */
export function edgeLines(text: string, reach: number): readonly Line[] {
  const first: Line[] = [];
  let start = 0;
  while (first.length < reach && start < text.length) {
    let end = start;
    while (end < text.length && !isBreak(text.charCodeAt(end))) end += 1;
    end = Math.min(text.length, end + 1);
    first.push({ line: text.slice(start, end), start });
    start = end;
  }
  const last: Line[] = [];
  for (let end = text.length; last.length < reach && end > start; ) {
    let begin = end - 1;
    while (begin > start && !isBreak(text.charCodeAt(begin - 1))) begin -= 1;
    last.push({ line: text.slice(begin, end), start: begin });
    end = begin;
  }
  return [...first, ...last.reverse()];
}
