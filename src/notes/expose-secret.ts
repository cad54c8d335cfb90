import { decodeOrgText, scanOutline } from "#org";
import { isOrgFile } from "../text/is-org-file.ts";
import { readNodes } from "./read-nodes.ts";
import { hasCryptTag, mayHoldSecret } from "./secret-text.ts";

/** True if a change of an Org file would expose lines that are now below an encrypted heading or in a section with armour. Only the owner may do that. */
export function exposesSecret(path: string, before: Uint8Array | null, after: Uint8Array): boolean {
  if (before === null || !isOrgFile(path)) return false;
  const { text } = decodeOrgText(before);
  if (!mayHoldSecret(text)) return false;
  const old = linesOf(text);
  if (old.secret.size === 0) return false;
  const { open } = linesOf(decodeOrgText(after).text);
  return [...old.secret].some((line) => open.has(line) && !old.open.has(line));
}

type Lines = { readonly secret: ReadonlySet<string>; readonly open: ReadonlySet<string> };

/** Lines without content: the first and last lines of drawers and blocks. */
const frame = /^(?::[\w-]+:|#\+(?:begin|end)(?:_\w+)?:?)$/i;

function linesOf(text: string): Lines {
  const secret = new Set<string>();
  const open = new Set<string>();
  let at = 0;
  for (const { begin, end } of secretRanges(text)) {
    addLines(open, text.slice(at, Math.max(at, begin)));
    addLines(secret, text.slice(Math.max(at, begin), end));
    at = Math.max(at, end);
  }
  addLines(open, text.slice(at));
  return { secret, open };
}

/** The ranges below encrypted headings and of sections with armour, in the order of the text. */
function secretRanges(text: string) {
  return readNodes("a.org", scanOutline(text)).flatMap(({ node }) => {
    if (node.label.secrecy !== "secret") return [];
    return [{ begin: node.lineEnd, end: hasCryptTag(node.localTags) ? node.end : node.sectionEnd }];
  });
}

function addLines(to: Set<string>, text: string): void {
  for (const line of text.split("\n")) {
    const bare = line.replace(/^[*,\s]+/, "").trimEnd();
    if (bare !== "" && !frame.test(bare)) to.add(bare);
  }
}
