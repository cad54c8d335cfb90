import { isOrgFile } from "../../text/is-org-file.ts";
import { readJsonWithComments } from "../../text/json-with-comments.ts";
import { asUtf8 } from "../../text/utf16-text.ts";
import { kindOfLanguage, languageOfFile } from "./languages.ts";
import { lispProblem } from "./lisp-syntax.ts";
import type { ScriptParser } from "./script-syntax.ts";

/** Longer files are not parsed before they are written. */
const longest = 1_000_000;

type Texts = { readonly before: string; readonly after: string };

/**
 * What is wrong with the new contents of a file, in words without any of them, where a parser reads the present ones: JSON by what it is, TypeScript,
 * JavaScript and Lisp by the file's ending, and the source blocks of an Org file in these languages. Null where nothing valid is broken.
 * `parser`: what parses the scripts of many files; null for one that has its own.
 */
export async function brokenSyntax(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array,
  parser: ScriptParser | null = null,
): Promise<string | null> {
  if (before === null || Math.max(before.length, after.length) > longest) return null;
  const texts = { before: textOf(before), after: textOf(after) };
  if (texts.before === texts.after || texts.after.trim() === "") return null;
  if (isOrgFile(path)) return await brokenOrg(texts, parser);
  const looksLikeJson = /\.jsonc?$/i.test(path) || /^\s*[[{]/.test(texts.after);
  if (looksLikeJson && isJson(texts.before)) return jsonProblem(texts.after);
  return await broken(languageOfFile(path), { before: [texts.before], after: [texts.after] }, parser);
}

/** What is wrong with the contents of a file by the parser for its ending, in words without any of them; null where nothing is, or no parser here reads it. */
export async function syntaxProblem(path: string, bytes: Uint8Array): Promise<string | null> {
  if (bytes.length > longest) return null;
  const text = textOf(bytes);
  if (text.trim() === "") return null;
  if (!isOrgFile(path)) return await problemOf(languageOfFile(path), text);
  const { blocks, problem } = readBlocks(text);
  if (problem !== null) return problem;
  for (const { language, body, line } of blocks) {
    const found = await problemOf(language, body);
    if (found !== null) return `in the block at line ${line}, ${found}`;
  }
  return null;
}

async function problemOf(language: string, text: string): Promise<string | null> {
  const problem = (await problemsOf(language, [text], null))?.[0] ?? null;
  return problem === "unknown" ? null : problem;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(asUtf8(bytes));
}

/** The problem of a text that stands in the place of another one of its language, where the other has none. */
async function broken(
  language: string,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  parser: ScriptParser | null,
): Promise<string | null> {
  if (before.length === 0 || after.length === 0) return null;
  const problems = await problemsOf(language, [...before, ...after], parser);
  if (problems === null || problems.slice(0, before.length).every((problem) => problem !== null)) return null;
  return problems.slice(before.length).find((problem) => problem !== null && problem !== "unknown") ?? null;
}

/** Null where no parser here reads the language. */
async function problemsOf(
  language: string,
  texts: readonly string[],
  parser: ScriptParser | null,
): Promise<readonly (string | null)[] | null> {
  const kind = kindOfLanguage(language);
  switch (kind) {
    case null:
      return null;
    case "json":
      return texts.map(jsonProblem);
    case "emacs-lisp":
    case "lisp":
    case "clojure":
      return texts.map((text) => lispProblem(text, kind));
    case "script":
    case "markup":
      return await (await import("./script-syntax.ts")).scriptProblems(texts, {
        markup: kind === "markup",
        parser,
      });
    default:
      return kind satisfies never;
  }
}

/** Blocks that did not change stand on both sides and say nothing. */
async function brokenOrg(texts: Texts, parser: ScriptParser | null): Promise<string | null> {
  const [before, after] = [readBlocks(texts.before), readBlocks(texts.after)];
  if (before.problem === null && after.problem !== null) return after.problem;
  const [old, fresh] = [
    changedBlocks(before.blocks, after.blocks),
    changedBlocks(after.blocks, before.blocks),
  ];
  for (const { language, body, line } of fresh) {
    const replaced = old.filter((block) => block.language === language).map((block) => block.body);
    const problem = await broken(language, { before: replaced, after: [body] }, parser);
    if (problem !== null) return `in the block at line ${line}, ${problem}`;
  }
  return null;
}

function changedBlocks(
  blocks: readonly SourceBlock[],
  others: readonly SourceBlock[],
): readonly SourceBlock[] {
  const known = new Set(others.map(({ language, body }) => `${language}\n${body}`));
  return blocks.filter(({ language, body }) => !known.has(`${language}\n${body}`));
}

/** A source block. `line` is that of its `#+begin_src`, from 1. */
type SourceBlock = { readonly language: string; readonly body: string; readonly line: number };
type OrgBlocks = { readonly blocks: readonly SourceBlock[]; readonly problem: string | null };

/** The source blocks of an Org text, and in words which block has no end; in it nothing else begins. */
function readBlocks(text: string): OrgBlocks {
  const blocks: SourceBlock[] = [];
  let open: { readonly kind: string; readonly language: string; readonly line: number } | null = null;
  let body: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const mark = /^[ \t]*#\+(begin|end)_(src|example|export|comment)(?:[ \t]+(\S+))?/i.exec(line);
    const kind = mark?.[2]?.toLowerCase() ?? "";
    if (open === null) {
      if (mark?.[1]?.toLowerCase() !== "begin") continue;
      open = { kind, language: mark[3]?.toLowerCase() ?? "", line: index + 1 };
      body = [];
    } else if (mark?.[1]?.toLowerCase() === "end" && kind === open.kind) {
      if (kind === "src") blocks.push({ language: open.language, body: body.join("\n"), line: open.line });
      open = null;
    } else body.push(line);
  }
  const problem = open === null ? null : `the block that begins at line ${open.line} has no end`;
  return { blocks, problem };
}

/**
 * What is wrong with a text as JSON, in words without any of its contents; null if it is JSON, JSON with
 * comments and trailing commas, or a JSON object on each line.
 */
function jsonProblem(text: string): string | null {
  const problem = parseProblem(text);
  return problem === null || isJsonLines(text) ? null : problem;
}

/** Whether a text is a JSON object or list, in any of these forms. */
function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && jsonProblem(text) === null;
}

function parseProblem(text: string): string | null {
  const read = readJsonWithComments(text);
  return read.ok ? null : read.problem;
}

function isJsonLines(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every((line) => line.startsWith("{") && parseProblem(line) === null);
}
