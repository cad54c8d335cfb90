import { pushAll } from "../../signal/lists.ts";
import type { Context, ContextPiece, ContextRequest, ContextSource } from "./context.ts";
import { piecesOf } from "./context-pieces.ts";

/** Notes that words may name at most. */
const mostNamed = 20;
/** A shorter title stands in too many words that do not mean it. */
const shortestTitle = 3;

/**
 * Assembles the notes that words name, and nothing else: by their id (`[ID]`, `id:ID`) or by their whole title. Each is shown with its subtree. The notes that
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
  for (const [, id = ""] of ids) {
    const node = await source.node(id.replace(/^id:/i, ""));
    if (node !== null) add(node.id, "the task names its id");
  }
  const similar = await source.similar(words, mostNamed);
  const found = (await source.sections(similar.map(({ id }) => id))).map(({ node }) => ({
    id: node.id,
    title: spaced(node.title),
  }));
  let said = spaced(words);
  // A title that stands only inside of a longer one is not named.
  for (const { id, title } of found.toSorted((one, other) => other.title.length - one.title.length)) {
    if (title.trim().length < shortestTitle || !said.includes(title)) continue;
    if (!found.some((one) => one.id !== id && one.title === title)) said = said.replaceAll(title, " / ");
    if (!(await source.isOfProgram(id))) add(id, "the task names its title");
  }
  return named;
}

/** Words in lower case with one blank around each, so that a title stands in them only as a whole. */
function spaced(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}
