import type { ScanOptions } from "../outline/scan-outline.ts";
import { nowebExpander } from "./expand-noweb.ts";
import { removeIndentation } from "./remove-indentation.ts";
import { readSourceBlocks, type SourceBlock } from "./source-blocks.ts";

/** A file that the blocks of another one write. */
export type TangledFile = {
  /** As `:tangle` names it: relative to the folder of the Org file. */
  readonly name: string;
  readonly text: string;
  readonly blocks: number;
  /** Whether a `:shebang` makes it a program. */
  readonly executable: boolean;
};

/** What a block cannot be tangled for, at the offset of the block. `file`: the file that is not made for it; null where it only leaves something out. */
export type TangleProblem = { readonly at: number; readonly message: string; readonly file: string | null };

export type Tangled = {
  readonly files: readonly TangledFile[];
  readonly problems: readonly TangleProblem[];
};

/** What the blocks of a text write into other files. `stem` is the file's path without its ending, for `:tangle yes`. A file that holds what only Emacs can work out is a problem and is not made. */
export function tangleOrg(text: string, stem: string, options: ScanOptions = {}): Tangled {
  const blocks = readSourceBlocks(text, options);
  const expand = nowebExpander(blocks);
  const made = new Map<string, Draft>();
  const problems: TangleProblem[] = [];
  for (const block of blocks) {
    const name = block.commented || block.archived ? null : fileOf(block, stem);
    if (name === null) continue;
    const file = made.get(name) ?? { text: "", blocks: 0, executable: false };
    const { body, problems: found } = expand(block);
    const lisp = unknownValue(block);
    if (lisp !== null) found.push({ message: lisp, fatal: true });
    for (const { message, fatal } of found)
      problems.push({ at: block.at, message, file: fatal ? name : null });
    append(file, block, body);
    made.set(name, file);
  }
  const failed = new Set(problems.map(({ file }) => file));
  const files = [...made].flatMap(([name, file]) => (failed.has(name) ? [] : [{ name, ...file }]));
  return { files, problems };
}

type Draft = { text: string; blocks: number; executable: boolean };

/** Emacs's own names, those of the languages that come with Org. */
const endings: ReadonlyMap<string, string> = new Map(
  (
    "emacs-lisp:el elisp:el C++:cpp D:d clojure:clj clojurescript:cljs fortran:F90 haskell:hs julia:jl latex:tex LilyPond:ly " +
    "maxima:max ocaml:ml perl:pl processing:pde python:py ruby:rb"
  )
    .split(" ")
    .map((pair) => [pair.slice(0, pair.lastIndexOf(":")), pair.slice(pair.lastIndexOf(":") + 1)]),
);

function fileOf({ arguments: all, language }: SourceBlock, stem: string): string | null {
  const name = all.get(":tangle") ?? "no";
  if (name === "no" || name === "") return null;
  return name === "yes" ? `${stem}.${endings.get(language) ?? language}` : name.replace(/^(?:\.\/+)+/, "");
}

/** What only Emacs can work out, in words; null where nothing is. */
function unknownValue({ arguments: all }: SourceBlock): string | null {
  const lisp = [
    ":tangle",
    ":noweb",
    ":noweb-ref",
    ":noweb-sep",
    ":padline",
    ":shebang",
    ":prologue",
    ":epilogue",
  ].find((key) => /^[(['`]/.test(all.get(key) ?? ""));
  if (lisp !== undefined) return `the value of ${lisp} is Lisp, and nothing is evaluated here`;
  if (all.has(":var") && !all.has(":no-expand"))
    return "it has :var, which only Emacs can fill in; add :no-expand, or write the value into the block";
  const comments = all.get(":comments") ?? "no";
  return comments === "no" ? null : `it has :comments ${comments}, which only Emacs can write; set it to no`;
}

function append(file: Draft, block: SourceBlock, body: string): void {
  const { arguments: all } = block;
  const shebang = all.get(":shebang") ?? "";
  if (file.text !== "" && all.get(":padline") !== "no") file.text += "\n";
  if (shebang !== "" && !file.executable) file.text += `${shebang}\n`;
  file.executable ||= shebang !== "";
  file.text += `${trim(removeIndentation(wrapped(block, body)))}\n`;
  file.blocks += 1;
}

/** The body between its prologue and epilogue, without the labels of lines where `-r` says so. */
function wrapped({ arguments: all, switches }: SourceBlock, body: string): string {
  const around = all.has(":no-expand")
    ? [body]
    : [all.get(":prologue") ?? null, body, all.get(":epilogue") ?? null];
  const whole = around.filter((part) => part !== null).join("\n");
  return /-r/.test(switches) ? whole.replaceAll(/[ \t]*\(ref:[-\w][-\w ]*\)[ \t]*$/gm, "") : whole;
}

function trim(text: string): string {
  return text.replace(/^[ \t\n\r]+/, "").replace(/(?<![ \t\n\r])[ \t\n\r]+$/, "");
}
