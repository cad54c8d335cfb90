import { decodeOrgText, scanOutline } from "#org";
import { isOrgFile } from "../text/is-org-file.ts";

/** The IDs that a change adds to an Org file. `twice` is true for an ID that the file then holds more than once. */
export function findNewIds(
  path: string,
  before: Uint8Array | null,
  after: Uint8Array,
): readonly { readonly id: string; readonly twice: boolean }[] {
  if (!isOrgFile(path)) return [];
  const old = before === null ? new Map<string, number>() : idsIn(before);
  return [...idsIn(after)].flatMap(([id, times]) =>
    times > (old.get(id) ?? 0) ? [{ id, twice: times > 1 }] : [],
  );
}

function idsIn(bytes: Uint8Array): ReadonlyMap<string, number> {
  const outline = scanOutline(decodeOrgText(bytes).text);
  const ids = new Map<string, number>();
  for (const drawer of [outline.properties, ...outline.headlines.map(({ properties }) => properties)]) {
    for (const { name, value } of drawer?.properties ?? []) {
      if (name.toUpperCase() === "ID" && value !== "") ids.set(value, (ids.get(value) ?? 0) + 1);
    }
  }
  return ids;
}
