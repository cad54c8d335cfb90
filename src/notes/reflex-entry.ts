import { propertyOf, scanOutline } from "#org";
import { originProperty } from "./origin-property.ts";

/** The entry of a job as a reflex: the same head and the same steps that it is allowed, these lines in the place of its words, and where they came from. Null where it has no drawer. */
export function entryAsReflex(entry: string, lines: string, origin: string): string | null {
  const [headline] = scanOutline(entry).headlines;
  const drawer = headline?.properties;
  if (headline === undefined || drawer === null || drawer === undefined) return null;
  let head = entry.slice(0, drawer.end).trimEnd();
  const allows = entry
    .slice(drawer.end)
    .split("\n")
    .filter((line) => /^\s*- ALLOW: /.test(line));
  for (const [name, value] of [
    ["TIER", "reflex"],
    [originProperty, origin],
  ] as const) {
    const line = new RegExp(`^([ \\t]*:${name}:[ \\t]*).*$`, "im");
    head =
      propertyOf(drawer, name) === null
        ? head.replace(/^([ \t]*):END:[ \t]*$/im, (end, indent) => `${indent}:${name}: ${value}\n${end}`)
        : head.replace(line, (_, key) => `${key}${value}`);
  }
  return [head, ...allows, lines].join("\n");
}

/** A file without one entry and the blank lines behind it, every other byte as it was; null where the entry does not stand there. */
export function cutEntry(text: string, entry: string): string | null {
  const at = text.indexOf(entry);
  return at < 0 ? null : text.slice(0, at) + text.slice(at + entry.length).trimStart();
}

/** A file with one entry in the place of another one, every other byte as it was; null where the entry does not stand there exactly once. */
export function replaceEntry(text: string, entry: string, by: string): string | null {
  const at = text.indexOf(entry);
  if (at < 0 || text.includes(entry, at + 1)) return null;
  return text.slice(0, at) + by + text.slice(at + entry.length);
}
