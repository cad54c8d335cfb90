import { isAbsolute, join } from "node:path";
import { makeVisible } from "../gate/visible.ts";
import type { ListedCommand } from "./command-list.ts";
import type { ListNames } from "./list-names.ts";
import type { AutocompleteProvider } from "./toolkit.ts";

/** What a completion needs. */
export type CompletionParts = {
  readonly commands: () => readonly ListedCommand[];
  readonly folder: () => string;
  readonly home: string;
  readonly listNames: ListNames;
};

/** Names that are offered at once. */
const mostNames = 50;

/** Completes commands after `/` at the beginning of a message, and files after `@`. */
export function makeCompletion(parts: CompletionParts): AutocompleteProvider {
  return {
    triggerCharacters: ["@"],
    async getSuggestions(lines, line, column) {
      const before = (lines[line] ?? "").slice(0, column);
      if (line === 0 && /^\/[a-z-]*$/i.test(before)) return commandsLike(before, parts);
      const [, prefix] = /(?:^|\s)(@[^\s]*)$/.exec(before) ?? [];
      return prefix === undefined ? null : namesLike(prefix, parts);
    },
    applyCompletion(lines, line, column, item, prefix) {
      const text = lines[line] ?? "";
      const before = text.slice(0, column - prefix.length);
      const gap = item.value.endsWith("/") ? "" : " ";
      const next = [...lines];
      next[line] = `${before}${item.value}${gap}${text.slice(column)}`;
      return { lines: next, cursorLine: line, cursorCol: before.length + item.value.length + gap.length };
    },
  };
}

function commandsLike(prefix: string, { commands }: CompletionParts) {
  const items = commands()
    .filter(({ name }) => `/${name}`.startsWith(prefix.toLowerCase()))
    .map(({ name, usage, help }) => ({ value: `/${name}`, label: usage, description: help }));
  return items.length === 0 ? null : { items, prefix };
}

async function namesLike(prefix: string, { folder, home, listNames }: CompletionParts) {
  const typed = prefix.slice(1);
  const at = typed.lastIndexOf("/") + 1;
  const [parent, begin] = [typed.slice(0, at), typed.slice(at).toLowerCase()];
  const base = parent.startsWith("~/") ? join(home, parent.slice(2)) : parent;
  const names = await listNames(isAbsolute(base) ? base : join(folder(), base));
  const items = names
    // A name with a character that nobody sees is not offered.
    .filter((name) => makeVisible(name) === name && !/\s/.test(name))
    .filter(
      (name) => name.toLowerCase().startsWith(begin) && (begin.startsWith(".") || !name.startsWith(".")),
    )
    .slice(0, mostNames)
    .map((name) => ({ value: `@${parent}${name}`, label: name }));
  return items.length === 0 ? null : { items, prefix };
}
