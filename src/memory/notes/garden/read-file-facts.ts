import type { OrgVariables } from "#org";
import {
  checkLines,
  type Headline,
  linksByEntry,
  type OrgLink,
  type Outline,
  propertyOf,
  scanOutline,
} from "#org";
import { isArchive } from "./is-archive.ts";

/** An `:ID:` of a file: the offsets of its value, and the title of its node. */
export type IdPlace = {
  readonly id: string;
  readonly begin: number;
  readonly end: number;
  readonly title: string;
};

/** A link to another node or file, with how it is written. */
export type LinkPlace = Pick<OrgLink, "type" | "target" | "begin" | "end">;

/** An open TODO with the newest day in its entry, `YYYY-MM-DD`; null if the entry has none. `planned`: it has a scheduled day, a deadline or another active timestamp. */
export type OpenTodo = {
  readonly title: string;
  readonly begin: number;
  readonly newest: string | null;
  readonly planned: boolean;
};

/** The facts of a file that the rules need. */
export type FileFacts = {
  readonly file: string;
  readonly text: string;
  readonly isArchive: boolean;
  /** The ID of the file itself; null without one. */
  readonly fileId: string | null;
  readonly ids: readonly IdPlace[];
  readonly links: readonly LinkPlace[];
  readonly todos: readonly OpenTodo[];
  /** Offsets of the first lines of property drawers that Org ignores because they are not right below their heading. */
  readonly strayDrawers: readonly number[];
  readonly outline: Outline;
};

const linksOut = /\[\[|<(?:id|file|denote):|(?:^|\s)(?:id|file|denote):/;
const drawerLine = /^[ \t]*:PROPERTIES:[ \t]*$/gim;
const anyDay = /[<[](\d{4}-\d\d-\d\d)/g;

/** Reads the facts of a file from its text. */
export function readFileFacts(file: string, text: string, variables: OrgVariables): FileFacts {
  const outline = scanOutline(text, { variables });
  const ids = [
    ...idOf(outline.properties, file),
    ...outline.headlines.flatMap((one) => idOf(one.properties, one.title)),
  ];
  return {
    file,
    text,
    isArchive: isArchive(file, text),
    fileId: propertyOf(outline.properties, "ID"),
    ids,
    links: linksOut.test(text) ? linksIn(outline) : [],
    todos: isArchive(file, text) ? [] : openTodos(outline),
    strayDrawers: strayDrawers(outline),
    outline,
  };
}

function idOf(drawer: Headline["properties"], title: string): readonly IdPlace[] {
  const line = drawer?.properties.find(({ name }) => name.toUpperCase() === "ID");
  if (line === undefined || line.value === "") return [];
  return [{ id: line.value, ...line.valueRange, title }];
}

const followed: ReadonlySet<string> = new Set(["id", "file", "denote"]);

function linksIn(outline: Outline): readonly LinkPlace[] {
  return [...linksByEntry(outline).values()]
    .flat()
    .filter(({ type }) => followed.has(type))
    .map(({ type, target, begin, end }) => ({ type, target, begin, end }));
}

/** Archived and commented entries are skipped, as in the agenda. */
function openTodos({ text, headlines }: Outline): readonly OpenTodo[] {
  let end = 0;
  return headlines.flatMap((headline) => {
    if (headline.begin < end) return [];
    if (headline.comment !== null || headline.tags?.names.includes("ARCHIVE") === true) {
      end = headline.end;
      return [];
    }
    return openTodo(text, headline);
  });
}

function openTodo(text: string, { todo, begin, sectionEnd, planning, title }: Headline): readonly OpenTodo[] {
  if (todo === null || todo.done) return [];
  const days = Array.from(text.slice(begin, sectionEnd).matchAll(anyDay), ([, day = ""]) => day);
  const planned =
    (planning?.scheduled ?? planning?.deadline ?? null) !== null ||
    /<\d{4}-\d\d-\d\d/.test(text.slice(begin, sectionEnd));
  return [{ title, begin, newest: days.toSorted().at(-1) ?? null, planned }];
}

/** The lines are checked only if the text has more drawers than its entries have. */
function strayDrawers(outline: Outline): readonly number[] {
  const all = outline.text.match(drawerLine)?.length ?? 0;
  const own = [outline.properties, ...outline.headlines.map(({ properties }) => properties)];
  if (all === own.filter((drawer) => drawer !== null).length) return [];
  return checkLines(outline)
    .filter(({ code }) => code === "misplaced-property-drawer")
    .map(({ at }) => outline.text.lastIndexOf("\n", at - 1) + 1);
}
