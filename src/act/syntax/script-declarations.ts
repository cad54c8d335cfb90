import type { ParseResult } from "@babel/parser";
import { lineFinder } from "./line-finder.ts";

type Statement = ParseResult["program"]["body"][number];

/** A declaration of a file, by its name with those around it: `Shop.open`. Lines from 1; offsets of the whole lines that it stands on, with the comment right above. */
export type Declaration = {
  readonly name: string;
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  readonly begin: number;
  readonly end: number;
};

type Node = {
  readonly start?: number | null;
  readonly end?: number | null;
  readonly leadingComments?: readonly Node[] | null;
};
type Found = { readonly name: string; readonly kind: string; readonly node: Node };

/** The declarations of a script in their order: functions, classes with their members, variables, types, and calls such as `test("name", …)`. Variables of one statement are one declaration. Two of one name are numbered. */
export function scriptDeclarations(text: string, body: readonly Statement[]): readonly Declaration[] {
  const lineAt = lineFinder(text);
  const taken = new Map<string, number>();
  return joinOverloads(body.flatMap((statement) => declared(statement, statement))).map(
    ({ name, kind, first, last }) => {
      const begin = lineBegin(text, beginOf(text, first));
      const end = last.end ?? begin;
      const to = lineAt(Math.max(begin, end - 1));
      return { name: numbered(name, taken), kind, from: lineAt(begin), to, begin, end };
    },
  );
}

/** The name, or where that is taken the first of `name#2`, `name#3`, … that is free. It is taken from then on. */
export function numbered(name: string, taken: Map<string, number>): string {
  let count = taken.get(name) ?? 1;
  const candidate = (): string => (count === 1 ? name : `${name}#${count}`);
  while (taken.has(candidate())) count += 1;
  const free = candidate();
  taken.set(name, count).set(free, 1);
  return free;
}

/** Kinds of statements that have one name and nothing inside that has one. */
const plainKinds: ReadonlyMap<string, string> = new Map([
  ["FunctionDeclaration", "function"],
  ["TSDeclareFunction", "function"],
  ["TSInterfaceDeclaration", "interface"],
  ["TSTypeAliasDeclaration", "type"],
  ["TSEnumDeclaration", "enum"],
]);

type Declared = Statement | DefaultExport["declaration"];
type DefaultExport = Extract<Statement, { readonly type: "ExportDefaultDeclaration" }>;

function declared(statement: Declared, whole: Node): readonly Found[] {
  if (statement.type === "ExportNamedDeclaration")
    return statement.declaration == null ? [] : declared(statement.declaration, whole);
  if (statement.type === "ExportDefaultDeclaration") {
    const found = declared(statement.declaration, whole);
    return found.length > 0 ? found : [{ name: "default", kind: "value", node: whole }];
  }
  if (statement.type === "ClassDeclaration")
    return classMembers(statement.id?.name ?? "default", statement.body.body, whole);
  if (statement.type === "VariableDeclaration") {
    const names = statement.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
    return names.length === 0 ? [] : [{ name: names.join(", "), kind: statement.kind, node: whole }];
  }
  if (statement.type === "ExpressionStatement") return namedCall(statement.expression, whole);
  const kind = plainKinds.get(statement.type);
  if (kind === undefined || !("id" in statement)) return [];
  const { id } = statement;
  return [{ name: id?.type === "Identifier" ? id.name : "default", kind, node: whole }];
}

type Member = Extract<Statement, { readonly type: "ClassDeclaration" }>["body"]["body"][number];

function classMembers(name: string, members: readonly Member[], whole: Node): readonly Found[] {
  const own = members.flatMap((member): readonly Found[] => {
    if (!("key" in member)) return [];
    const isComputed = "computed" in member && member.computed === true;
    const word = isComputed ? null : wordOf(member.key);
    const kind = "kind" in member && typeof member.kind === "string" ? member.kind : "field";
    return word === null ? [] : [{ name: `${name}.${word}`, kind, node: member }];
  });
  return [{ name, kind: "class", node: whole }, ...own];
}

type Key = Extract<Member, { readonly key: unknown }>["key"];

/** The name of a member; null where it has none that is written out. */
function wordOf(key: Key): string | null {
  if (key.type === "Identifier") return key.name;
  if (key.type === "PrivateName") return `#${key.id.name}`;
  return key.type === "StringLiteral" || key.type === "NumericLiteral" ? String(key.value) : null;
}

type Expression = Extract<Statement, { readonly type: "ExpressionStatement" }>["expression"];

/** A call whose first argument is a text, as tests are written. */
function namedCall(expression: Expression, whole: Node): readonly Found[] {
  if (expression.type !== "CallExpression") return [];
  const { callee } = expression;
  const called = callee.type === "MemberExpression" ? callee.object : callee;
  const [first] = expression.arguments;
  return called.type === "Identifier" && first?.type === "StringLiteral"
    ? [{ name: first.value, kind: called.name, node: whole }]
    : [];
}

type Joined = { readonly name: string; readonly kind: string; readonly first: Node; readonly last: Node };

/** Overloads of a function that follow each other are one declaration. */
function joinOverloads(found: readonly Found[]): readonly Joined[] {
  const joined: Joined[] = [];
  for (const { name, kind, node } of found) {
    const before = joined.at(-1);
    const isOverload = before?.name === name && before.kind === kind && /^(?:function|method)$/.test(kind);
    if (isOverload) joined.splice(-1, 1, { ...before, last: node });
    else joined.push({ name, kind, first: node, last: node });
  }
  return joined;
}

/** Where a declaration begins, with the comment right above it. */
function beginOf(text: string, node: Node): number {
  let begin = node.start ?? 0;
  for (const { start, end } of (node.leadingComments ?? []).toReversed()) {
    if (start == null || end == null || /\S/.test(text.slice(end, begin))) break;
    if ((text.slice(end, begin).match(/\n/g)?.length ?? 0) > 1 || !isAlone(text, start)) break;
    begin = start;
  }
  return begin;
}

/** Whether nothing but blanks stands before a place on its line. */
function isAlone(text: string, at: number): boolean {
  return /^\uFEFF?[ \t]*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at));
}

/** The start of the line, where nothing but blanks stands before. A byte order mark stays before it. */
function lineBegin(text: string, at: number): number {
  if (!isAlone(text, at)) return at;
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return text.startsWith("\uFEFF", start) ? start + 1 : start;
}
