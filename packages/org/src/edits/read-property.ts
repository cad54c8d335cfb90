import type { PropertyDrawer } from "../outline/outline.ts";
import { scanFileDrawer } from "../outline/scan-drawer.ts";
import { type EditableHeadline, type EditSession, parentOf } from "./session.ts";

/** What an entry's own drawer says of a property, with what `NAME+` lines add to it; null if it is not there. */
export function ownProperty(
  { properties }: { readonly properties: PropertyDrawer | null },
  name: string,
): string | null {
  return joined(null, valuesOf(properties, name));
}

/** The value of a property for an entry, from the headings above it and the file's keywords too. */
export function inheritedProperty(
  session: EditSession,
  headline: EditableHeadline,
  name: string,
): string | null {
  const { draft, settings } = session;
  const drawers: (PropertyDrawer | null)[] = [];
  for (let at: EditableHeadline | null = headline; at !== null; at = parentOf(session, at))
    drawers.unshift(at.properties);
  const fromKeywords = settings.properties.get(name.toUpperCase()) ?? null;
  return [scanFileDrawer(draft.text), ...drawers].reduce<string | null>(
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
