import type { NodeOf, OrgNode } from "../syntax/node.ts";
import { type OrgProblem, quoteExcerpt } from "./check-problem.ts";

/** The names that links of a file may target, and the problems that only its syntax tree shows. */
export type TreeCheck = { readonly names: ReadonlySet<string>; readonly problems: readonly OrgProblem[] };

type Named = { readonly name: string; readonly at: number };

/** Looks through a syntax tree: names, targets, footnotes and blocks of code. */
export function checkTree(tree: NodeOf<"org-data">): TreeCheck {
  const nodes = [...walk(tree)];
  const names = nodes.flatMap(namesOf);
  const targets = nodes.flatMap((node) =>
    node.type === "target" || node.type === "radio-target"
      ? [{ name: node.properties.value, at: node.begin }]
      : [],
  );
  const definitions = nodes.flatMap(definitionsOf);
  const references = nodes.flatMap((node) =>
    node.type === "footnote-reference" && node.properties.label !== null
      ? [{ name: node.properties.label, at: node.begin }]
      : [],
  );
  return {
    names: new Set([...names, ...targets].map(({ name }) => name)),
    problems: [
      ...duplicates(names, "duplicate-name", "the name"),
      ...duplicates(targets, "duplicate-target", "the target"),
      ...duplicates(definitions, "duplicate-footnote", "the footnote"),
      ...missing(references, definitions, ({ name, at }) => {
        return {
          at,
          code: "undefined-footnote",
          message: `the footnote ${quoteExcerpt(name)} is not defined. Add a definition, or remove the reference.`,
        };
      }),
      ...missing(definitions, references, ({ name, at }) => {
        return {
          at,
          code: "unused-footnote",
          message: `nothing refers to the footnote ${quoteExcerpt(name)}. Remove it, or refer to it.`,
        };
      }),
      ...nodes.flatMap(checkBlock),
    ],
  };
}

function namesOf({ affiliated, begin }: OrgNode): readonly Named[] {
  const name = affiliated?.get("NAME");
  return typeof name === "string" && name !== "" ? [{ name, at: begin }] : [];
}

function definitionsOf(node: OrgNode): readonly Named[] {
  if (node.type === "footnote-definition") return [{ name: node.properties.label, at: node.begin }];
  if (node.type !== "footnote-reference" || node.properties.refType !== "inline") return [];
  return node.properties.label === null ? [] : [{ name: node.properties.label, at: node.begin }];
}

function duplicates(all: readonly Named[], code: string, what: string): readonly OrgProblem[] {
  const seen = new Set<string>();
  return all.flatMap(({ name, at }) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [
      { at, code, message: `${what} ${quoteExcerpt(name)} is used more than once. Rename one of them.` },
    ];
  });
}

function missing(
  all: readonly Named[],
  from: readonly Named[],
  tell: (one: Named) => OrgProblem,
): readonly OrgProblem[] {
  const known = new Set(from.map(({ name }) => name));
  return all.filter(({ name }) => !known.has(name)).map(tell);
}

function checkBlock(node: OrgNode): readonly OrgProblem[] {
  const at = node.postAffiliated;
  if (node.type === "src-block" && node.properties.language === null) {
    return [
      {
        at,
        code: "block-without-language",
        message: "this source block names no language. Write it after #+begin_src.",
      },
    ];
  }
  if (node.type === "export-block" && node.properties.backend === null) {
    return [
      {
        at,
        code: "block-without-backend",
        message: "this export block names no backend. Write it after #+begin_export.",
      },
    ];
  }
  return [];
}

function* walk(tree: OrgNode): Generator<OrgNode> {
  const waiting: OrgNode[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const inside = [...partsOf(node), ...node.children];
    for (const child of inside.toReversed()) waiting.push(child);
  }
}

function partsOf(node: OrgNode): readonly OrgNode[] {
  if (node.type === "headline" || node.type === "inlinetask") return node.properties.title;
  return node.type === "item" ? node.properties.tag : [];
}
