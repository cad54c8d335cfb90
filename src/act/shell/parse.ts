import type { Language, Node, Parser } from "web-tree-sitter";
import { pushAll } from "../../text/lists.ts";
import type { Glob, Pipeline, Redirect, ShellProgram, SimpleCommand } from "./program.ts";
import { unreadable } from "./unreadable.ts";
import { type ReadText, unwrapProgram } from "./unwrap-program.ts";
import { readWords, type Word } from "./words.ts";

/** The bytes of tree-sitter's WebAssembly runtime and of its bash grammar. */
export type BashGrammarFiles = { readonly runtime: Uint8Array; readonly grammar: Uint8Array };

/** Parses command lines. A line that it does not understand to the last byte is `opaque`. Never throws. */
export type ShellParser = {
  /** A leading `~` means `home`. */
  readonly parse: (cmd: string, home: string) => Promise<ShellProgram>;
};

/** Makes a parser that loads tree-sitter on first use. While loading fails, every command is opaque. */
export function openShellParser(load: () => Promise<BashGrammarFiles>): ShellParser {
  let loading: Promise<Parser> | null = null;
  return {
    parse: async (cmd, home) => {
      loading ??= start(load);
      try {
        const parser = await loading;
        const readText: ReadText = (text) => {
          const refused = unreadable(text);
          return refused === null ? read(parser, text, home) : opaque(refused);
        };
        return unwrapProgram(readText(cmd), readText);
      } catch (fault) {
        loading = null;
        return opaque(`the shell parser failed (${fault instanceof Error ? fault.message : String(fault)})`);
      }
    },
  };
}

async function start(load: () => Promise<BashGrammarFiles>): Promise<Parser> {
  const [treeSitter, files] = await Promise.all([import("web-tree-sitter"), load()]);
  await treeSitter.Parser.init({ wasmBinary: files.runtime });
  const language: Language = await treeSitter.Language.load(files.grammar);
  return new treeSitter.Parser().setLanguage(language);
}

function opaque(reason: string): Extract<ShellProgram, { readonly kind: "opaque" }> {
  return { kind: "opaque", reason };
}

/** Thrown and caught in this file only: ends the walk with a reason. */
class NotUnderstood extends Error {}

type Source = { readonly cmd: string; readonly home: string };

function read(parser: Parser, cmd: string, home: string): ShellProgram {
  const tree = parser.parse(cmd);
  if (tree === null) return opaque("it does not parse");
  try {
    if (tree.rootNode.hasError) return opaque("it does not parse as a shell command");
    const pipelines = readProgram(tree.rootNode, { cmd, home });
    return pipelines.length === 0 ? opaque("it is empty") : { kind: "plain", pipelines };
  } catch (fault) {
    if (fault instanceof NotUnderstood) return opaque(fault.message);
    throw fault;
  } finally {
    tree.delete();
  }
}

function readProgram(root: Node, source: Source): readonly Pipeline[] {
  const pipelines: Pipeline[] = [];
  const between = gaps(root, source);
  if (root.startIndex > 0 && !blank(source.cmd.slice(0, root.startIndex), true)) fail(root);
  if (!blank(source.cmd.slice(root.endIndex), true)) fail(root);
  const children = root.children;
  for (const [index, child] of children.entries()) {
    if (!blank(between[index] ?? "", true)) fail(child);
    if (child.type === ";") {
      if (index === 0 || children[index - 1]?.isNamed !== true) fail(child);
      continue;
    }
    if (child.type === "\n") continue;
    if (child.type === "&") throw new NotUnderstood("it leaves a program in the background");
    const last = pipelines.pop();
    if (last !== undefined) pipelines.push({ ...last, next: ";" });
    pushAll(pipelines, readStatement(child, source));
  }
  return pipelines;
}

/** The text between the children of a node: before each child and after the last. */
function gaps(node: Node, source: Source): readonly string[] {
  const found: string[] = [];
  let at = node.startIndex;
  for (const child of node.children) {
    found.push(source.cmd.slice(at, child.startIndex));
    at = child.endIndex;
  }
  return [...found, source.cmd.slice(at, node.endIndex)];
}

function blank(text: string, lines: boolean): boolean {
  return lines ? /^(?:[ \t\n]|\\\n)*$/.test(text) : /^(?:[ \t]|\\\n)*$/.test(text);
}

