import { type Operation, scanOutline } from "#org";
import type { Label } from "../../signal/label.ts";

/**
 * The operations that also mark the origin of the words of an operation: how far they are trusted, in one word; the table of origins has their sources. A new heading gets the property `ORIGIN` unless the words
 * are the owner's; an existing heading gets it when untrusted words come below it. In untrusted words, lines that would be headings
 * are quoted, and so are file keywords, which would apply to other nodes.
 */
export function addOrigin(operation: Operation, label: Label): readonly Operation[] {
  if (label.integrity === "user") return [operation];
  return label.integrity === "untrusted" ? marked(disarmed(operation), label) : marked(operation, label);
}

function marked(operation: Operation, label: Label): readonly Operation[] {
  const origin = label.integrity;
  const { op } = operation;
  if (op === "insert" || op === "capture")
    return [{ ...operation, text: markedEntry(operation.text ?? "", origin) }];
  if (op === "paste") return [{ ...operation, text: markedHeadings(operation.text, origin) }];
  if (label.integrity === "agent" || op === "checkbox") return [operation];
  const quotes = op === "append" || op === "body";
  return [mark(operation.at, origin), quotes ? { ...operation, text: quoted(operation.text) } : operation];
}

/** True for an operation that would change an origin. Only the owner may do that. */
export function changesOrigin(operation: Operation): boolean {
  return (
    (operation.op === "put" || operation.op === "delete-property") &&
    /^origin\+?$/i.test(operation.key.trim())
  );
}

function mark(at: string, origin: string): Operation {
  return { op: "put", at, key: "ORIGIN", value: origin };
}

const ownMark = /^[ \t]*:ORIGIN\+?:/i;

/** The text below a heading, with the property in its drawer. Adds the drawer if there is none. */
function markedEntry(text: string, origin: string): string {
  const lines = text.split("\n").filter((line) => !ownMark.test(line));
  const [heading] = scanOutline(["* a", ...lines, ""].join("\n")).headlines;
  const at = heading === undefined || heading.planning === null ? 0 : 1;
  const property = `:ORIGIN:   ${origin}`;
  const hasDrawer = heading !== undefined && heading.properties !== null;
  const drawer = hasDrawer ? [lines[at] ?? "", property] : [":PROPERTIES:", property, ":END:"];
  const rest = lines.slice(hasDrawer ? at + 1 : at);
  return [...lines.slice(0, at), ...drawer, ...(rest.join("") === "" ? [] : rest)].join("\n");
}

/** A new Org file of untrusted words, with the property at its top, where it applies to all headings. */
export function addOriginToFile(text: string, origin: string): string {
  const [first = ""] = text.split("\n", 1);
  const isPlanning = /^[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):/.test(first);
  return markedEntry(isPlanning ? `\n${text}` : text, origin);
}

function markedHeadings(text: string, origin: string): string {
  const [before = "", ...entries] = text.split(/^(?=\*+[ \t])/m);
  const all = /^\*+[ \t]/.test(before) ? [before, ...entries] : entries;
  const lead = all.length > entries.length ? "" : before;
  const marked = all.map((entry) => {
    const end = entry.indexOf("\n");
    const [heading, rest] = end === -1 ? [entry, ""] : [entry.slice(0, end), entry.slice(end + 1)];
    return `${heading}\n${markedEntry(rest, origin).replace(/\n*$/, "\n")}`;
  });
  return lead + marked.join("");
}

const fileKeyword =
  /^([ \t]*)(#\+(?:ARCHIVE|CATEGORY|CONSTANTS|DEPENDS_ON|FILETAGS|LINK|MACRO|PRIORITIES|PROPERTY|SEQ_TODO|SETUPFILE|STARTUP|TAGS|TITLE|TODO|TYP_TODO):)/gim;

function disarmed(operation: Operation): Operation {
  const plain = (text: string): string => text.replaceAll(fileKeyword, "$1,$2");
  if ("text" in operation && operation.text !== undefined)
    return { ...operation, text: plain(operation.text) };
  if ("note" in operation && operation.note !== undefined)
    return { ...operation, note: plain(operation.note) };
  return operation;
}

function quoted(text: string): string {
  return text.replaceAll(/^(\*+[ \t])/gm, ",$1");
}
