import { linesOf } from "./org-constructs.ts";

type CodeBlock = {
  /** The lines of its settings: the keywords above it and its first line. */
  readonly head: string;
  readonly body: string;
  /** False if another first line stands inside: then the settings of either may count. */
  readonly isPlain: boolean;
};

const keywordLine = /^[ \t]*#\+[^\s:]+(?:\[[^\]]*\])?:/i;
const firstLine = /^[ \t]*#\+begin_src(?![^ \t])/i;
const headline = /^\*+ /;
const lastLine = /^[ \t]*#\+end_src[ \t]*$/i;
const tangles = /(?<!,):tangle[ \t\f\v]+(?!no(?:[ \t\f\v\]]|$))[^\s\]]/im;
const doesNotTangle = /(?<!,):tangle[ \t\f\v]+no(?:[ \t\f\v\]]|$)/im;
/** Settings that blocks of a file or a section inherit. */
const inheritedLine = /^[ \t]*(?:#\+property\+?:[ \t]*header-args|:header-args)/i;
/** `<<NAME>>`: another block is put in its place. */
const reference = /<<[^\s<>][^<>\n]*>>/;

/**
 * Finds the code of an Org file that `org-babel-tangle` writes into other files: the blocks that say so or may inherit it, and all blocks where one of these
 * refers to others by name. Each with its settings, so that a change of either is one of the code; and the
 * settings that any of them may inherit, such as the mode of its file.
 */
export function findTangledCode(text: string): readonly string[] {
  const { blocks, inherits, inherited } = readBlocks(text);
  const tangled = blocks.filter(
    ({ head, isPlain }) => tangles.test(head) || (inherits && !(isPlain && doesNotTangle.test(head))),
  );
  const all = tangled.some(({ body }) => reference.test(body)) ? blocks : tangled;
  return [...(all.length === 0 ? [] : inherited), ...all.map(({ head, body }) => `${head}\n${body}`)];
}

type ReadBlocks = {
  readonly blocks: readonly CodeBlock[];
  readonly inherits: boolean;
  /** The lines of settings that blocks of the file or a section inherit. */
  readonly inherited: readonly string[];
};

function readBlocks(text: string): ReadBlocks {
  const blocks: CodeBlock[] = [];
  const inherited: string[] = [];
  let head: string[] = [];
  let body: string[] | null = null;
  let [isPlain, inherits] = [true, false];
  const close = (): void => {
    if (body !== null) blocks.push({ head: head.join("\n"), body: body.join("\n"), isPlain });
    head = [];
    body = null;
    isPlain = true;
  };
  for (const { line } of linesOf(text)) {
    const isFirst = firstLine.test(line);
    if (inheritedLine.test(line)) inherited.push(line.trim());
    inherits ||= inheritedLine.test(line) && tangles.test(line);
    if (lastLine.test(line) || headline.test(line)) close();
    else if (isFirst) {
      head.push(line);
      isPlain = body === null;
      body ??= [];
    } else if (body !== null) body.push(line);
    else if (keywordLine.test(line) && !inheritedLine.test(line)) head.push(line);
    else head = [];
  }
  close();
  return { blocks, inherits, inherited };
}
