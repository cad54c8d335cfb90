import type { Headline, Outline, PropertyDrawer } from "./outline.ts";

/** Special properties: Emacs computes them and ignores drawer lines of these names. */
export const specialProperties: ReadonlySet<string> = new Set([
  "ALLTAGS",
  "BLOCKED",
  "CLOCKSUM",
  "CLOCKSUM_T",
  "CLOSED",
  "DEADLINE",
  "FILE",
  "ITEM",
  "PRIORITY",
  "SCHEDULED",
  "TAGS",
  "TIMESTAMP",
  "TIMESTAMP_IA",
  "TODO",
]);

/** How many tags a headline inherits at most, the nearest ones. Each headline with tags of its own has a list of all, so that more could take quadratic time. */
const mostInheritedTags = 200;

/** The tags of each headline, by its place in the outline: the file's, those of the headlines above, its own; each once, at its last place. */
export function inheritTags({ headlines, settings }: Outline): readonly (readonly string[])[] {
  const all: (readonly string[])[] = [];
  const inheritable: (readonly string[])[] = [];
  const ofFile = nearestTags(uniqueFromEnd(settings.tags));
  for (const { parent, tags } of headlines) {
    const inherited = inheritable[parent] ?? ofFile;
    const own = tags === null ? inherited : uniqueFromEnd([...inherited, ...tags.names]);
    all.push(own);
    inheritable.push(nearestTags(own));
  }
  return all;
}

/** Those of a headline's or file's tags that the headlines below it inherit. */
export function nearestTags(tags: readonly string[]): readonly string[] {
  return tags.length <= mostInheritedTags ? tags : tags.slice(-mostInheritedTags);
}

/** The category of each headline, by its place in the outline. `fileCategory` is the one of a file that names none: its name without its ending. */
export function inheritCategories(outline: Outline, fileCategory: string): readonly string[] {
  const values: (readonly string[])[] = [];
  const top = valuesOf(outline.properties, "CATEGORY");
  const ofFile = top.base === null ? [outline.settings.category ?? fileCategory] : [top.base];
  for (const { parent, properties } of outline.headlines) {
    const { base, more } = valuesOf(properties, "CATEGORY");
    values.push([...(base === null ? (values[parent] ?? [...ofFile, ...top.more]) : [base]), ...more]);
  }
  return values.map((all) => unlessNil(all.join(" ")) ?? "???");
}

/**
 * A property of a drawer, as Emacs's `org-entry-get` gives it: the last line of the name counts, and `NAME+` lines add to it. Null if there is none,
 * or it is `nil`.
 */
export function propertyOf(drawer: PropertyDrawer | null, name: string): string | null {
  const { base, more } = valuesOf(drawer, name.toUpperCase());
  const all = [...(base === null || base === "nil" ? [] : [base]), ...more];
  return all.length === 0 ? null : unlessNil(all.join(" "));
}

/** The same with `nil` as it is written, for properties in which it differs from none. */
export function literalPropertyOf(drawer: PropertyDrawer | null, name: string): string | null {
  return inheritThrough([drawer], name, null);
}

/**
 * A property with inheritance: of the innermost of some drawers that has it, with what `NAME+` lines add there and further in. The drawers go from the
 * outermost to the innermost; `outside` is the value where no drawer has it. `nil` stays as it is written.
 */
export function inheritThrough(
  drawers: readonly (PropertyDrawer | null)[],
  name: string,
  outside: string | null,
): string | null {
  const key = name.toUpperCase();
  return drawers.reduce<string | null>((inherited, drawer) => {
    const { base, more } = valuesOf(drawer, key);
    const values = [base ?? inherited, ...more].filter((value) => value !== null);
    return values.length === 0 ? null : values.join(" ");
  }, outside);
}

/** A property of a headline, or of the nearest one above it that has it, or of the file. `NAME+` adds to what is inherited. */
export function inheritedProperty(outline: Outline, headline: Headline, name: string): string | null {
  const drawers: (PropertyDrawer | null)[] = [];
  for (let at: Headline | undefined = headline; at !== undefined; at = outline.headlines[at.parent]) {
    drawers.unshift(at.properties);
  }
  const outside = outline.settings.properties.get(name.toUpperCase()) ?? null;
  const value = inheritThrough([outline.properties, ...drawers], name, outside);
  return value === null ? null : unlessNil(value);
}

/** All properties of a drawer, names in upper case, as Emacs's `org-entry-properties` has them: the first line of a name counts, `NAME+` adds. */
export function allProperties(drawer: PropertyDrawer | null): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  for (const { name, value } of drawer?.properties ?? []) {
    const key = name.toUpperCase();
    const base = key.endsWith("+") ? key.slice(0, -1) : key;
    if (specialProperties.has(base)) continue;
    const before = found.get(base);
    if (base !== key) found.set(base, before === undefined ? value : `${before} ${value}`);
    else if (!seen.has(key)) found.set(key, before === undefined ? value : `${value} ${before}`);
    if (base === key) seen.add(key);
  }
  return found;
}

type Values = { readonly base: string | null; readonly more: readonly string[] };

/** The last line of a name, and all that `NAME+` lines add. */
function valuesOf(drawer: PropertyDrawer | null, key: string): Values {
  let base: string | null = null;
  const more: string[] = [];
  for (const { name, value } of drawer?.properties ?? []) {
    const written = name.toUpperCase();
    if (written === key) base = value;
    else if (written === `${key}+`) more.push(value);
  }
  return { base, more };
}

function unlessNil(value: string): string | null {
  return value === "nil" ? null : value;
}

/** Each tag once, at its last place. */
export function uniqueFromEnd(tags: readonly string[]): readonly string[] {
  return [...new Set(tags.toReversed())].toReversed();
}
