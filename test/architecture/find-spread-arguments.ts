import { parseAst } from "rolldown/parseAst";

type Node = { readonly type: string; readonly [key: string]: unknown };

/** Most sources have none of these and need not be parsed. */
const mayHaveOne = /(?:push|unshift|max|min|joinLabels|fromCharCode|fromCodePoint)\(/;

const takers = new Set(["push", "unshift", "max", "min", "joinLabels", "fromCharCode", "fromCodePoint"]);

/**
 * The calls in a TypeScript source that get a list as their arguments, of functions that are given lists of
 * any length.
 */
export function findSpreadArguments(source: string, file: string): readonly string[] {
  if (!mayHaveOne.test(source)) return [];
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item);
    if (!isNode(value)) return;
    const given = value["arguments"];
    if (value.type === "CallExpression" && takers.has(calledName(value["callee"])) && Array.isArray(given)) {
      const spread: unknown = given.find((one) => isNode(one) && one.type === "SpreadElement");
      if (isNode(spread)) found.push(source.slice(Number(value["start"]), Number(value["end"])));
    }
    for (const child of Object.values(value)) walk(child);
  };
  walk(parseAst(source, { lang: "ts", astType: "ts" }, file));
  return found;
}

function calledName(callee: unknown): string {
  if (!isNode(callee)) return "";
  const named = callee.type === "MemberExpression" ? callee["property"] : callee;
  return isNode(named) && typeof named["name"] === "string" ? named["name"] : "";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
