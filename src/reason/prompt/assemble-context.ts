import { joinAll, type Label } from "../../signal/label.ts";
import { pushAll } from "../../text/lists.ts";
import { assembleNamed } from "./assemble-named.ts";
import type {
  Context,
  ContextNode,
  ContextPiece,
  ContextRequest,
  ContextSource,
  ShownNode,
} from "./context.ts";
import { leastTokens, noRoom, piecesOf, refusalOf, type Wanted } from "./context-pieces.ts";

/** The largest share of the remaining budget for the focus, then for the nodes that link to it, and then for similar nodes. */
const focusShare = 0.5;
const backlinkShare = 0.1;
const similarShare = 0.6;
const mostSimilar = 20;
const mostBacklinks = 20;

/**
 * Assembles what the model sees of the notes: the focus in full with its subtree, the titles of the nodes that link to it, similar nodes in full, other open projects as an outline two levels deep.
 * What the program keeps for itself is shown only where the client names it.
 * The same notes, words and budget give the same bytes. Secret text is never shown; text of others only as the focus.
 */
export async function assembleContext(source: ContextSource, request: ContextRequest): Promise<Context> {
  if (request.namedOnly === true) return assembleNamed(source, request);
  const found = await source.similar(request.words, mostSimilar);
  const similar = await withoutProgramFiles(source, found);
  const focus = await findFocus(source, request, similar);
  const shown = new Set<string>();
  const pieces: ContextPiece[] = [];
  const omitted = found
    .filter((one) => !similar.includes(one))
    .map(({ id }): { id: string; why: string } => ({ id, why: "the program keeps its file for itself" }));
  let left = request.budget;
  const add = (wanted: Wanted, tokens: number): void => {
    const { kept, dropped } = piecesOf(wanted, shown, Math.min(tokens, left));
    for (const piece of kept) {
      pieces.push(piece);
      left -= piece.tokens;
      // A backlink shows a title only, so the node may still be shown in full.
      if (piece.part !== "backlink") for (const id of piece.nodes) shown.add(id);
    }
    pushAll(omitted, dropped);
  };
  if (focus !== null) {
    add({ part: "focus", ...focus, nodes: await nodesOfFocus(source, focus) }, Math.floor(left * focusShare));
    add(await backlinksOf(source, focus.id), Math.floor(left * backlinkShare));
  }
  const before = left;
  const near = similar.filter(({ id, similarity }) => similarity >= request.threshold && !shown.has(id));
  const sections = new Map(
    (await source.sections(near.map(({ id }) => id))).map((read) => [read.node.id, read]),
  );
  for (const { id, similarity } of similar) {
    const spent = before - left;
    if (shown.has(id)) continue;
    if (similarity < request.threshold) {
      omitted.push({ id, why: `its similarity ${similarity.toFixed(2)} is below ${request.threshold}` });
      continue;
    }
    const why = `its similarity ${similarity.toFixed(2)} is at least ${request.threshold}`;
    const read = sections.get(id);
    const nodes = read === undefined ? [] : [read];
    add({ part: "similar", id, why, similarity, nodes }, Math.floor(before * similarShare) - spent);
  }
  for (const project of await withoutProgramFiles(source, await source.projects())) {
    if (shown.has(project.id)) continue;
    if (left < leastTokens) {
      omitted.push({ id: project.id, why: refusalOf(project, "project") ?? noRoom });
      continue;
    }
    const why = "an open project (tagged project, not done)";
    add(
      { part: "project", id: project.id, why, similarity: null, nodes: await outline(source, project) },
      left,
    );
  }
  return { pieces, omitted };
}

/** The text of a context at one level of secrecy, with its label. */
export function contextText(
  { pieces }: Context,
  secrecy: "public" | "private",
): { readonly text: string; readonly label: Label } {
  const chosen = pieces.filter(({ label }) => label.secrecy === secrecy);
  return {
    text: chosen.map(({ text }) => text).join("\n"),
    label: joinAll(chosen.map(({ label }) => label)),
  };
}

type Focus = { readonly id: string; readonly why: string; readonly similarity: number | null };

/** The node that the client named, else the node edited last, else the most similar node if it is similar enough. */
async function findFocus(
  source: ContextSource,
  { focus, threshold }: ContextRequest,
  similar: readonly { readonly id: string; readonly similarity: number }[],
): Promise<Focus | null> {
  if (focus !== null && (await source.node(focus)) !== null) {
    return { id: focus, why: "the focus that you named", similarity: null };
  }
  const edited = await source.lastEdited();
  if (edited !== null) return { id: edited, why: "the note that was edited last", similarity: null };
  const [best] = similar;
  if (best === undefined || best.similarity < threshold) return null;
  return { ...best, why: `the best match of your words (${best.similarity.toFixed(2)})` };
}

/**
 * The nodes of the owner's own files: what a proposal says in the inbox steers no other work, nor makes its
 * prompt private.
 */
async function withoutProgramFiles<Node extends { readonly id: string }>(
  source: ContextSource,
  nodes: readonly Node[],
): Promise<readonly Node[]> {
  const ofProgram = await Promise.all(nodes.map(({ id }) => source.isOfProgram(id)));
  return nodes.filter((_, at) => ofProgram[at] !== true);
}

/** The focus with all below it; of a file that was only found by the words, its own text. */
async function nodesOfFocus(source: ContextSource, { id, similarity }: Focus): Promise<readonly ShownNode[]> {
  const nodes = await source.subtree(id);
  return similarity !== null && nodes[0]?.node.level === 0 ? nodes.slice(0, 1) : nodes;
}

/** The nodes that link to the focus, one line each. */
async function backlinksOf(source: ContextSource, id: string): Promise<Wanted> {
  const nodes = (await withoutProgramFiles(source, await source.backlinks(id))).slice(0, mostBacklinks);
  return {
    part: "backlink",
    id,
    why: "these notes link to the focus",
    similarity: null,
    nodes: nodes.map((node) => ({ node, text: `- ${node.title} [${node.id}]` })),
  };
}

/** A project and the two levels below it, one line each. */
async function outline(source: ContextSource, project: ContextNode): Promise<readonly ShownNode[]> {
  const lines: ShownNode[] = [];
  const walk = async (node: ContextNode, depth: number): Promise<void> => {
    const todo = node.todo === null ? "" : `${node.todo} `;
    lines.push({ node, text: `${"  ".repeat(depth)}- ${todo}${node.title}` });
    if (depth === outlineDepth) return;
    for (const child of await source.children(node.id)) if (!child.done) await walk(child, depth + 1);
  };
  await walk(project, 0);
  return lines;
}

const outlineDepth = 2;
