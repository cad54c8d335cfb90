import { isTrustedOrigin } from "../../signal/facts.ts";
import type { TurnSources } from "../../signal/tool.ts";
import { foldName } from "../../text/fold-name.ts";
import type { JsonObject } from "../../text/json.ts";
import { findIdentifiers } from "../../text/words/identifiers.ts";
import { partsOf } from "../../text/words/tokens.ts";
import { leavesIn } from "./deciding-values.ts";
import { isMomentName, wordsOfName } from "./fits-name.ts";
import { isAboutText } from "./name-records.ts";
import {
  durationsSaid,
  isSaid,
  isSameMoment,
  type Moment,
  momentsSaid,
  type SaidMoment,
  timeBehind,
} from "./said-moments.ts";
import type { TraceContext, TracedArgument } from "./trace-context.ts";
import { traceValue } from "./trace-value.ts";

/** Letters of a value without a form of its own from which on a text that holds it gave it. */
const shortestText = 4;

/**
 * The moments of an act that content of others gave, in arguments that nothing declares to decide. What the
 * owner said in whatever words is theirs; what nobody's content has is the model's own, as any text is.
 */
export function foreignMoments(
  args: JsonObject,
  deciding: ReadonlySet<string>,
  context: TraceContext,
): readonly { readonly pointer: string; readonly value: string }[] {
  const given = leavesIn(args, { path: "", name: "" })
    .filter(({ path }) => !deciding.has(foldName(path.split("/")[1] ?? "")))
    .map(({ path, text }): TracedArgument & { readonly pointer: string } => ({
      pointer: path,
      name: path.split("/").findLast((part) => !/^\d*$/.test(part)) ?? "",
      value: text,
      role: "critical",
      nouns: [],
    }))
    .filter(({ name, value }) => saysWhen(name) || (!isAboutText(name) && momentsIn(value).length > 0));
  if (given.length === 0) return [];
  const said = saidBeside(
    given.flatMap(({ value }) => momentsIn(value)),
    context,
  );
  const all = { ...context, given: [...context.given, ...given.map(({ value }) => value)] };
  return given.filter(
    (argument) =>
      !isWordForWord(argument.value, context) &&
      isHeldByOthers(argument.value, said, context.results) &&
      !isTrustedOrigin[traceValue(argument, all)],
  );
}

/** Whether an argument may say when: also by a number of seconds, or by a rule. */
function saysWhen(name: string): boolean {
  return isMomentName(name) || whenNouns.has(wordsOfName(name).at(-1) ?? "");
}

const whenNouns: ReadonlySet<string> = new Set(
  "at when dtstart dtend rrule rdate recurrence repeat timestamp scheduled expires reminder".split(" "),
);

/** The moments that the owner said, beside those of a call: "at 16:00 for two hours" says when it ends. */
export function saidBeside(
  given: readonly Moment[],
  { intent, sources }: TraceContext,
): readonly SaidMoment[] {
  const times = given.filter(({ form }) => form === "time").map(({ value }) => value);
  const ends = durationsSaid(intent.words).map(
    (minutes): SaidMoment => ({ form: "time", values: times.map((time) => timeBehind(time, minutes)) }),
  );
  return [...momentsSaid(intent.words, sources.today), ...ends];
}

/** "Tomorrow" stands in the owner's words as it is. */
function isWordForWord(value: string, { intent }: TraceContext): boolean {
  const words = new Set(intent.words.flatMap(({ text, role }) => (role === "content" ? [] : [text])));
  return momentsIn(value).length === 0 && partsOf(value).every((part) => words.has(part));
}

/**
 * Whether texts of others have what the owner did not say of a moment. A time that stands behind another date
 * there is that date's.
 */
function isHeldByOthers(
  value: string,
  said: readonly SaidMoment[],
  results: TurnSources["results"],
): boolean {
  const texts = results
    .filter(({ label }) => label.integrity === "untrusted")
    .flatMap(({ content }) => leavesIn(content, { path: "", name: "" }).map(({ text }) => text));
  const parts = momentsIn(value);
  if (parts.length === 0) return value.length >= shortestText && texts.some((text) => text.includes(value));
  const unsaid = parts.filter((part) => !isSaid(part, said));
  const date = parts.find(({ form }) => form === "date")?.value ?? null;
  return (
    unsaid.length > 0 &&
    texts
      .flatMap(momentsIn)
      .some((held) =>
        unsaid.some(
          ({ form, value: own }) =>
            form === held.form &&
            isSameMoment(own, held.value) &&
            (date === null || held.day === null || isSameMoment(date, held.day)),
        ),
      )
  );
}

/** The dates and times of a text; `day`: the date right before a time. */
function momentsIn(text: string): readonly (Moment & { readonly day: string | null })[] {
  const plain = plainMoments(text);
  const found = findIdentifiers(plain);
  return found.flatMap(({ form, value, start }, at) => {
    if (form !== "date" && form !== "time") return [];
    const before = found[at - 1];
    const isBehind = before?.form === "date" && /^[ ,(]*(?:at |um )?$/.test(plain.slice(before.end, start));
    return [{ form, value, day: form === "time" && isBehind ? before.value : null }];
  });
}

/**
 * A text with the dates and times of calendars ("20260609T180000Z", "2026/06/09") as they are written
 * elsewhere. Of "09/06/2026" the day is taken to stand first: on both sides alike.
 */
export function plainMoments(text: string): string {
  return text
    .replaceAll(
      /(?<!\d)(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?Z?)?(?![\p{L}\d])/gu,
      (_, year, month, day, hour, minute) =>
        hour === undefined ? `${year}-${month}-${day}` : `${year}-${month}-${day} ${hour}:${minute}`,
    )
    .replaceAll(/(?<![\d/])(\d{4})[/.](\d\d)[/.](\d\d)(?![\d/])/g, "$1-$2-$3")
    .replaceAll(/(?<![\d/])(\d\d)\/(\d\d)\/(\d{4})(?![\d/])/g, "$3-$2-$1")
    .replaceAll(/(?<=\d)T(?=\d)/g, " ")
    .replaceAll(/(?<=:\d\d(?:\.\d{1,9})?)(?:[+-]\d\d:?\d\d(?!\d)|Z(?!\p{L}))/gu, "")
    .replaceAll(/(?<=:\d\d)-(?=\d\d?:\d\d)/g, " ");
}
