import assert from "node:assert/strict";
import { test } from "node:test";
import { linksByEntry, type OrgLink, type OrgNode, parseOrg, scanOutline } from "#org";
import { noGoldens, readGoldens } from "./outline-goldens.ts";
import { makeTreeNotes } from "./tree-notes.ts";

const fuzzed = Number(process.env["ORG_FUZZ"] ?? 1000);
const captions = /^[ \t]*#\+caption[^\n]*/gim;

/** The links of the whole tree by where they begin, in words; radio links are left out, and a citation has its keys. */
function linksOfTree(text: string): readonly string[] {
  const found: { readonly begin: number; readonly words: string }[] = [];
  const left: { readonly node: OrgNode; readonly citation: number }[] = [
    { node: parseOrg(text), citation: -1 },
  ];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node } = next;
    const end = node.end - node.postBlank;
    if (node.type === "link" && node.properties.linkType !== "radio") {
      found.push({ begin: node.begin, words: `${node.begin}-${end} ${inWords(node.properties)}` });
    }
    if (node.type === "citation-reference") {
      found.push({ begin: next.citation, words: `${next.citation} cite ${node.properties.key}` });
    }
    const citation = node.type === "citation" ? node.begin : next.citation;
    const title = node.type === "headline" || node.type === "inlinetask" ? node.properties.title : [];
    const tag = node.type === "item" ? node.properties.tag : [];
    left.push(...[...title, ...tag, ...node.children].map((child) => ({ node: child, citation })));
  }
  return inOrder(found);
}

function inWords({ linkType, path }: { readonly linkType: string; readonly path: string }): string {
  const type = linkType.toLowerCase();
  if (type === "fuzzy") return "inside or unknown";
  return `${type} ${type === "id" ? path.split("::", 1)[0] : path}`;
}

function linksListed(text: string): readonly string[] {
  const notes = Array.from(
    text.matchAll(captions),
    ({ 0: line, index }) => [index, index + line.length] as const,
  );
  const links = [...linksByEntry(scanOutline(text)).values()].flat();
  const inTree = links.filter(({ begin }) => !notes.some(([from, to]) => from <= begin && begin < to));
  return inOrder(inTree.map((link) => ({ begin: link.begin, words: listedInWords(text, link) })));
}

function listedInWords(text: string, { begin, end, type, target }: OrgLink): string {
  if (type === "cite" && /^\[cite/i.test(text.slice(begin))) return `${begin} cite ${target}`;
  const known = /^\[\[|^</.test(text.slice(begin)) && !typesOfEmacs.has(type);
  return `${begin}-${end} ${known ? "inside or unknown" : `${type} ${target}`}`;
}

const typesOfEmacs: ReadonlySet<string> = new Set(
  (
    "attachment bbdb bibtex docview doi elisp eww file ftp gnus help http https id info irc mailto mhe news rmail shell " +
    "shortdoc w3m coderef custom-id"
  ).split(" "),
);

function inOrder(found: readonly { readonly begin: number; readonly words: string }[]): readonly string[] {
  const sorted = found.toSorted(
    (one, other) => one.begin - other.begin || (one.words < other.words ? -1 : 1),
  );
  return [...new Set(sorted.map(({ words }) => words))];
}

test("the links of the entries are those of the whole tree, in every file and fragment", {
  skip: noGoldens,
}, () => {
  let count = 0;
  for (const { text, golden } of readGoldens()) {
    const links = linksOfTree(text);
    assert.deepEqual(linksListed(text), links, golden.file);
    count += links.length;
  }
  assert.ok(count > 2000, `${count}`);
});

test("the links of the entries are those of the whole tree, in any text", () => {
  const sorts = ["pieces", "elements", "characters"] as const;
  for (let seed = 0; seed < fuzzed; seed += 1) {
    const text = makeTreeNotes(seed, sorts[seed % 3] ?? "pieces");
    assert.deepEqual(linksListed(text), linksOfTree(text), JSON.stringify(text));
  }
});
