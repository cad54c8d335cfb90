import type { Heading } from "../outline/scan-heading.ts";
import { endOfLine, skipBlanksBack } from "../text/lines.ts";
import { objectsLater } from "./element.ts";
import type { HeadingProperties, ObjectList } from "./node.ts";
import { textNode } from "./object.ts";
import type { ParserState } from "./parser-state.ts";
import { restrictions } from "./restriction.ts";

/** What a heading line says, for the node of a headline or an inline task. */
export function headingProperties(reading: ParserState, heading: Heading): HeadingProperties {
  const { level, todo, priority, rawTitleRange, tags } = heading;
  return {
    level: reading.settings.oddLevels ? 1 + Math.floor(level / 2) : level,
    rawValue: reading.text.slice(rawTitleRange.begin, rawTitleRange.end),
    todoKeyword: todo?.word ?? null,
    todoType: todo === null ? null : todo.done ? "done" : "todo",
    priority: priority?.value ?? null,
    tags: tags?.names ?? [],
    title: readTitle(reading, heading),
  };
}

/** The title's objects. Org keeps a carriage return in them, and has an empty text where a title is empty behind a blank. */
function readTitle(reading: ParserState, { rawTitleRange, tags }: Heading): ObjectList {
  const { text } = reading;
  let { begin } = rawTitleRange;
  while (text[begin - 1] === "\r") begin -= 1;
  const limit = tags?.begin ?? endOfLine(text, rawTitleRange.end);
  const end = Math.max(begin, skipBlanksBack(text, limit, begin));
  if (begin < end) return objectsLater(reading, begin, end, restrictions.withoutLineBreak);
  return text[begin - 1] === " " || text[begin - 1] === "\t" ? [textNode(begin, begin)] : [];
}
