import { propertyOf, scanOutline } from "#org";

/** The entry of a job as a reflex: the same head and the same steps that it is allowed, and these lines in the place of its words. Null where it has no drawer. */
export function entryAsReflex(entry: string, lines: string): string | null {
  const [headline] = scanOutline(entry).headlines;
  const drawer = headline?.properties;
  if (headline === undefined || drawer === null || drawer === undefined) return null;
  const head = entry.slice(0, drawer.end).trimEnd();
  const allows = entry
    .slice(drawer.end)
    .split("\n")
    .filter((line) => /^\s*- ALLOW: /.test(line));
  const tier = /^([ \t]*:TIER:[ \t]*).*$/im;
  const withTier =
    propertyOf(drawer, "TIER") === null
      ? head.replace(/^([ \t]*):END:[ \t]*$/im, "$1:TIER: reflex\n$&")
      : head.replace(tier, "$1reflex");
  return [withTier, ...allows, lines].join("\n");
}

/** A file with one entry in the place of another one, every other byte as it was; null where the entry does not stand there exactly once. */
export function replaceEntry(text: string, entry: string, by: string): string | null {
  const at = text.indexOf(entry);
  if (at < 0 || text.includes(entry, at + 1)) return null;
  return text.slice(0, at) + by + text.slice(at + entry.length);
}
