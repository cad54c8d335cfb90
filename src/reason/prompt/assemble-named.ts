import { pushAll } from "../../text/lists.ts";
import type { Context, ContextNode, ContextPiece, ContextRequest, ContextSource } from "./context.ts";
import { piecesOf } from "./context-pieces.ts";

/** Notes that words may name at most. */
const mostNamed = 20;
/** Titles that may stand in the words: short ones stand in many. */
const mostTitles = 100;
/** A shorter title stands in too many words that do not mean it. */
const shortestTitle = 3;

/**
 * Assembles the notes that words name, and nothing else: by their id (`[ID]`, `id:ID`) or by their whole
 * title. Each is shown with its subtree. The notes that
 * are edited, similar or projects belong to whoever gave the task.
 */
export async function assembleNamed(
  source: ContextSource,
  { words, budget }: Pick<ContextRequest, "words" | "budget">,
): Promise<Context> {
  const pieces: ContextPiece[] = [];
  const omitted: { id: string; why: string }[] = [];
  const shown = new Set<string>();
  let left = budget;
  for (const { id, why } of await namedIn(source, words)) {
    if (shown.has(id)) continue;
    const nodes = await source.subtree(id);
    const wanted = { part: "named", id, why, similarity: null, nodes } as const;
    const { kept, dropped } = piecesOf(wanted, shown, left);
    for (const piece of kept) {
      pieces.push(piece);
      left -= piece.tokens;
      for (const node of piece.nodes) shown.add(node);
    }
    pushAll(omitted, dropped);
  }
  return { pieces, omitted };
}

type Named = { readonly id: string; readonly why: string };

async function namedIn(source: ContextSource, words: string): Promise<readonly Named[]> {
  const named: Named[] = [];
  const add = (id: string, why: string): void => {
    if (named.length < mostNamed && named.every((one) => one.id !== id)) named.push({ id, why });
  };
  const ids = [...words.matchAll(/(?:\bid:|\[)([^\s[\]]+)/gi)].slice(0, mostNamed);
  for (const [, written = ""] of ids) {
    const node = await nodeOf(source, written.replace(/^id:/i, ""));
    if (node !== null && !(await source.isOfProgram(node.id))) add(node.id, "the task names its id");
  }
  const found = (await titledNodes(source, words)).map(({ id, title }) => ({ id, title: spaced(title) }));
  let said = spaced(words);
  // A title that stands only inside of a longer one is not named.
  for (const { id, title } of found.toSorted((one, other) => other.title.length - one.title.length)) {
    if (title.trim().length < shortestTitle || !said.includes(title)) continue;
    if (!found.some((one) => one.id !== id && one.title === title)) said = said.replaceAll(title, " / ");
    if (!(await source.isOfProgram(id))) add(id, "the task names its title");
  }
  return named;
}

/** The node of an id as it stands in a sentence, maybe with the sentence's own sign behind it. */
async function nodeOf(source: ContextSource, written: string): Promise<ContextNode | null> {
  return (await source.node(written)) ?? source.node(written.replace(/[.,;:!?)]+$/, ""));
}

/**
 * The nodes whose titles may stand in words: by their letters, and by a search, which also knows other forms
 * of a letter.
 */
async function titledNodes(source: ContextSource, words: string): Promise<readonly ContextNode[]> {
  const similar = await source.similar(words, mostNamed);
  const sections = await source.sections(similar.map(({ id }) => id));
  const nodes = [...(await source.titledIn(words, mostTitles)), ...sections.map(({ node }) => node)];
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}

/** Words in lower case with one blank around each, so that a title stands in them only as a whole. */
function spaced(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}
