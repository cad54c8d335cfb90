import { parseAst } from "rolldown/parseAst";

type Node = { readonly type: string; readonly [key: string]: unknown };

const starters = /^(?:spawn|execFile|exec)(?:Sync)?$/;

/**
 * The programs that a source starts by a name that the environment of who started it decides on, as they are
 * written.
 */
export function findStartedPrograms(source: string, file: string): readonly string[] {
  if (!source.includes("child_process")) return [];
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item);
    if (!isNode(value)) return;
    if (value.type === "CallExpression" && startsProgram(value["callee"], source)) {
      const [program, ...rest] = listOf(value["arguments"]);
      const isFound = rest.some((part) =>
        /\bPATH: (?:systemPath|programs|path)\b/.test(textOf(part, source)),
      );
      if (!isFound && !isAbsolute(program, source)) found.push(textOf(program, source));
    }
    for (const child of Object.values(value)) walk(child);
  };
  walk(parseAst(source, { lang: "ts", astType: "ts" }, file));
  return found;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function startsProgram(callee: unknown, source: string): boolean {
  const text = textOf(callee, source);
  return starters.test(text) || /^promisify\((?:execFile|exec)\)$/.test(text);
}

function isAbsolute(program: unknown, source: string): boolean {
  return /^["'`]\/|^process\.execPath$/.test(textOf(program, source));
}

function textOf(node: unknown, source: string): string {
  return isNode(node) ? source.slice(Number(node["start"]), Number(node["end"])) : "";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
