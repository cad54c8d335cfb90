import { isAbsolute, join, relative } from "node:path";
import type { FileFacts } from "../screen/list-names.ts";

/** What naming dropped files needs. */
type DropParts = {
  readonly folder: string;
  readonly home: string;
  readonly fileAt: (path: string) => FileFacts | null;
};

/** What was dropped: each file with the name that it has at the prompt, and the names of the folders. */
type Dropped = {
  readonly files: readonly { readonly path: string; readonly name: string }[];
  readonly named: string;
};

/** Finds the files and folders that were dropped; null where this is no list of what is there. */
export function findDropped(text: string, { folder, home, fileAt }: DropParts): Dropped | null {
  const found = (droppedPaths(text) ?? []).map((path) => {
    const whole = path.startsWith("~/") ? join(home, path.slice(2)) : path;
    const inside = relative(folder, whole);
    const shown = inside === "" || inside.startsWith("..") || isAbsolute(inside) ? whole : inside;
    return { path: whole, name: /\s/.test(shown) ? `@"${shown}"` : `@${shown}`, facts: fileAt(whole) };
  });
  if (found.length === 0 || found.some(({ facts }) => facts === null)) return null;
  const folders = found.filter(({ facts }) => facts?.kind === "folder");
  return {
    files: found.filter(({ facts }) => facts?.kind === "file"),
    named: folders.map(({ name }) => `${name} `).join(""),
  };
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
  const bare = unquotedPath(word);
  if (bare.startsWith("/") || bare.startsWith("~/")) return bare;
  if (!bare.startsWith("file:///")) return null;
  try {
    return decodeURIComponent(new URL(bare).pathname);
  } catch (error) {
    if (error instanceof URIError || error instanceof TypeError) return null;
    throw error;
  }
}

/** A path without the quotes or escapes that a terminal puts around it. */
export function unquotedPath(word: string): string {
  return /^(['"])(.*)\1$/.exec(word)?.[2] ?? word.replaceAll(/\\(.)/g, "$1");
}
