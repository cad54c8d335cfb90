import TurndownService from "turndown/lib/turndown.browser.cjs.js";
import type { PageElement } from "./page-document.ts";

/** Writes an element of a page as Markdown. Words stay as they are: nothing in them is escaped, so that names and code can be copied. */
export function toMarkdown(element: PageElement): string {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  });
  service.escape = (text) => text;
  service.addRule("image", { filter: ["img"], replacement: (_content, node) => image(node) });
  service.addRule("link", { filter: ["a"], replacement: link });
  service.addRule("preformatted", { filter: ["pre"], replacement: (_content, node) => fenced(node) });
  service.addRule("title", { filter: ["title"], replacement: () => "" });
  addTables(service);
  return service.turndown(element).trim();
}

function image(node: PageElement): string {
  const [text, address] = [oneLine(node.getAttribute("alt") ?? ""), node.getAttribute("src")];
  return text === "" || address === null ? text : `![${text}](${address})`;
}

function link(content: string, node: PageElement): string {
  const [text, address] = [content.trim(), node.getAttribute("href")];
  return text === "" || address === null ? content : `[${text}](${address})`;
}

function fenced(node: PageElement): string {
  const text = (node.textContent ?? "").replace(/^\n|\n+$/g, "");
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}\n${text}\n${fence}\n\n`;
}

function addTables(service: TurndownService): void {
  const known = new Map<PageElement, boolean>();
  const isInData = (node: PageElement): boolean => {
    const table = node.closest("table");
    if (table === null) return false;
    const found = known.get(table) ?? isData(table);
    known.set(table, found);
    return found;
  };
  const rule = (
    name: string,
    tags: readonly string[],
    replacement: (content: string, node: PageElement) => string,
  ) =>
    service.addRule(name, { filter: (node) => tags.includes(node.nodeName) && isInData(node), replacement });
  rule("cell", ["TD", "TH"], (content) => ` ${oneLine(content).replaceAll("|", "\\|")} |`);
  rule("row", ["TR"], (content, node) => `|${content}\n${isFirstRow(node) ? ruler(node) : ""}`);
  rule("row-group", ["THEAD", "TBODY", "TFOOT"], (content) => content);
  rule("table", ["TABLE"], (content) => `\n\n${content.trim()}\n\n`);
}

/** Whether a table holds data and does not lay out a page: no table is in it, and its first row has several cells. */
function isData(table: PageElement): boolean {
  if (table.querySelector("table") !== null) return false;
  const row = table.querySelector("tr");
  return row !== null && cellsOf(row) > 1;
}

function isFirstRow(row: PageElement): boolean {
  return row.closest("table")?.querySelector("tr") === row;
}

function ruler(row: PageElement): string {
  return `|${" --- |".repeat(cellsOf(row))}\n`;
}

function cellsOf(row: PageElement): number {
  return [...row.querySelectorAll("td, th")].length;
}

/** A text without line ends and repeated blanks. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
