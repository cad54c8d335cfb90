import { isNoMoreSecretThan, joinAll, type Label } from "../../signal/label.ts";
import { pushAll } from "../../signal/lists.ts";
import { cutToTokens, estimateTokens } from "./estimate-tokens.ts";

/** A note as the context sees it: a headline, a file, or an object of the agent's own memory. */
export type ContextNode = {
  readonly id: string;
  readonly title: string;
  /** The level of its headline; 0 for a file. */
  readonly level: number;
  readonly todo: string | null;
  readonly done: boolean;
  readonly label: Label;
};

/** A node with the text of its heading and section, without the nodes below it. */
export type ShownNode = { readonly node: ContextNode; readonly text: string };

/** The notes, as a port. */
export type ContextSource = {
  readonly node: (id: string) => Promise<ContextNode | null>;
  /** A node and all nodes below it, in the order of the text; empty if there is no such node. */
  readonly subtree: (id: string) => Promise<readonly ShownNode[]>;
  readonly children: (id: string) => Promise<readonly ContextNode[]>;
  /** The nodes that a search for a text finds, best first, with their similarity to it from 0 to 1. */
  readonly similar: (words: string, limit: number) => Promise<readonly SimilarNode[]>;
  /** Nodes with their own text, without those that are gone. */
  readonly sections: (ids: readonly string[]) => Promise<readonly ShownNode[]>;
  /** Nodes tagged `project` that are not done, outermost first. */
  readonly projects: () => Promise<readonly ContextNode[]>;
  readonly lastEdited: () => Promise<string | null>;
  /** Whether the program itself keeps the file of a node: it is shown only where its owner names it. */
  readonly isOfProgram: (id: string) => Promise<boolean>;
  /** The nodes that link to a node. */
  readonly backlinks: (id: string) => Promise<readonly ContextNode[]>;
};

type SimilarNode = { readonly id: string; readonly similarity: number };

/** What the context is assembled for. */
export type ContextRequest = {
  /** The person's words. */
  readonly words: string;
  /** The node that the client named, or null. */
  readonly focus: string | null;
  /** From 0 to 1. Nodes that are at least this similar are shown in full. */
  readonly threshold: number;
  /** Tokens for the whole context; never exceeded. */
  readonly budget: number;
};

/** One piece of the context, and why it is shown. A piece never mixes public and private text. */
export type ContextPiece = {
  readonly part: "focus" | "backlink" | "similar" | "project";
  readonly id: string;
  readonly why: string;
  readonly similarity: number | null;
  /** The nodes whose text is in the piece. */
  readonly nodes: readonly string[];
  readonly text: string;
  readonly tokens: number;
  readonly label: Label;
  /** True if the piece was cut to fit the budget. */
  readonly cut: boolean;
};

/** What the model sees of the notes, piece by piece, and which nodes were left out. */
export type Context = {
  readonly pieces: readonly ContextPiece[];
  readonly omitted: readonly { readonly id: string; readonly why: string }[];
};

/** The context of no notes. */
export const emptyContext: Context = { pieces: [], omitted: [] };

/** The largest share of the remaining budget for the focus, then for the nodes that link to it, and then for similar nodes. */
const focusShare = 0.5;
const backlinkShare = 0.1;
const similarShare = 0.6;
const mostSimilar = 20;
const mostBacklinks = 20;
/** A piece with fewer tokens is not worth showing. */
const leastTokens = 12;
const noRoom = "the budget has no room for it";

/**
 * Assembles what the model sees of the notes: the focus in full with its subtree, the titles of the nodes that link to it, similar nodes in full, other open projects as an outline two levels deep.
 * What the program keeps for itself is shown only where the client names it.
 * The same notes, words and budget give the same bytes. Secret text is never shown; text of others only as the focus.
 */
export async function assembleContext(source: ContextSource, request: ContextRequest): Promise<Context> {
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
type Wanted = Focus & { readonly part: ContextPiece["part"]; readonly nodes: readonly ShownNode[] };

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

/** A piece of public text and a piece of private text, cut to the tokens. */
function piecesOf(
  { part, id, why, similarity, nodes }: Wanted,
  shown: ReadonlySet<string>,
  tokens: number,
): { readonly kept: readonly ContextPiece[]; readonly dropped: Context["omitted"] } {
  const dropped: { id: string; why: string }[] = [];
  const kept: ContextPiece[] = [];
  const fresh = nodes.filter(({ node }) => {
    if (shown.has(node.id)) return false;
    const refusal = refusalOf(node, part);
    if (refusal !== null) dropped.push({ id: node.id, why: refusal });
    return refusal === null;
  });
  let left = tokens;
  for (const secrecy of ["public", "private"] as const) {
    const ours = fresh.filter(({ node }) => node.label.secrecy === secrecy);
    if (ours.length === 0) continue;
    const piece = fit({ part, id, why, similarity, nodes: ours }, left);
    if (piece === null) {
      dropped.push({ id: ours[0]?.node.id ?? id, why: noRoom });
      continue;
    }
    kept.push(piece);
    left -= piece.tokens;
  }
  return { kept, dropped };
}

function refusalOf({ label }: ContextNode, part: ContextPiece["part"]): string | null {
  if (!isNoMoreSecretThan(label, "private")) return "it is or was encrypted";
  if (label.integrity === "untrusted" && part !== "focus") {
    return "its text came from elsewhere; it is shown only when it is the focus, or found by recall";
  }
  return null;
}

function fit({ part, id, why, similarity, nodes }: Wanted, tokens: number): ContextPiece | null {
  const score = similarity === null ? "" : ` ${similarity.toFixed(2)}`;
  const head = `${{ focus: "FOCUS", backlink: "LINKS TO", similar: "NOTE", project: "PROJECT" }[part]}${score} [${id}]`;
  const whole = [head, ...nodes.map(({ text }) => text)].join("\n");
  const text = cutToTokens(whole, tokens - 1, "[cut to fit]");
  if (text === null || (text !== whole && estimateTokens(text) < leastTokens)) return null;
  const label = joinAll(nodes.map(({ node }) => node.label));
  // The line feed that joins it to the next piece counts with it.
  const size = estimateTokens(`${text}\n`);
  return {
    part,
    id,
    why,
    similarity,
    nodes: nodesWithin(head, nodes, text.length),
    text,
    tokens: size,
    label,
    cut: text !== whole,
  };
}

/** The nodes that a text has part of when it is cut to this length. */
function nodesWithin(head: string, nodes: readonly ShownNode[], length: number): readonly string[] {
  let begin = head.length + 1;
  return nodes.flatMap(({ node, text }) => {
    const inside = begin < length;
    begin += text.length + 1;
    return inside ? [node.id] : [];
  });
}