function fail(node: Node): never {
  throw new NotUnderstood(reasons.get(node.type) ?? `it has a part that is not understood (${node.type})`);
}

const reasons = new Map([
  ["subshell", "it runs commands in a subshell"],
  ["compound_statement", "it groups commands"],
  ["function_definition", "it defines a function"],
  ["declaration_command", "it changes the shell's variables"],
  ["unset_command", "it changes the shell's variables"],
  ["variable_assignment", "it changes the shell's variables"],
  ["variable_assignments", "it changes the shell's variables"],
  ["for_statement", "it has a loop"],
  ["c_style_for_statement", "it has a loop"],
  ["while_statement", "it has a loop"],
  ["if_statement", "it has a condition"],
  ["case_statement", "it has a condition"],
  ["test_command", "it has a shell condition"],
  ["heredoc_redirect", "it has a here-document"],
  ["comment", "it has a comment"],
]);

/** Reads a list such as `a && b || c`. It is nested to the left: walks down the first children and reads on the way back. */
function readStatement(statement: Node, source: Source): readonly Pipeline[] {
  const lists: Node[] = [];
  let node = statement;
  while (node.type === "list" && node.childCount > 0) {
    lists.push(node);
    node = child(node, 0);
  }
  const isRedirected = node.type === "redirected_statement";
  const pipelines = isRedirected ? [...redirected(node, source)] : [readPipeline(node, source)];
  for (const list of lists.reverse()) {
    const [, operator, right] = exactly(list, 3, source);
    const connector = operator?.type;
    if (right === undefined || (connector !== "&&" && connector !== "||")) fail(list);
    const last = pipelines.pop();
    if (last !== undefined) pipelines.push({ ...last, next: connector });
    pipelines.push(readPipeline(right, source));
  }
  return pipelines;
}

function child(node: Node, index: number): Node {
  return node.child(index) ?? fail(node);
}

function exactly(node: Node, count: number, source: Source): readonly Node[] {
  if (node.childCount !== count || gaps(node, source).some((gap) => !blank(gap, true))) fail(node);
  return node.children;
}

function readPipeline(node: Node, source: Source): Pipeline {
  if (node.type === "negated_command") {
    const [, inner] = exactly(node, 2, source);
    if (inner === undefined || inner.type === "negated_command") fail(node);
    return { ...readPipeline(inner, source), negated: true };
  }
  if (node.type === "redirected_statement") {
    const [only, ...more] = redirected(node, source);
    if (only === undefined || more.length > 0) fail(node);
    return only;
  }
  if (node.type !== "pipeline") return { commands: [readCommand(node, source)], negated: false, next: null };
  if (gaps(node, source).some((gap) => !blank(gap, true))) fail(node);
  const commands: SimpleCommand[] = [];
  for (const [index, part] of node.children.entries()) {
    if (index % 2 === 0) {
      const inner = readPipeline(part, source);
      if (inner.negated || inner.commands.length === 0) fail(part);
      pushAll(commands, inner.commands);
    } else if (part.type === "|&") {
      const last = commands.pop();
      if (last === undefined) fail(part);
      commands.push({ ...last, redirects: [...last.redirects, { fd: 2, op: ">&", target: "1" }] });
    } else if (part.type !== "|") fail(part);
  }
  return { commands, negated: false, next: null };
}

/** Reads a redirected statement. tree-sitter attaches a redirection to the whole statement; it belongs to the last command before it. */
function redirected(node: Node, source: Source): readonly Pipeline[] {
  const [body, ...redirects] = node.children;
  if (body === undefined || body.type === node.type || gaps(node, source).some((gap) => !blank(gap, false))) {
    fail(node);
  }
  const pipelines = [...readStatement(body, source)];
  const pipeline = pipelines.pop();
  const last = pipeline?.commands.at(-1);
  if (pipeline === undefined || last === undefined) fail(node);
  const added = redirects.map((redirect) => readRedirect(redirect, source));
  const command = { ...last, redirects: [...last.redirects, ...added] };
  return [...pipelines, { ...pipeline, commands: [...pipeline.commands.slice(0, -1), command] }];
}

