import type { Headline, Outline, PropertyDrawer } from "../outline.ts";

/** What an entry's own drawer says of a property, with what `NAME+` lines add to it; null if it is not there. */
export function ownProperty(
  { properties }: { readonly properties: PropertyDrawer | null },
  name: string,
): string | null {
  return joined(null, valuesOf(properties, name));
}

/** The value of a property for an entry, from the headings above it and the file's keywords too. */
export function inheritedProperty(outline: Outline, headline: Headline, name: string): string | null {
  const chain: Headline[] = [];
  for (let at: Headline | undefined = headline; at !== undefined; at = outline.headlines[at.parent])
    chain.unshift(at);
  const fromKeywords = outline.settings.properties.get(name.toUpperCase()) ?? null;
  const drawers = [outline.properties, ...chain.map(({ properties }) => properties)];
  return drawers.reduce<string | null>(
    (value, drawer) => joined(value, valuesOf(drawer, name)),
    fromKeywords,
  );
}

type Values = { readonly base: string | null; readonly added: readonly string[] };

function joined(inherited: string | null, { base, added }: Values): string | null {
  const values = [base ?? inherited, ...added].filter((value) => value !== null);
  return values.length === 0 ? null : values.join(" ");
}

function valuesOf(drawer: PropertyDrawer | null, name: string): Values {
  const key = name.toUpperCase();
  const lines = drawer?.properties ?? [];
  const values = (wanted: string) =>
    lines.filter((line) => line.name.toUpperCase() === wanted).map(({ value }) => value);
  return { base: values(key)[0] ?? null, added: values(`${key}+`) };
}
