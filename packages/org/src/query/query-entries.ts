import { timesByHeadline } from "../agenda/agenda-text-times.ts";
import { inheritanceOf } from "../agenda/headline-context.ts";
import { propertyOf } from "../outline/inherit.ts";
import type { Headline, Outline } from "../outline/outline.ts";
import { type GroupsOfTag, tagGroupFinder } from "../outline/tag-groups.ts";
import type { QueryEntry } from "./compile-query.ts";

/** The file of an outline: its name, its default category, and the group tags of all queried files. */
export type QueryFile = {
  readonly file: string;
  readonly category: string;
  readonly groupsOf?: GroupsOfTag;
};

/** A headline with its view for queries. */
export type QueryableHeadline = QueryEntry & { readonly headline: Headline };

/** All headlines of an outline with their views for queries. Costly properties are computed on demand. */
export function queryEntries(outline: Outline, asked: QueryFile): readonly QueryableHeadline[] {
  const { file, category, groupsOf = tagGroupFinder(outline.settings.tagGroups) } = asked;
  const inherited = inheritanceOf(outline, category);
  const timesIn = lazily(() => timesByHeadline(outline, { inactive: true, objectsOnly: true }));
  return outline.headlines.map((headline): QueryableHeadline => {
    const { tags, category: ownCategory } = inherited(headline.index);
    const text = (): string => outline.text.slice(headline.begin, headline.sectionEnd);
    const special: ReadonlyMap<string, () => string | null> = new Map([
      ["TODO", () => headline.todo?.word ?? null],
      ["LEVEL", () => `${headline.level}`],
      ["CATEGORY", () => ownCategory],
      ["FILE", () => file],
      ["ITEM", () => itemOf(headline)],
      ["PRIORITY", () => headline.priority?.value ?? outline.settings.priorities.default],
      ["TAGS", () => colons(headline.tags?.names ?? [])],
      ["ALLTAGS", () => colons(tags)],
      ["SCHEDULED", () => firstStamp(headline.planning?.scheduled?.raw)],
      ["DEADLINE", () => firstStamp(headline.planning?.deadline?.raw)],
      ["CLOSED", () => firstStamp(headline.planning?.closed?.raw)],
      [
        "TIMESTAMP",
        () =>
          timesIn()
            .get(headline.index)
            ?.find(({ raw }) => raw.startsWith("<"))?.raw ?? null,
      ],
      [
        "TIMESTAMP_IA",
        () =>
          timesIn()
            .get(headline.index)
            ?.find(({ raw }) => raw.startsWith("["))?.raw ?? null,
      ],
    ]);
    return {
      headline,
      todo: headline.todo?.word ?? null,
      done: headline.todo?.done ?? false,
      tags,
      isOfGroup: (name) => tags.some((tag) => groupsOf(tag).has(name)),
      property: (name) => {
        const read = special.get(name);
        return read === undefined ? propertyOf(headline.properties, name) : read();
      },
      text,
    };
  });
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function itemOf({ title, comment }: Headline): string {
  return comment === null ? title : `COMMENT ${title}`;
}

function colons(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : `:${tags.join(":")}:`;
}

function firstStamp(raw: string | undefined): string | null {
  return raw?.split("--", 1)[0] ?? null;
}
