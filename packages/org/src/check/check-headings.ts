import { specialProperties } from "../outline/inherit.ts";
import type { FileSettings, Headline, Outline, PropertyDrawer } from "../outline/outline.ts";
import { alphanumeric } from "../text/emacs-characters.ts";
import { type OrgProblem, quoteExcerpt } from "./check-problem.ts";

const usualTodoWords: ReadonlySet<string> = new Set([
  "TODO",
  "DONE",
  "NEXT",
  "WAIT",
  "WAITING",
  "HOLD",
  "STARTED",
  "DOING",
  "SOMEDAY",
  "MAYBE",
  "PROJ",
  "CANCELED",
  "CANCELLED",
  "INPROGRESS",
  "IN-PROGRESS",
  "PROGRESS",
  "STRT",
  "KILL",
  "LOOP",
  "IDEA",
  "DELEGATED",
]);
const badTag = new RegExp(`[^${alphanumeric}_@#%:]`, "u");
const effort =
  /^(?:\d+(?:\.\d*)?|\d+:\d\d(?::\d\d)?|(?:[ \t]*\d+(?:\.\d*)?[ \t]*(?:min|h|d|w|m|y))+(?:[ \t]*\d+:\d\d)?)$/;

/** Problems of headings, their planning and their properties. */
export function checkHeadings(outline: Outline): readonly OrgProblem[] {
  const { headlines, settings, properties } = outline;
  const todoWords = listTodoWords(settings);
  return [
    ...settings.tags.filter((tag) => badTag.test(tag)).map((tag) => fileTag(outline, tag)),
    ...checkDrawer(properties),
    ...headlines.flatMap((headline) => [
      ...checkPriority(outline, headline),
      ...checkTags(headline),
      ...checkTodo(headline, todoWords),
      ...checkPlanning(outline, headline),
      ...checkDrawer(headline.properties),
      ...checkClocks(headline),
    ]),
  ];
}

