import { isOrgFile } from "../../memory/notes/nodes/is-org-file.ts";
import { isJson, jsonProblem } from "./json-syntax.ts";
import { lispProblem } from "./lisp-syntax.ts";
import { readBlocks, type SourceBlock } from "./org-blocks.ts";

/** Longer files are not parsed before they are written. */
const longest = 1_000_000;

type Texts = { readonly before: string; readonly after: string };

/**
 * What is wrong with the new contents of a file, in words without any of them, where a parser reads the present ones: JSON by what it is, TypeScript,
 * JavaScript and Lisp by the file's ending, and the source blocks of an Org file in these languages. Null where nothing valid is broken.
 */
export async function brokenSyntax(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array,
): Promise<string | null> {
  if (before === null || Math.max(before.length, after.length) > longest) return null;
  const texts = { before: textOf(before), after: textOf(after) };
  if (texts.before === texts.after || texts.after.trim() === "") return null;
  if (isOrgFile(path)) return await brokenOrg(texts);
  const looksLikeJson = /\.jsonc?$/i.test(path) || /^\s*[[{]/.test(texts.after);
  if (looksLikeJson && isJson(texts.before)) return jsonProblem(texts.after);
  const language = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return await broken(language, [texts.before], [texts.after]);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

const scripts = new Set(["ts", "mts", "cts", "js", "mjs", "cjs", "typescript", "javascript"]);
const lisps = new Set(["el", "lisp", "lsp", "elisp", "emacs-lisp"]);

/** The problem of a text that stands in the place of another one of its language, where the other has none. */
async function broken(
  language: string,
  before: readonly string[],
  after: readonly string[],
): Promise<string | null> {
  if (before.length === 0 || after.length === 0) return null;
  const problems = await problemsOf(language, [...before, ...after]);
  if (problems === null || problems.slice(0, before.length).every((problem) => problem !== null)) return null;
  return problems.slice(before.length).find((problem) => problem !== null && problem !== "unknown") ?? null;
}

async function problemsOf(
  language: string,
  texts: readonly string[],
): Promise<readonly (string | null)[] | null> {
  if (language === "json") return texts.map(jsonProblem);
  if (lisps.has(language)) return texts.map(lispProblem);
  if (!scripts.has(language)) return null;
  return await (await import("./script-syntax.ts")).scriptProblems(texts);
}

/** Blocks that did not change stand on both sides and say nothing. */
async function brokenOrg(texts: Texts): Promise<string | null> {
  const [before, after] = [readBlocks(texts.before), readBlocks(texts.after)];
  if (before.problem === null && after.problem !== null) return after.problem;
  const [old, fresh] = [
    changedBlocks(before.blocks, after.blocks),
    changedBlocks(after.blocks, before.blocks),
  ];
  for (const { language, body, line } of fresh) {
    const replaced = old.filter((block) => block.language === language).map((block) => block.body);
    const problem = await broken(language, replaced, [body]);
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
