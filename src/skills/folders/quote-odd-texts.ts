import { isMap, isScalar, parseDocument } from "yaml";
import { limitKeyOf } from "./limit-keys.ts";

const keyLine = /^(["']?)([\w-]+)\1[ \t]*:(?=\s|$)/;
/** A line that begins a key of the standard, wherever it stands. */
const ownKeyLine =
  /^\s*["']?(?:name|description|license|compatibility|metadata|(?:dis)?allowed[-_]tools)["']?[ \t]*:/im;
/** The keys whose values are texts. */
const textKeys: ReadonlySet<string> = new Set(["name", "description", "license", "compatibility"]);

/**
 * A head with quotes around each value that YAML does not take, and around each text that it takes for a
 * list or a mapping, or would cut at a `#`. All else stays as it is, in the same lines; the value of
 * a limit of tools always does.
 */
export function quoteOddTexts(head: string): string {
  const blocks = head.replaceAll(/^#.*$/gm, "").split(/\n(?=[^\s-])/);
  return blocks.map(quoteOdd).join("\n");
}

/** A block is a line that begins at the margin, and what is indented below. */
function quoteOdd(block: string): string {
  const [start, , key = ""] = keyLine.exec(block) ?? [];
  if (start === undefined || limitKeyOf(key, []) !== null) return block;
  const [first = "", ...below] = block.slice(start.length).split("\n");
  // What is indented by mistake may be a key of its own: no text takes it in.
  if (below.some((line) => ownKeyLine.test(line))) return block;
  if (!isRefused(block) && !(textKeys.has(key) && isMisread(block, first.trim()))) return block;
  return `${start} ${JSON.stringify(textIn(first.trim(), below))}${"\n".repeat(below.length)}`;
}

const parse = (block: string) => parseDocument(block, { schema: "failsafe", logLevel: "silent" });

function isRefused(block: string): boolean {
  return parse(block).errors.length > 0;
}

/** Whether YAML takes a plain text for something else, or a part of it for a comment. */
function isMisread(block: string, first: string): boolean {
  if (/^["'|>]/.test(first)) return false;
  const { contents } = parse(block);
  return /\s#/.test(block) || !isMap(contents) || !isScalar(contents.items[0]?.value);
}

function textIn(first: string, below: readonly string[]): string {
  const lines = below.map((line) => line.trim());
  if (/^[|>][-+0-9]*$/.test(first)) return lines.join(first.startsWith("|") ? "\n" : " ").trim();
  const whole = [first, ...lines].join(" ").trim();
  const quoted = /^"(.*)"$|^'(.*)'$/s.exec(whole);
  return quoted?.[1] ?? quoted?.[2] ?? whole;
}
