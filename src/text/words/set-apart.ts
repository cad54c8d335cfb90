import { makeIsInside, type Span } from "./spans.ts";

const brackets: ReadonlyMap<string, string> = new Map(
  ["()", "[]", "{}", "（）", "［］", "｛｝", "【】", "〔〕", "「」", "『』", "⟨⟩", "〈〉", "《》"].map(
    ([open = "", close = ""]) => [open, close],
  ),
);
/** Brackets, marks that people set around words to stress them, and ends of lines. */
const markPattern = /[()[\]{}（）［］｛｝【】〔〕「」『』⟨⟩〈〉《》\n]|([*_=~^|+/])\1*/gu;
const wordSign = /[\p{L}\p{N}]/u;

/**
 * Finds what is set apart from what the owner says: what stands in brackets, up to the end of its line where
 * they are not closed, and sentences that are emphasised as a whole. What is quoted has its own rules. The
 * text is read once.
 */
export function findSetApart(text: string, quotes: readonly Span[]): readonly Span[] {
  const isQuoted = makeIsInside(quotes);
  const apart: Span[] = [];
  const stressed: Span[] = [];
  let closers: { readonly sign: string; readonly start: number }[] = [];
  const opened = new Map<string, number>();
  for (const { 0: mark, 1: stress, index } of text.matchAll(markPattern)) {
    const end = index + mark.length;
    if (mark === "\n") {
      for (const { start } of closers) apart.push({ start, end: index });
      closers = [];
      opened.clear();
    } else if (isQuoted({ start: index, end })) continue;
    else if (brackets.has(mark)) closers.push({ sign: brackets.get(mark) ?? "", start: index });
    else if (mark === closers.at(-1)?.sign) apart.push({ start: closers.pop()?.start ?? index, end });
    else if (stress !== undefined) {
      const start = opened.get(mark);
      if (start !== undefined && !wordSign.test(text.slice(end, end + 1))) {
        stressed.push({ start, end });
        opened.delete(mark);
      } else if (!wordSign.test(text.slice(Math.max(0, index - 1), index))) opened.set(mark, index);
    }
  }
  for (const { start } of closers) apart.push({ start, end: text.length });
  return [...apart, ...stressed.filter((span) => isAlone(text, span))];
}

/** Whether no word of its sentence stands near before what is emphasised, nor behind it. */
function isAlone(text: string, { start, end }: Span): boolean {
  const before =
    text
      .slice(Math.max(0, start - near), start)
      .split(sentenceEnd)
      .at(-1) ?? "";
  const behind = text.slice(end, end + near).split(sentenceEnd, 1)[0] ?? "";
  return !wordSign.test(before) && (endsInside.test(text.slice(start, end)) || !wordSign.test(behind));
}

const sentenceEnd = /[.!?;:\n]/;
const endsInside = /[.!?;:][*_=~^|+/]{1,100}$/;
/** Characters in which a word of the same sentence is looked for. */
const near = 200;
