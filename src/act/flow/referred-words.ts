import { isNoMoreSecretThan } from "../../signal/label.ts";
import { findReferred, form, type Reference, type ReferenceSources } from "./references.ts";

/** A command line with values in the place of the references among its words, or why one of them cannot stand there. */
export type ReferredLine =
  | { readonly ok: true; readonly line: string; readonly references: readonly Reference[] }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Whatever looks like a reference, with what stands around it. */
const inLine =
  /@+\d{1,4}(?:\.[\p{L}_][^\s.[\]"'`;&|<>()]*|\[\d{1,6}\])(?:\.[^\s.[\]"'`;&|<>()]+|\[\d{1,6}\])*/gu;

/**
 * Puts values in the place of references such as `@3.path` among the words of a command line: each as exactly one word, in quotes, so that no shell reads it again.
 * What could be read in another way is refused. A text that names no value of a result, and what the owner or any content wrote, stays as it is.
 */
export function resolveWords(line: string, { results, isKnownText }: ReferenceSources): ReferredLine {
  const shown = results.filter(({ label }) => isNoMoreSecretThan(label, "public"));
  const references: Reference[] = [];
  let resolved = "";
  let end = 0;
  for (const { 0: written, index } of line.matchAll(inLine)) {
    const name = `@${written.replace(/^@+/, "")}`;
    const found = form.test(name) && !isKnownText(name) ? findReferred(name, shown) : null;
    if (found === null) continue;
    resolved += line.slice(end, index);
    end = index + written.length;
    if (written.startsWith("@@")) {
      resolved += written.slice(1);
      continue;
    }
    const { value } = found;
    const problem = problemOfPlace(line, index, end) ?? problemOfValue(value, line);
    if (problem !== null)
      return {
        ok: false,
        code: "reference-in-line",
        message: `${name} cannot stand in this command line: ${problem}. To mean the text itself, write @${name}.`,
      };
    references.push({ argument: "/cmd", name, tool: found.tool });
    resolved += `'${String(value)}'`;
  }
  return { ok: true, line: resolved + line.slice(end), references };
}

/** Signs by which a line means more than its words: what stands behind them is not looked for. */
const moreThanWords = /[\\`$#\n]|<<|['"]/;

function problemOfPlace(line: string, start: number, end: number): string | null {
  const isWord = /(?:^|\s)$/.test(line.slice(0, start)) && /^(?:\s|$)/.test(line.slice(end));
  if (!isWord) return "write it as a word of its own, between blanks and outside of quotes";
  return moreThanWords.test(line.replace(/'[^']*'|"[^"\\$`]*"/g, (text) => "_".repeat(text.length))) ||
    isQuoted(line, start)
    ? "write it outside of quotes, in a line without variables, comments and here-documents"
    : null;
}

function isQuoted(line: string, at: number): boolean {
  return Array.from(line.matchAll(/'[^']*'|"[^"\\$`]*"/g)).some(
    ({ 0: text, index }) => index < at && at < index + text.length,
  );
}

/** Programs that read their words as a command line again. */
const readsAgain =
  /(?:^|[\s/;&|])(?:\w*sh|eval|source|\.|su|sudo|watch|parallel|xargs|find|script|flock|env|awk|sed|perl|python3?|node|ruby)(?=\s|$)/;

function problemOfValue(value: unknown, line: string): string | null {
  if (typeof value !== "string" && typeof value !== "number") return "it is no text and no number";
  const text = String(value);
  if (text.startsWith("-")) return "its value begins with a dash, so a program would take it as an option";
  if (/\p{Cc}|'/u.test(text)) return "its value has quotes, line ends or control characters";
  return readsAgain.test(line) && !/^[\p{L}\p{N}_./@:+,%=-]*$/u.test(text)
    ? "a program of this line would read its value as a command. Write the value into a file, and name the file"
    : null;
}
