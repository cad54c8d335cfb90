import { showLinks } from "../text/bracket-link.ts";
import { skipBlanksBack } from "../text/lines.ts";
import { allProperties, inheritCategories, inheritTags, propertyOf } from "./inherit.ts";
import type { Headline, Outline } from "./outline.ts";

/** A headline as Emacs's commands read it, which differs from the syntax tree in places. */
export type OutlineEntry = {
  readonly begin: number;
  /** The titles of the headlines above and its own, without statistics cookies, links shown by their description. */
  readonly path: readonly string[];
  readonly title: string;
  readonly todo: string | null;
  readonly done: boolean;
  readonly allTags: readonly string[];
  readonly localTags: readonly string[];
  readonly id: string | null;
  readonly category: string;
  readonly scheduled: string | null;
  readonly deadline: string | null;
  readonly closed: string | null;
  /** Names in upper case; the category is always there. */
  readonly properties: ReadonlyMap<string, string>;
};

const statisticsCookie = /\[\d+%\]|\[\d+\/\d+\]/g;
const planningStamp = /^[ \t]*([<[]\d{4}-\d\d-\d\d(?: [^\]>\n]*)?[\]>])/;

/** The entries of a file, in the order of its text. `fileCategory` is the category of a file that names none. */
export function readEntries(outline: Outline, fileCategory: string): readonly OutlineEntry[] {
  const tags = inheritTags(outline);
  const categories = inheritCategories(outline, fileCategory);
  const paths = outlinePaths(outline);
  const words = new Set(outline.settings.todo.map(({ word }) => word));
  const doneWords = new Set(outline.settings.todo.flatMap(({ word, done }) => (done ? [word] : [])));
  return outline.headlines.map((headline, index) => {
    const todo = commandTodo(outline.text, headline, words);
    const category = categories[index] ?? "???";
    return {
      begin: headline.begin,
      path: paths[index] ?? [],
      title: headline.title,
      todo,
      done: todo !== null && doneWords.has(todo),
      allTags: tags[index] ?? [],
      localTags: headline.tags?.names ?? [],
      id: propertyOf(headline.properties, "ID"),
      category,
      scheduled: planned(outline.text, headline, "SCHEDULED:"),
      deadline: planned(outline.text, headline, "DEADLINE:"),
      closed: planned(outline.text, headline, "CLOSED:"),
      properties: withCategory(allProperties(headline.properties), category),
    };
  });
}

/** The outline path of each headline, its own title last. */
function outlinePaths({ text, headlines }: Outline): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  for (const headline of headlines) {
    paths.push([...(paths[headline.parent] ?? []), pathTitle(text, headline)]);
  }
  return paths;
}

function pathTitle(text: string, { comment, title, titleRange }: Headline): string {
  const written = commentBefore(text, titleRange.begin) + title;
  const shown = trim(showLinks(written.replace(statisticsCookie, "")));
  return comment === null ? shown : shown.replace(/^COMMENT[ \t]*/, "");
}

/** The word COMMENT that `title` leaves out and an outline path keeps, unless the syntax tree reads it as a comment mark. */
function commentBefore(text: string, titleBegin: number): string {
  const end = skipBlanksBack(text, titleBegin, 0);
  const begin = end - "COMMENT".length;
  return end < titleBegin && text.startsWith(" COMMENT", begin - 1) ? text.slice(begin, titleBegin) : "";
}

/** The TODO state as `org-get-todo-state` reads it, which does not accept a tab as a space. */
function commandTodo(
  text: string,
  { begin, todo, lineEnd }: Headline,
  words: ReadonlySet<string>,
): string | null {
  const line = text.slice(begin, lineEnd);
  if (!line.includes("\t")) return todo?.word ?? null;
  const [, word, rest = ""] = /^\*+ +([^ \t\n]+)([^\n]*)/.exec(line) ?? [];
  return word !== undefined && words.has(word) && (rest.startsWith(" ") || rest.trim() === "") ? word : null;
}

function planned(text: string, { planning }: Headline, keyword: string): string | null {
  if (planning === null) return null;
  const line = text.slice(planning.begin, planning.end);
  const at = line.toUpperCase().lastIndexOf(keyword);
  return at === -1 ? null : (planningStamp.exec(line.slice(at + keyword.length))?.[1] ?? null);
}

function withCategory(properties: ReadonlyMap<string, string>, category: string): OutlineEntry["properties"] {
  const reversed = [...properties].toReversed();
  return properties.has("CATEGORY") ? new Map(reversed) : new Map([["CATEGORY", category], ...reversed]);
}

function trim(text: string): string {
  return text.replace(/^[ \t\n\r]+/, "").replace(/(?<![ \t\n\r])[ \t\n\r]+$/, "");
}
