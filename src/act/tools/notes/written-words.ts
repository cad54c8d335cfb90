import type { Operation } from "#org";
import { joinAll, type Label } from "../../../signal/label.ts";
import type { LabelArgument, TurnSources } from "../../../signal/tool.ts";
import { splitWords } from "../../../text/words/tokens.ts";
import { isSaid, momentsSaid } from "../../flow/said-moments.ts";

/** What the owner typed, and when: a date or a TODO word of theirs may be written in another form. */
export type OwnersWords = Pick<TurnSources, "words" | "today">;

/** The label of all that the operations bring into a file. */
export function labelOfWrittenWords(
  operations: readonly Operation[],
  labelOf: LabelArgument,
  owners: OwnersWords = { words: [] },
): Label {
  const written = operations.flatMap((operation) =>
    valuesWrittenBy(operation).filter((value) => value !== "" && !isOwners(operation, value, owners)),
  );
  return joinAll(written.map(labelOf));
}

/**
 * The values that an operation writes: words, and what stands beside the words of an entry. What it moves,
 * takes away, checks or stamps with the time of the clock is no value of its call.
 */
function valuesWrittenBy(operation: Operation): readonly string[] {
  switch (operation.op) {
    case "todo":
      return [operation.state, operation.note ?? ""];
    case "schedule":
    case "deadline":
      return [operation.value, operation.note ?? ""];
    case "tags":
    case "priority":
    case "title":
      return [operation.value];
    case "put":
      return [operation.key, operation.value];
    case "insert":
      return [operation.title, operation.text ?? ""];
    case "capture":
      return [operation.title, operation.text ?? "", operation.date ?? ""];
    case "paste":
    case "append":
    case "body":
      return [operation.text];
    case "refile":
      return [operation.note ?? ""];
    case "delete-property":
    case "id":
    case "clock-in":
    case "clock-out":
    case "archive-tag":
    case "archive-sibling":
    case "archive":
    case "promote":
    case "demote":
    case "move":
    case "checkbox":
      return [];
  }
}

/** Whether a TODO word, or a date without more, is what the owner said: "mark it as done", "June 3rd". */
function isOwners(operation: Operation, value: string, { words, today }: OwnersWords): boolean {
  const said = words.flatMap(splitWords);
  if (operation.op === "todo" && value === operation.state)
    return said.some(({ text, role }) => role !== "content" && text === value.toLowerCase());
  const isDated = operation.op === "schedule" || operation.op === "deadline";
  const [, date, time] = (isDated && value !== operation.note && plainDate.exec(value)) || [];
  if (date === undefined) return false;
  const moments = momentsSaid(said, today);
  return (
    isSaid({ form: "date", value: date }, moments) &&
    (time === undefined || isSaid({ form: "time", value: time }, moments))
  );
}

const plainDate = /^<?(\d{4}-\d\d-\d\d)(?: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun))?(?: (\d\d:\d\d))?>?$/;
