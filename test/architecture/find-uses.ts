import { parseAst } from "rolldown/parseAst";

/** What one source file imports and which free names it mentions. */
export type Uses = {
  /** Every static, dynamic and type import and re-export. `spec` is null where a dynamic import computes it. */
  readonly imports: readonly { readonly spec: string | null; readonly typeOnly: boolean }[];
  /** Every identifier that is not a property's name, and `Math.random`. A local of the same name counts: call it otherwise. */
  readonly globals: readonly string[];
  /** Names declared by `let` or `var` at the top of the module. */
  readonly mutable: readonly string[];
};

type Node = { readonly type: string; readonly [key: string]: unknown };

/** Reads a TypeScript source by its syntax tree, so that comments and strings are not taken for code. */
export function findUses(source: string, file: string): Uses {
  const program: unknown = parseAst(source, { lang: "ts", astType: "ts" }, file);
  const imports: { spec: string | null; typeOnly: boolean }[] = [];
  const globals = new Set<string>();
  const mutable: string[] = [];
  const walk = (value: unknown, parent: Node | null, key: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, parent, key);
    if (!isNode(value)) return;
    const imported = importOf(value);
    if (imported !== null) imports.push(imported);
    if (value.type === "Identifier" && isFree(value, parent, key)) globals.add(String(value["name"]));
    if (isRandom(value, parent, key)) globals.add("Math.random");
    if (value.type === "VariableDeclaration" && isTop(parent) && value["kind"] !== "const") {
      mutable.push(source.slice(Number(value["start"]), Number(value["end"])).replace(/^\w+\s+/, ""));
    }
    for (const [name, child] of Object.entries(value)) walk(child, value, name);
  };
  walk(program, null, "");
  return { imports, globals: [...globals], mutable };
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function isTop(parent: Node | null): boolean {
  return parent?.type === "Program" || parent?.type === "ExportNamedDeclaration";
}

function importOf(node: Node): { spec: string | null; typeOnly: boolean } | null {
  const typeOnly =
    node["importKind"] === "type" || node["exportKind"] === "type" || node.type === "TSImportType";
  switch (node.type) {
    case "ImportExpression":
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "TSImportType":
    case "TSExternalModuleReference":
      return { spec: literal(node["source"] ?? node["expression"]), typeOnly };
    case "ExportNamedDeclaration":
      return isNode(node["source"]) ? { spec: literal(node["source"]), typeOnly } : null;
    default:
      return null;
  }
}

function literal(node: unknown): string | null {
  return isNode(node) && node.type === "Literal" && typeof node["value"] === "string" ? node["value"] : null;
}

/** False for the names of properties, members and export aliases. */
function isFree(node: Node, parent: Node | null, key: string): boolean {
  if (parent === null) return true;
  if (key === "property" && parent.type === "MemberExpression") return parent["computed"] === true;
  if (key === "key") return parent["computed"] === true || parent["shorthand"] === true;
  if (key === "exported" || (key === "imported" && parent["local"] !== node)) return false;
  return !(key === "right" && parent.type === "TSQualifiedName");
}

/** `Math` as anything but `Math.name` with a name other than `random`. */
function isRandom(node: Node, parent: Node | null, key: string): boolean {
  if (node.type !== "Identifier" || node["name"] !== "Math" || !isFree(node, parent, key)) return false;
  if (parent?.type !== "MemberExpression" || parent["computed"] === true) return true;
  return isNode(parent["property"]) && parent["property"]["name"] === "random";
}
