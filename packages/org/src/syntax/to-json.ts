import type { Timestamp } from "../time/timestamp.ts";
import type { AffiliatedValue, NodeOf, OrgNode } from "./node.ts";

/** How offsets are counted: in UTF-16 code units, in characters, or in bytes of UTF-8. */
export type Units = "utf16" | "char" | "byte";

/** How a tree is printed. Without `text`, what stands between objects is left out. */
export type JsonOptions = { readonly units?: Units; readonly text?: boolean };

/**
 * A tree as one line of JSON, in pieces, in the form that a batch Emacs prints its own tree in: names, order and what is left out are the
 * same. It has no recursion, so that no nesting is too deep.
 */
export function* treeToJson(text: string, tree: OrgNode, form: JsonOptions = {}): Generator<string> {
  const offset = offsetsIn(text, form.units ?? "utf16");
  const withText = form.text ?? true;
  let written = "";
  const left: Piece[] = [tree];
  for (let piece = left.pop(); piece !== undefined; piece = left.pop()) {
    if (typeof piece === "string") written += piece;
    else if (piece.type === "text")
      written += `{"type":"text","value":${quoteJson(text.slice(piece.begin, piece.end))}}`;
    else {
      const pieces = piecesOf(piece, offset, withText);
      for (let index = pieces.length - 1; index >= 0; index -= 1) left.push(pieces[index] ?? "");
    }
    if (written.length < pieceLength) continue;
    yield written;
    written = "";
  }
  yield written;
}

/** Offsets as they are counted in some units. */
export function offsetsIn(text: string, units: Units): (at: number) => number {
  if (units === "utf16") return (at) => at;
  const counts = new Uint32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    counts[at] = count;
    const point = text.codePointAt(at) ?? 0;
    count += widthOf(point, units);
    if (point <= 0xffff) continue;
    at += 1;
    counts[at] = count;
  }
  counts[text.length] = count;
  return (at) => counts[at] ?? count;
}

/** A value as JSON. Bytes that are not UTF-8 are written as Emacs writes them, as a backslash and three octal digits. */
export function quoteJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!json.includes("\\udc")) return json;
  return json.replace(/(?<!\\)((?:\\\\)*)\\udc([89a-f][0-9a-f])/g, (_, before: string, byte: string) => {
    const octal = Number.parseInt(byte, 16).toString(8);
    return `${before}\\\\${octal}`;
  });
}

const pieceLength = 65_536;

type Piece = string | OrgNode;
type Offset = (at: number) => number;

function piecesOf(node: OrgNode, offset: Offset, withText: boolean): Piece[] {
  const pieces: Piece[] = ["{"];
  for (const [name, value] of nodeEntries(node, offset)) {
    const comma = pieces.length > 1 ? "," : "";
    if (isNode(value)) pieces.push(`${comma}"${name}":`, value);
    else if (!isNodes(value)) pieces.push(`${comma}"${name}":${quoteJson(value)}`);
    else addNodes(pieces, name, shown(value, withText));
  }
  pieces.push("}");
  return pieces;
}

/**
 * What the tree says of a node, in the order in which it is printed: its type, its range, its properties, and
 * the nodes in it. What is empty is left out.
 */
export function* nodeEntries(node: OrgNode, offset: Offset): Generator<readonly [string, unknown]> {
  const { type, begin, end, contentsBegin, contentsEnd, postBlank, postAffiliated, children } = node;
  yield ["type", type];
  yield ["begin", offset(begin)];
  yield ["end", offset(end)];
  if (contentsBegin !== -1) {
    yield ["contentsBegin", offset(contentsBegin)];
    yield ["contentsEnd", offset(contentsEnd)];
  }
  if (postBlank > 0) yield ["postBlank", postBlank];
  for (const entry of Object.entries(propertiesOf(node))) if (!isEmpty(entry[1])) yield entry;
  if (postAffiliated > begin) {
    yield ["postAffiliated", offset(postAffiliated)];
    if (node.affiliated !== null) yield ["affiliated", affiliatedOf(node.affiliated)];
  }
  if (children.length > 0) yield ["children", children];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function shown(nodes: readonly OrgNode[], withText: boolean): readonly OrgNode[] {
  return withText ? nodes : nodes.filter(({ type }) => type !== "text");
}

function addNodes(pieces: Piece[], name: string, nodes: readonly OrgNode[]): void {
  if (nodes.length === 0) return;
  pieces.push(`,"${name}":[`);
  for (const [index, node] of nodes.entries()) {
    if (index > 0) pieces.push(",");
    pieces.push(node);
  }
  pieces.push("]");
}

/** Whether a value of a node is another node. */
export function isNode(value: unknown): value is OrgNode {
  return typeof value === "object" && value !== null && "contentsBegin" in value;
}

/** Whether a value of a node is a list of other nodes. */
export function isNodes(value: unknown): value is readonly OrgNode[] {
  return Array.isArray(value) && isNode(value[0]);
}

/** A node's properties as they are printed. */
function propertiesOf(node: OrgNode): object {
  if (node.type === "timestamp") return timestampProperties(node.properties.timestamp);
  if (node.type === "headline" || node.type === "inlinetask") {
    const { level, rawValue, todoKeyword, todoType, priority, ...rest } = node.properties;
    return { level, rawValue, todoKeyword, todoType, priority: priorityText(priority), ...rest };
  }
  if (node.type === "src-block" && node.properties.numberLines)
    return { ...node.properties, numberLines: numberingText(node) };
  return node.properties;
}

/** Emacs holds a priority as one number, a letter as its code: `[#33]` is printed as the character 33. */
function priorityText(priority: string | null): string | null {
  if (priority === null || !/^\d/.test(priority)) return priority;
  const value = Number(priority);
  return value < 32 ? String(value) : String.fromCharCode(value);
}

function numberingText({ properties: { numberLines } }: NodeOf<"src-block">): string {
  return `(${numberLines?.kind ?? "new"} . ${numberLines?.before ?? 0})`;
}

function timestampProperties({ kind, raw, start, last, repeater, warning }: Timestamp): object {
  const diary = kind === "diary";
  return {
    timestampType: kind,
    rawValue: raw,
    yearStart: diary ? null : start.year,
    monthStart: diary ? null : start.month,
    dayStart: diary ? null : start.day,
    hourStart: start.hour,
    minuteStart: start.minute,
    yearEnd: diary ? null : last.year,
    monthEnd: diary ? null : last.month,
    dayEnd: diary ? null : last.day,
    hourEnd: last.hour,
    minuteEnd: last.minute,
    repeaterType: repeater?.type,
    repeaterValue: repeater?.value,
    repeaterUnit: repeater?.unit,
    repeaterDeadlineValue: repeater?.deadline?.value,
    repeaterDeadlineUnit: repeater?.deadline?.unit,
    warningType: warning?.type,
    warningValue: warning?.value,
    warningUnit: warning?.unit,
  };
}

const firstKeywords = ["NAME", "PLOT", "CAPTION", "HEADER", "RESULTS"];

function affiliatedOf(affiliated: ReadonlyMap<string, AffiliatedValue>): object {
  const names = [
    ...firstKeywords.filter((name) => affiliated.has(name)),
    ...[...affiliated.keys()].filter((name) => !firstKeywords.includes(name)),
  ];
  return Object.fromEntries(names.map((name) => [name, affiliated.get(name)]));
}

function widthOf(point: number, units: Units): number {
  if (units === "char" || point < 0x80 || (point >= 0xdc80 && point <= 0xdcff)) return 1;
  return point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}
