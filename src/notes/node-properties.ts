import type { PropertyDrawer } from "#org";
import { isNoteName } from "./note-names.ts";
import type { NoteNode, SearchFields } from "./note-node.ts";

/** The properties of a drawer, names in upper case. `NAME+` adds to the value of `NAME`. */
export function propertiesOf(drawer: PropertyDrawer | null): Readonly<Record<string, string>> {
  if (drawer === null) return {};
  const properties = new Map<string, string>();
  for (const { name, value } of drawer.properties) {
    const upper = name.toUpperCase();
    const plain = upper.replace(/\+$/, "");
    const before = properties.get(plain);
    if (plain === upper) properties.set(plain, value);
    else properties.set(plain, before === undefined ? value : `${before} ${value}`);
  }
  return Object.fromEntries(properties);
}

/** The `:ID:` of a node; null for none. A value that could be the place id of some node is ignored, so that the two kinds of ids never collide. */
export function claimedId({ ID: id }: Readonly<Record<string, string>>): string | null {
  return id === undefined || id === "" || id.includes("::") || isNoteName(id) ? null : id;
}

/** The properties without everything but the `:ID:`, for a node whose text is secret. */
export function onlyId(properties: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const id = properties["ID"];
  return id === undefined ? {} : { ID: id };
}

/** The aliases and references that org-roam keeps in properties. */
export function roamFields(properties: Readonly<Record<string, string>>): Pick<NoteNode, "aliases" | "refs"> {
  return { aliases: quotedWords(properties["ROAM_ALIASES"]), refs: quotedWords(properties["ROAM_REFS"]) };
}

function quotedWords(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"|\[cite:[^\]]*\]|\S+/g)].map(
    ([whole, quoted]) => quoted?.replaceAll(/\\(.)/g, "$1") ?? whole,
  );
}

/** The fields that a node is searched by. */
export function searchFieldsOf(
  node: NoteNode,
  body: string,
  { fileTitle, planning }: { readonly fileTitle: string; readonly planning: string },
): SearchFields {
  const { title, tags, properties, aliases, path, file } = node;
  const values = Object.entries(properties).filter(([name]) => !unsearched.has(name));
  return {
    title: [title, ...aliases].join("\n"),
    text: body.trim(),
    tags: tags.join(" "),
    properties: values.map(([, value]) => value).join("\n"),
    ancestorTitles: path.join("\n"),
    fileTitle,
    days: [planning, properties["CREATED"] ?? "", file].join("\n"),
  };
}

const unsearched: ReadonlySet<string> = new Set(["ID", "ORIGIN", "ROAM_ALIASES", "CREATED"]);
