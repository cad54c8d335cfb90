import type { OrgNode } from "#org";
import { beginOf } from "../text/cut-text.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { nearestName } from "../text/nearest-name.ts";

const textBlocks = ["prompt", "job"];
/** A line that Org would read as a keyword, or as the begin or end of a block, if it were whole. */
const marked = /^[ \t]*#\+\S.*$/gm;
/** The begin of a block that counts in a skill, inside of another: most likely that one was not closed. */
const nested = /^[ \t]*#\+begin_(?:src[ \t]+(?:typescript|ts)|prompt|job)(?=\s|$).*$/gim;
const holders = ["src-block", "example-block", "comment-block", "export-block", "verse-block"];

/** Whether an element is a block of words for the model, in which nothing else counts. */
export function isTextBlock(node: OrgNode): boolean {
  return node.type === "special-block" && textBlocks.includes(node.properties.blockType.toLowerCase());
}

/** The first line that was meant as a keyword or a block and is read as neither, in words. Passed over, it would take code, a limit or a gate away without a sound. */
export function findStrayLine(nodes: readonly OrgNode[], text: string): string | null {
  for (const node of nodes) {
    const isText = isTextBlock(node);
    if (node.type === "paragraph") {
      const at = findLine(marked, node, text);
      if (at !== null)
        return `${at} is neither a keyword (#+NAME: value) nor part of a block, which begins with #+begin_, ends with #+end_ and holds no line with a star at its beginning. Mend it; where it is text, write a comma before it.`;
    }
    if (isText || holders.includes(node.type)) {
      const at = findLine(nested, node, text);
      if (at !== null)
        return `${at} stands inside another block. End that block before it; where it is text, write a comma before it.`;
    }
    const near = isText ? null : misspeltBlock(node);
    if (near !== null) return near;
  }
  return null;
}

/** The first match in a node behind its own first line, or in a paragraph, from the begin of a line: its number and text. */
function findLine(pattern: RegExp, { type, postAffiliated, end }: OrgNode, text: string): string | null {
  const from = type === "paragraph" ? postAffiliated : text.indexOf("\n", postAffiliated) + 1;
  for (const { index, 0: line } of text.slice(from, end).matchAll(pattern)) {
    const at = from + index;
    if (at > 0 && text[at - 1] !== "\n") continue;
    const number = text.slice(0, at).split("\n").length;
    return `line ${number}: '${escapeInvisible(beginOf(line.trim(), 80))}'`;
  }
  return null;
}

function misspeltBlock(node: OrgNode): string | null {
  if (node.type !== "special-block" && node.type !== "src-block") return null;
  const isSource = node.type === "src-block";
  const word = isSource ? (node.properties.language ?? "") : node.properties.blockType;
  const [known, begin] = isSource ? [["typescript"], "#+begin_src "] : [textBlocks, "#+begin_"];
  const near = known.includes(word.toLowerCase()) ? null : nearestName(word, known);
  return near === null ? null : `${begin}${word}: did you mean ${begin}${near}?`;
}
