import { isNoMoreSecretThan, joinAll } from "../../signal/label.ts";
import type { Context, ContextNode, ContextPiece, ShownNode } from "./context.ts";
import { cutToTokens, estimateTokens } from "./estimate-tokens.ts";

/** Nodes to be shown, and why. */
export type Wanted = {
  readonly part: ContextPiece["part"];
  readonly id: string;
  readonly why: string;
  readonly similarity: number | null;
  readonly nodes: readonly ShownNode[];
};

/** A piece with fewer tokens is not worth showing. */
export const leastTokens = 12;
export const noRoom = "the budget has no room for it";

const heads: Readonly<Record<ContextPiece["part"], string>> = {
  focus: "FOCUS",
  backlink: "LINKS TO",
  named: "NOTE",
  similar: "NOTE",
  project: "PROJECT",
};

/** A piece of public text and a piece of private text, cut to the tokens. */
export function piecesOf(
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

/** Why a node is not shown in this part; null where it is. */
export function refusalOf({ label }: ContextNode, part: ContextPiece["part"]): string | null {
  if (!isNoMoreSecretThan(label, "private")) return "it is or was encrypted";
  if (label.integrity === "untrusted" && part !== "focus") {
    return "its text came from elsewhere; it is shown only when it is the focus, or found by recall";
  }
  return null;
}

function fit({ part, id, why, similarity, nodes }: Wanted, tokens: number): ContextPiece | null {
  const score = similarity === null ? "" : ` ${similarity.toFixed(2)}`;
  const head = `${heads[part]}${score} [${id}]`;
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
