import { makeClosedTest, parseTimestamp } from "../outline/scan-timestamp.ts";
import { dayNumber, dayOfNumber, printDay, weekday } from "../time/calendar.ts";
import type { Moment, Timestamp } from "../time/timestamp.ts";
import { type OrgProblem, quoteExcerpt } from "./check-problem.ts";
import { inertPlaces, verbatimEnds } from "./inert-places.ts";

const candidate = /(?<![^\s\-('"{])[=~](?=\S)|[<[](?=\d{3,5}-\d)|<(?=%%\()/g;
const written = /[<[][^\n<>[\]]{0,80}[>\]]?/y;
const englishDays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const cookie = /^(?:(?:\+\+|\.\+|\+)\d+[hdwmy](?:\/\d+[hdwmy])?|--?\d+[hdwmy])$/;
const time = /^(?:[01]?\d|2[0-4]):[0-5]\d(?:-(?:[01]?\d|2[0-4]):[0-5]\d)?$/;

/** Finds timestamps that are malformed or contradict themselves. */
export function checkTimestamps(text: string): readonly OrgProblem[] {
  const isInert = inertPlaces(text);
  const verbatimEnd = verbatimEnds(text);
  const mayBeClosed = makeClosedTest(text);
  const problems: OrgProblem[] = [];
  candidate.lastIndex = 0;
  for (let hit = candidate.exec(text); hit !== null; hit = candidate.exec(text)) {
    const at = hit.index;
    const isVerbatim = hit[0] === "=" || hit[0] === "~";
    const stamp = isVerbatim || !mayBeClosed(at) ? null : parseTimestamp(text, at);
    if (!isVerbatim && !isInert(at))
      for (const each of stamp === null ? checkBroken(text, at) : checkStamp(stamp)) problems.push(each);
    candidate.lastIndex = Math.max(at + 1, isVerbatim && !isInert(at) ? verbatimEnd(at) : (stamp?.end ?? 0));
  }
  return problems;
}

/** Checks a text that begins like a timestamp but cannot be parsed. */
function checkBroken(text: string, at: number): readonly OrgProblem[] {
  written.lastIndex = at;
  const found = written.exec(text)?.[0] ?? "";
  const looksDated = /^[<[]\d{4}-\d{1,2}-\d{1,2}(?!\d)/.test(found) || found.startsWith("<%%");
  if (!looksDated) return [];
  const why = /[>\]]$/.test(found) ? "write it as <YYYY-MM-DD Day HH:MM>" : "close its bracket";
  return [{ at, code: "malformed-timestamp", message: `${quoteExcerpt(found)} is not a timestamp: ${why}.` }];
}

function checkStamp(stamp: Timestamp): readonly OrgProblem[] {
  if (stamp.kind === "diary") return [];
  const { begin, raw, start, last } = stamp;
  const single = raw.split(/(?<=[>\]])--(?=[<[])/);
  const problems = [start, last].flatMap((moment, index) => checkPart(single[index], moment));
  const [open, close] = [raw[0], raw.at(-1)];
  if ((open === "<") !== (close === ">")) problems.push("its brackets do not match");
  if (problems.length === 0 && orderOf(last) < orderOf(start)) problems.push("it ends before it starts");
  return problems.map((why) => ({
    at: begin,
    code: "malformed-timestamp",
    message: `${quoteExcerpt(raw)}: ${why}.`,
  }));
}

function checkPart(part: string | undefined, moment: Moment): string[] {
  if (part === undefined) return [];
  if (printDay(dayOfNumber(dayNumber(moment))) !== printDay(moment)) return ["there is no such day"];
  return part
    .slice(11, -1)
    .split(" ")
    .filter((word) => word !== "")
    .flatMap((word) => checkWord(word, moment));
}

function checkWord(word: string, moment: Moment): string[] {
  if (cookie.test(word) || time.test(word)) return [];
  if (/^\d{1,2}:/.test(word)) return [`${quoteExcerpt(word)} is not a time of day`];
  if (/^[+.\-\d]/.test(word))
    return [`${quoteExcerpt(word)} is neither a repeater such as +1w nor a warning such as -3d`];
  const named = englishDays.indexOf(word.toLowerCase().replace(/\.$/, ""));
  const actual = weekday(dayNumber(moment));
  return named === -1 || named === actual ? [] : [`that day is a ${englishNames[actual]}`];
}

const englishNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

function orderOf(moment: Moment): number {
  return dayNumber(moment) * 1440 + (moment.hour ?? 0) * 60 + (moment.minute ?? 0);
}
