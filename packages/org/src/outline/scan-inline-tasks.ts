import { endOfLine, nextLine } from "../text/lines.ts";
import { nextHeadline } from "./file-keywords.ts";
import type { Headline, Outline } from "./outline.ts";
import { scanPropertyDrawer } from "./scan-drawer.ts";
import { scanHeading } from "./scan-heading.ts";
import { todoWords } from "./scan-outline.ts";
import { scanPlanning } from "./scan-section.ts";

/**
 * An outline that was scanned with inline tasks, with those tasks among its headlines, below the headline whose text holds them, as Emacs's
 * commands see them: a line `END` of a task is that task once more.
 */
export function withInlineTasks(outline: Outline): Outline {
  const headlines: Headline[] = [];
  const places: number[] = [];
  for (const section of [null, ...outline.headlines]) {
    const parent = headlines.length;
    if (section !== null) {
      places.push(parent);
      headlines.push({ ...section, index: parent, parent: places[section.parent] ?? -1 });
    }
    const tasks = tasksOf(outline, section);
    const above = section === null ? -1 : parent;
    for (const task of tasks) headlines.push({ ...task, index: headlines.length, parent: above });
  }
  return { ...outline, headlines };
}

function tasksOf(outline: Outline, section: Headline | null): readonly Headline[] {
  const { text } = outline;
  const words = todoWords(outline.settings);
  const sectionEnd = section?.sectionEnd ?? outline.sectionEnd;
  const tasks: Headline[] = [];
  let open: Headline | null = null;
  const first = section === null ? 0 : section.begin + 1;
  for (let begin = nextHeadline(text, first); begin < sectionEnd; begin = nextHeadline(text, begin + 1)) {
    if (open !== null && /^\*+ [ \t]*END[ \t]*$/.test(text.slice(begin, endOfLine(text, begin)))) {
      tasks.push({ ...open, begin });
      open = null;
      continue;
    }
    const lineEnd = nextLine(text, begin);
    const end = Math.min(nextHeadline(text, begin + 1), sectionEnd);
    const planning = lineEnd < end ? scanPlanning(text, lineEnd) : null;
    open = {
      begin,
      end,
      index: -1,
      parent: -1,
      lineEnd,
      sectionEnd: end,
      ...scanHeading(text, begin, endOfLine(text, begin), words),
      planning,
      properties: scanPropertyDrawer(text, planning?.end ?? lineEnd, end),
      logbook: null,
      clocks: [],
    };
    tasks.push(open);
  }
  return tasks;
}