function fileTag({ text }: Outline, tag: string): OrgProblem {
  const at = Math.max(text.search(/#\+filetags:/i), 0);
  return {
    at,
    code: "invalid-tag",
    message: `${quoteExcerpt(tag)} is not a valid tag. Use only letters, digits, _, @, # and %.`,
  };
}

function checkPriority({ text, settings }: Outline, headline: Headline): readonly OrgProblem[] {
  const { priority, titleRange } = headline;
  if (priority !== null) {
    const { highest, lowest } = settings.priorities;
    if (rank(priority.value) >= rank(highest) && rank(priority.value) <= rank(lowest)) return [];
    const message = `priority ${quoteExcerpt(priority.value)} is not between ${quoteExcerpt(highest)} and ${quoteExcerpt(lowest)}. Change it, or the range in #+PRIORITIES.`;
    return [{ at: priority.begin, code: "priority-out-of-bounds", message }];
  }
  const title = text.slice(titleRange.begin, titleRange.end);
  const malformed = /^\[#[^\]\s]*\]/.exec(title)?.[0];
  if (malformed === undefined) return [];
  const message = `${quoteExcerpt(malformed)} is not a priority. Use a letter from A to Z, or a number up to 64.`;
  return [{ at: titleRange.begin, code: "invalid-priority", message }];
}

function rank(value: string): number {
  return /^\d+$/.test(value) ? Number(value) : value.toUpperCase().charCodeAt(0);
}

function checkTags({ tags, title, titleRange }: Headline): readonly OrgProblem[] {
  if (tags !== null) {
    const message = "there is an empty tag between two colons. Remove one colon.";
    return tags.names.includes("") ? [{ at: tags.begin, code: "spurious-colons", message }] : [];
  }
  const group = /(?:^|[ \t])(:(?:[^\s:]+:)+)$/.exec(title)?.[1];
  const bad = group === undefined ? undefined : badTag.exec(group)?.[0];
  if (group === undefined || bad === undefined) return [];
  const at = titleRange.end - group.length;
  const message = `${quoteExcerpt(group)} is not read as tags: ${quoteExcerpt(bad)} is not allowed in a tag.`;
  return [{ at, code: "invalid-tag", message }];
}

/** The most TODO words that a message names. */
const mostWords = 20;

function listTodoWords({ todo }: FileSettings): string {
  const words = [...new Set(todo.map(({ word }) => word))];
  return [...words.slice(0, mostWords), ...(words.length > mostWords ? ["…"] : [])].join(", ");
}

function checkTodo({ todo, title, titleRange }: Headline, known: string): readonly OrgProblem[] {
  const first = /^\S+/.exec(title)?.[0];
  if (todo !== null || first === undefined || !usualTodoWords.has(first)) return [];
  const message = `${quoteExcerpt(first)} is not a TODO word of this file (${known}), so it is read as part of the title. Add it to a #+TODO line, or use another.`;
  return [{ at: titleRange.begin, code: "unknown-todo-word", message }];
}

function checkPlanning({ text }: Outline, { planning }: Headline): readonly OrgProblem[] {
  if (planning === null) return [];
  const { scheduled, deadline, closed } = planning;
  const problems: OrgProblem[] = [];
  const line = text.slice(planning.begin, planning.end);
  const lastBracket = Math.max(line.lastIndexOf("]"), line.lastIndexOf(">"));
  for (const { index, 0: keyword } of line.matchAll(/(?:SCHEDULED|DEADLINE|CLOSED):/gi)) {
    const at = planning.begin + index;
    if (keyword !== keyword.toUpperCase()) {
      const message = `${quoteExcerpt(keyword)} is ignored. Write it in upper case.`;
      problems.push({ at, code: "planning-in-lower-case", message });
    } else if (!hasTimestamp(line, index + keyword.length, lastBracket)) {
      problems.push({
        at,
        code: "planning-without-time",
        message: `${keyword} is not followed by a valid timestamp. Write <YYYY-MM-DD> after it.`,
      });
    }
  }
  for (const [name, stamp] of [
    ["SCHEDULED", scheduled],
    ["DEADLINE", deadline],
  ] as const) {
    if (stamp?.kind.startsWith("inactive") !== true) continue;
    const message = `${name} has an inactive timestamp, which agendas do not show. Write it as <…>.`;
    problems.push({ at: stamp.begin, code: "inactive-planning", message });
  }
  if (closed?.kind.startsWith("active") === true) {
    problems.push({
      at: closed.begin,
      code: "active-closed",
      message: "CLOSED has an active timestamp. Write it as […].",
    });
  }
  const repeaters = [scheduled?.repeater, deadline?.repeater].flatMap((repeater) => repeater ?? []);
  const [one, other] = repeaters.map(({ type, value, unit }) => `${type} ${value} ${unit}`);
  if (one !== undefined && other !== undefined && one !== other) {
    const message =
      "SCHEDULED and DEADLINE have different repeaters, so they will drift apart. Use the same repeater.";
    problems.push({ at: planning.begin, code: "mismatched-repeaters", message });
  }
  return problems;
}

const planned = /[ \t]*[<[](?:\d{4}-\d\d-\d\d|(%%\())/y;

/** Whether something begins at an offset that may be a timestamp. Dates need a bracket behind them on the line, whose last one is given. */
function hasTimestamp(line: string, at: number, lastBracket: number): boolean {
  planned.lastIndex = at;
  const match = planned.exec(line);
  return match !== null && (match[1] !== undefined || planned.lastIndex <= lastBracket);
}

function checkDrawer(drawer: PropertyDrawer | null): readonly OrgProblem[] {
  return (drawer?.properties ?? []).flatMap(({ name, value, nameRange, valueRange }) => {
    const key = name.toUpperCase();
    if (specialProperties.has(key.replace(/\+$/, ""))) {
      const message = `${quoteExcerpt(name)} is a special property of Emacs, so this line is ignored. Use another name.`;
      return [{ at: nameRange.begin, code: "special-property", message }];
    }
    if (key === "ID" && value.includes("::")) {
      const message = "links cannot lead to an ID that contains '::'. Use an ID without it.";
      return [{ at: valueRange.begin, code: "invalid-id", message }];
    }
    if (key === "EFFORT" && value !== "" && !effort.test(value)) {
      return [
        {
          at: valueRange.begin,
          code: "invalid-effort",
          message: `${quoteExcerpt(value)} is not a duration. Write it as 1:30 or 2h.`,
        },
      ];
    }
    return [];
  });
}

function checkClocks({ clocks }: Headline): readonly OrgProblem[] {
  return clocks.flatMap(({ begin, value, minutes }) => {
    if (value === null || minutes === null) return [];
    const { start, last } = value;
    const at = (moment: typeof start) =>
      Date.UTC(moment.year, moment.month - 1, moment.day, moment.hour ?? 0, moment.minute ?? 0) / 60_000;
    const taken = at(last) - at(start);
    if (taken < 0)
      return [
        {
          at: begin,
          code: "clock-ends-early",
          message: "this clock ends before it starts. Correct one of its times.",
        },
      ];
    if (taken === minutes) return [];
    const written = `${Math.floor(taken / 60)}:${`${taken % 60}`.padStart(2, "0")}`;
    return [
      {
        at: begin,
        code: "clock-sum",
        message: `this clock took ${written}, but its line gives another duration. Correct the duration.`,
      },
    ];
  });
}
