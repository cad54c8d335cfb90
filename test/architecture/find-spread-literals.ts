import { parseAst } from "rolldown/parseAst";

type Node = { readonly type: string; readonly [key: string]: unknown };

/** Every source has at most a few of these; most have none and need not be parsed. */
const mayHaveOne = /\.\.\.[\s(]*[[{]/;

/** The spreads of object and array literals in a TypeScript source, as they are written: `...{ a, b }` or `...["x", "y"]`. */
export function findSpreadLiterals(source: string, file: string): readonly string[] {
  if (!mayHaveOne.test(source)) return [];
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item);
    if (!isNode(value)) return;
    if (value.type === "SpreadElement" && isLiteral(value["argument"])) {
      found.push(source.slice(Number(value["start"]), Number(value["end"])));
    }
    for (const child of Object.values(value)) walk(child);
  };
  walk(parseAst(source, { lang: "ts", astType: "ts" }, file));
  return found;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** True for a literal in parentheses or with a type beside it, too. */
function isLiteral(node: unknown): boolean {
  if (!isNode(node)) return false;
  switch (node.type) {
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return isLiteral(node["expression"]);
    default:
      return node.type === "ObjectExpression" || node.type === "ArrayExpression";
  }
}
