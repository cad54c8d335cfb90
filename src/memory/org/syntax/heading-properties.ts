import type { Heading } from "../scan-heading.ts";
import { objectsLater } from "./element.ts";
import type { HeadingProperties } from "./node.ts";
import type { Reading } from "./reading.ts";
import { restrictions } from "./restriction.ts";

/** What a heading line says, for the node of a headline or an inline task. */
export function headingProperties(reading: Reading, heading: Heading): HeadingProperties {
  const { level, todo, priority, rawTitleRange, tags } = heading;
  const { begin, end } = rawTitleRange;
  return {
    level: reading.settings.oddLevels ? 1 + Math.floor(level / 2) : level,
    rawValue: reading.text.slice(begin, end),
    todoKeyword: todo?.word ?? null,
    todoType: todo === null ? null : todo.done ? "done" : "todo",
    priority: priority?.value ?? null,
    tags: (tags?.names ?? []).filter((name) => name !== ""),
    title: objectsLater(reading, begin, end, restrictions.withoutLineBreak),
  };
}
