import { inheritThrough } from "../outline/inherit.ts";
import type { PropertyDrawer } from "../outline/outline.ts";
import { scanFileDrawer } from "../outline/scan-drawer.ts";
import { type EditableHeadline, type EditSession, parentOf } from "./session.ts";

/** The value of a property for an entry that is edited, from the headings above it and the file's keywords too. `nil` stays as it is written. */
export function propertyWithInheritance(
  session: EditSession,
  headline: EditableHeadline,
  name: string,
): string | null {
  const { draft, settings } = session;
  const drawers: (PropertyDrawer | null)[] = [];
  for (let at: EditableHeadline | null = headline; at !== null; at = parentOf(session, at)) {
    drawers.unshift(at.properties);
  }
  const outside = settings.properties.get(name.toUpperCase()) ?? null;
  return inheritThrough([scanFileDrawer(draft.text), ...drawers], name, outside);
}
