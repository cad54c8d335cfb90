import { isAbsolute, join, relative } from "node:path";
import type { FileFacts } from "./list-names.ts";

/** What naming dropped files needs. */
type DropParts = {
  readonly folder: string;
  readonly home: string;
  readonly fileAt: (path: string) => FileFacts | null;
};

const notRead = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|pdf)$/i;

/** Names the files that were dropped, each as `@PATH`, and tells what they are; null where this is no list of files that are there. */
export function nameDropped(
  text: string,
  { folder, home, fileAt }: DropParts,
): { readonly text: string; readonly told: string } | null {
  const found = (droppedPaths(text) ?? []).map((path) => {
    const whole = path.startsWith("~/") ? join(home, path.slice(2)) : path;
    const inside = relative(folder, whole);
    const shown = inside === "" || inside.startsWith("..") || isAbsolute(inside) ? whole : inside;
    return { shown, facts: fileAt(whole) };
  });
  if (found.length === 0 || found.some(({ facts }) => facts === null)) return null;
  const names = found.map(({ shown }) => (/\s/.test(shown) ? `@"${shown}"` : `@${shown}`));
  const unread = found.find(({ shown }) => notRead.test(shown));
  const told =
    unread === undefined
      ? found.map(({ shown, facts }) => `${shown}: ${sizeOf(facts)}`).join(", ")
      : `${unread.shown}: no model is given images or PDF files yet, only this name`;
  return { text: `${names.join(" ")} `, told };
}

function sizeOf(facts: FileFacts | null): string {
  if (facts?.kind !== "file") return "a folder";
  return facts.bytes < 1_000_000
    ? `${Math.ceil(facts.bytes / 1_000)} kB`
    : `${(facts.bytes / 1e6).toFixed(1)} MB`;
}

/**
 * Reads what a terminal pastes when files are dropped on it: absolute paths, in quotes, escaped by backslashes, or as `file:` addresses. Null for any other text.
 * @internal
 */
export function droppedPaths(text: string): readonly string[] | null {
  const line = text.trim();
  if (line === "" || line.includes("\n") || !/^(?:['"]?[/~]|file:\/\/\/)/.test(line)) return null;
  const words = line.match(/'[^']*'|"[^"]*"|(?:\\.|[^\s'"\\])+/g) ?? [];
  if (words.join("") !== line.replaceAll(/(?<!\\)\s+(?=['"/~]|file:)/g, "")) return null;
  const paths = words.map(pathOf);
  return paths.every((path) => path !== null) ? paths : null;
}

function pathOf(word: string): string | null {
  const bare = /^(['"])(.*)\1$/.exec(word)?.[2] ?? word.replaceAll(/\\(.)/g, "$1");
  if (bare.startsWith("/") || bare.startsWith("~/")) return bare;
  if (!bare.startsWith("file:///")) return null;
  try {
    return decodeURIComponent(new URL(bare).pathname);
  } catch (error) {
    if (error instanceof URIError || error instanceof TypeError) return null;
    throw error;
  }
}
