import { inheritTags, nearestTags, propertyOf, uniqueFromEnd } from "../outline/inherit.ts";
import type { Headline, Outline } from "../outline/outline.ts";
import { readDatedTime } from "./agenda-repeat.ts";
import type { AgendaHeadline } from "./agenda-timestamp.ts";
import { readHabit } from "./habit.ts";

/** A headline for the agenda, with what it inherits. `hidden`: it is archived or commented out. */
export type HeadlineContext = { readonly headline: AgendaHeadline; readonly hidden: boolean };

export type InheritedContext = {
  readonly tags: readonly string[];
  readonly category: string | null;
  readonly hidden: boolean;
};

/** Makes a function that reads a headline with what it inherits. */
export function headlineContextReader(
  outline: Outline,
  ofFile: string,
): (headline: Headline) => HeadlineContext {
  const above = inheritanceOf(outline, ofFile);
  const importance = importanceOf(outline);
  const isDone = doneLine(outline);
  return (headline) => {
    const own = above(headline.index);
    const parent = above(headline.parent);
    const localTags = uniqueFromEnd(headline.tags?.names ?? []);
    return {
      hidden: own.hidden,
      headline: {
        text: textOf(outline.text, headline),
        todo: headline.todo?.word ?? null,
        done: headline.todo?.done ?? false,
        inheritedTags: nearestTags(parent.tags).filter((tag) => !localTags.includes(tag)),
        localTags,
        category: own.category ?? ofFile,
        priority: headline.priority?.value ?? null,
        importance: importance(headline.priority?.value ?? null),
        effort: propertyOf(headline.properties, "EFFORT"),
        habit: habitOf(outline.text, headline, isDone),
      },
    };
  };
}

/** Makes a function from a headline's index to its tags, its category and whether it is hidden, inheritance included. Index -1 is the file. */
export function inheritanceOf(outline: Outline, ofFile: string): (index: number) => InheritedContext {
  const { settings, properties } = outline;
  const tags = inheritTags(outline);
  const file: InheritedContext = {
    tags: uniqueFromEnd(settings.tags),
    category: propertyOf(properties, "CATEGORY") ?? settings.category ?? ofFile,
    hidden: false,
  };
  const known: InheritedContext[] = [];
  for (const headline of outline.headlines) {
    const parent = known[headline.parent] ?? file;
    const names = headline.tags?.names ?? [];
    known.push({
      tags: tags[headline.index] ?? [],
      category: propertyOf(headline.properties, "CATEGORY") ?? parent.category,
      hidden: parent.hidden || headline.comment !== null || names.includes("ARCHIVE"),
    });
  }
  return (index) => known[index] ?? file;
}

/** The line without stars and tags. */
function textOf(text: string, headline: Headline): string {
  const begin = headline.begin + headline.level;
  const tags = headline.tags;
  const end = tags !== null && text.slice(begin, tags.begin).trim() !== "" ? tags.begin : headline.lineEnd;
  return text
    .slice(begin, end)
    .replace(/^[ \t\n\r]+/, "")
    .trimEnd();
}

/** 1,000 for each step of a priority above the lowest one. */
function importanceOf({ settings: { priorities } }: Outline): (priority: string | null) => number {
  const lowest = rankOf(priorities.lowest);
  return (priority) => 1000 * (lowest - rankOf(priority ?? priorities.default));
}

function rankOf(priority: string): number {
  return /^\d+$/.test(priority) ? Number(priority) : priority.toUpperCase().charCodeAt(0);
}

function doneLine({ settings }: Outline): (line: string) => boolean {
  const done = new Set(settings.todo.filter((state) => state.done).map(({ word }) => word));
  return (line) => done.has(/^[ \t]*-[ \t]+State "([^"]*)"/.exec(line)?.[1] ?? "");
}

function habitOf(text: string, headline: Headline, isDone: (line: string) => boolean) {
  if (propertyOf(headline.properties, "STYLE") !== "habit") return null;
  const doneDays = text
    .slice(headline.lineEnd, headline.sectionEnd)
    .split("\n")
    .flatMap((line) => {
      const stamp = isDone(line) ? /\[(\d{4}-\d{2}-\d{2}[^\]]*)\]/.exec(line)?.[1] : undefined;
      const day = stamp === undefined ? undefined : readDatedTime(stamp)?.day;
      return day === undefined ? [] : [day];
    });
  return readHabit({
    title: headline.title,
    scheduled: headline.planning?.scheduled?.raw ?? null,
    doneDays,
  });
}