function readCommand(node: Node, source: Source): SimpleCommand {
  if (node.type === "test_command") return readTest(node, source);
  if (node.type !== "command") fail(node);
  const assignments: { name: string; value: string }[] = [];
  const argv: string[] = [];
  const globs: Glob[] = [];
  const redirects: Redirect[] = [];
  const between = gaps(node, source);
  if (between.some((gap) => !blank(gap, false))) fail(node);
  for (const [index, part] of node.children.entries()) {
    if (part.type === "variable_assignment") {
      const [name, , value] = part.children;
      if (name?.type !== "variable_name" || child(part, 1).type !== "=" || part.childCount > 3) fail(part);
      assignments.push({ name: name.text, value: value === undefined ? "" : oneWord(value, source) });
    } else if (part.type === "file_redirect" || part.type === "herestring_redirect") {
      redirects.push(readRedirect(part, source));
    } else {
      // Words without a blank between them are one word of bash: the grammar parts it at `$"…"` and at the end of a line that goes on.
      if (index > 0 && !/[ \t]/.test(between[index] ?? ""))
        throw new NotUnderstood("it has a word in several parts that are not read as one");
      const { text, pattern } = readWord(part, source);
      if (pattern !== null) globs.push({ at: argv.length, pattern });
      argv.push(text);
    }
  }
  if (globs[0]?.at === 0) throw new NotUnderstood("a pattern stands for its program");
  const program = argv[0];
  if (program === undefined || program === "") fail(node);
  if (program.startsWith("%")) throw new NotUnderstood("it names a job of the shell");
  return { assignments, argv, redirects, ...(globs.length === 0 ? {} : { globs }) };
}

/** `[ … ]` is the program `[`; `[[ … ]]` is a builtin of the shell. */
function readTest(node: Node, source: Source): SimpleCommand {
  const text = node.text;
  if (!text.startsWith("[ ") || !text.endsWith(" ]")) fail(node);
  const inner = readWords(text.slice(1, -1), source.home);
  if (!inner.ok) throw new NotUnderstood(inner.reason);
  return { assignments: [], argv: ["[", ...inner.words.map(asText), "]"], redirects: [] };
}

function oneWord(node: Node, source: Source): string {
  return asText(readWord(node, source));
}

/** The word where no list of files can stand. */
function asText({ text, pattern }: Word): string {
  if (pattern !== null) throw new NotUnderstood("it has a pattern that stands for file names");
  return text;
}

function readWord(node: Node, source: Source): Word {
  const words = readWords(source.cmd.slice(node.startIndex, node.endIndex), source.home);
  if (!words.ok) throw new NotUnderstood(words.reason);
  const [word] = words.words;
  if (word === undefined || words.words.length !== 1) fail(node);
  return word;
}

const operators = new Map<string, Redirect["op"]>(
  (["<", ">", ">>", ">|", "&>", "&>>", ">&", "<<<"] as const).map((op) => [op, op]),
);

function readRedirect(node: Node, source: Source): Redirect {
  const parts = [...node.children];
  const descriptor = parts[0]?.type === "file_descriptor" ? parts.shift()?.text : undefined;
  const [operator, destination] = parts;
  const op = operators.get(operator?.type ?? "");
  const isKnown = operator !== undefined && descriptor === descriptorBefore(operator, source);
  if (!isKnown || op === undefined || destination === undefined || parts.length !== 2) {
    throw new NotUnderstood("it has a redirection that is not understood");
  }
  if (gaps(node, source).some((gap) => !blank(gap, false))) fail(node);
  const fd = descriptor === undefined ? (op.startsWith("<") ? 0 : 1) : Number(descriptor);
  const target = oneWord(destination, source);
  const understood = op === ">&" ? (fd === 1 && target === "2") || (fd === 2 && target === "1") : true;
  if (!understood || !Number.isInteger(fd) || fd > 2 || (op.startsWith("<") && fd !== 0)) {
    throw new NotUnderstood("it has a redirection that is not understood");
  }
  return { fd, op, target };
}

/**
 * The descriptor that bash reads before an operator: digits alone that are a word of their own. The grammar
 * takes `-1` for one, and overlooks others.
 */
function descriptorBefore(operator: Node, { cmd }: Source): string | undefined {
  if (operator.type.startsWith("&")) return undefined;
  const before = cmd.slice(0, operator.startIndex).replaceAll("\\\n", "");
  return /(?:^|(?<!\\)[ \t\n;|&])(\d+)$/.exec(before)?.[1];
}
