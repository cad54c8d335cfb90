import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scanOutline } from "../outline/scan-outline.ts";
import { weekday } from "../time/calendar.ts";
import { dayOf, formatDay, isoWeekOf, parseDay } from "./agenda-day.ts";
import { type AgendaLine, type AgendaSpan, agendaFor, mayShow } from "./agenda-lines.ts";
import type { LocatedTimestamp } from "./agenda-timestamp.ts";
import { agendaTimestamps } from "./agenda-timestamps.ts";
import { printAgenda } from "./print-agenda.ts";

function stampsIn(text: string, inactive = false): readonly LocatedTimestamp[] {
  const outline = scanOutline(text);
  return agendaTimestamps(outline, { category: "notes", inactive }).map(({ index, timestamp }) => ({
    file: "notes.org",
    begin: outline.headlines[index]?.begin ?? 0,
    timestamp,
  }));
}

const week: AgendaSpan = { from: "2024-01-15", days: 7, today: "2024-01-17" };

function linesOf(text: string, span: AgendaSpan = week): readonly AgendaLine[] {
  return agendaFor(stampsIn(text), span);
}

/** Day of the month, what stands before the text, time and text. */
function short(text: string, span: AgendaSpan = week): readonly string[] {
  return linesOf(text, span).map(
    ({ date, extra, time, txt }) => `${date.slice(8)}|${extra.trim()}|${time.trim()}|${txt}`,
  );
}

test("what is scheduled shows on its day, and is carried to today until it is done", () => {
  assert.deepEqual(short("* TODO a\nSCHEDULED: <2024-01-15 Mon>\n"), [
    "15|Scheduled:||TODO a",
    "17|Sched. 2x:||TODO a",
  ]);
  assert.deepEqual(short("* DONE a\nSCHEDULED: <2024-01-15 Mon>\n"), ["15|Scheduled:||DONE a"]);
  assert.deepEqual(short("* TODO a\nSCHEDULED: <2024-01-15 Mon -2d>\n"), ["17|Sched. 2x:||TODO a"]);
});

test("a deadline warns today of what is near, and says how long ago it was missed", () => {
  assert.deepEqual(short("* TODO a\nDEADLINE: <2024-01-20 Sat>\n"), [
    "17|In   3 d.:||TODO a",
    "20|Deadline:||TODO a",
  ]);
  assert.deepEqual(short("* TODO a\nDEADLINE: <2024-01-20 Sat -2d>\n"), ["20|Deadline:||TODO a"]);
  assert.deepEqual(short("* TODO a\nDEADLINE: <2024-01-02 Tue>\n"), ["17|15 d. ago:||TODO a"]);
  assert.deepEqual(short("* DONE a\nDEADLINE: <2024-01-02 Tue>\n"), []);
  assert.deepEqual(short("* TODO a\nDEADLINE: <2024-02-20 Tue>\n"), []);
});

test("repeaters of all three kinds show on each day to come", () => {
  for (const kind of ["+", "++", ".+"]) {
    assert.deepEqual(short(`* TODO a\nSCHEDULED: <2024-01-16 Tue ${kind}2d>\n`), [
      "16|Scheduled:||TODO a",
      "17|Sched. 1x:||TODO a",
      "18|Scheduled:||TODO a",
      "20|Scheduled:||TODO a",
    ]);
  }
  assert.deepEqual(short("* a\n<2024-01-13 Sat +2d>\n"), ["15|||a", "17|||a", "19|||a", "21|||a"]);
  assert.deepEqual(short("* a\n<2023-12-18 Mon +1m>\n"), ["18|||a"]);
  assert.deepEqual(short("* a\n<2020-01-19 Sun +1y>\n"), ["19|||a"]);
});

test("a repeated end of the month goes on into the next one", () => {
  const span = { from: "2024-03-01", days: 5, today: "2024-02-01" };
  assert.deepEqual(short("* a\n<2024-01-31 Wed +1m>\n", span), ["02|||a"]);
});

test("a range counts its days, and has a time of day on its first and last", () => {
  assert.deepEqual(short("* trip\n<2024-01-14 Sun 10:00>--<2024-01-16 Tue 18:00>\n"), [
    "15|(2/3):||trip",
    "16|(3/3):|18:00......|trip",
  ]);
  assert.deepEqual(short("* talk\n<2024-01-16 Tue 10:00>--<2024-01-16 Tue 11:30>\n"), [
    "16||10:00-11:30|talk",
  ]);
});

test("a time of day is taken from the stamp, else from the heading", () => {
  assert.deepEqual(short("* TODO a\nSCHEDULED: <2024-01-18 Thu 9:30-11:00 +1y>\n"), [
    "18|Scheduled:|9:30-11:00|TODO a",
  ]);
  assert.deepEqual(short("* 2pm-4:15pm talk <2024-01-18 Thu>\n"), ["18||14:00-16:15|2pm-4:15pm talk "]);
  assert.deepEqual(short("* late\n<2024-01-18 Thu 25:30>\n"), ["18||+1:30......|late"]);
});

test("inherited tags stand before two colons, own ones behind", () => {
  const text = "#+FILETAGS: :f:\n* up :u:\n** down :d:f:\n<2024-01-18 Thu>\n** plain\n<2024-01-18 Thu>\n";
  const [one, two] = linesOf(text);
  assert.match(one?.txt ?? "", /^down {2,}:u::d:f:$/);
  assert.match(two?.txt ?? "", /^plain {2,}:f:u::$/);
});

test("archived and commented trees, comments, source and verbatim text show nothing", () => {
  const day = "<2024-01-18 Thu>";
  for (const text of [
    `* a :ARCHIVE:\n** b\n${day}\n`,
    `* COMMENT a\n** b\nSCHEDULED: ${day}\n`,
    `* a\n# ${day}\n`,
    `* a\n#+begin_src sh\n${day}\n#+end_src\n`,
    `* a\n#+begin_example\n${day}\n#+end_example\n`,
    `* a\n: ${day}\n`,
    `* a\n=${day}=\n`,
    `* a\n<%%(diary-float t 4 2)>\n`,
    `${day}\n* a\n`,
    `* a\nSCHEDULED:\t${day}\n`,
  ]) {
    assert.deepEqual(linesOf(text), [], text);
  }
  assert.equal(linesOf(`* a\n#+begin_src sh\n${day}\n`).length, 1, "a block that nobody ended is none");
  assert.equal(linesOf(`* a\n#+begin_quote\n${day}\n#+end_quote\n`).length, 1);
  assert.equal(linesOf(`* a\n:PROPERTIES:\n:ON: ${day}\n:END:\n`).length, 1);
});

test("inactive times show when they are asked for", () => {
  const text = "* a\n[2024-01-18 Thu 10:00]\n";
  assert.deepEqual(linesOf(text), []);
  const lines = agendaFor(stampsIn(text, true), week);
  assert.deepEqual(
    lines.map(({ extra, type }) => [extra, type]),
    [["[", "timestamp"]],
  );
});

const habit = (planning: string): string => `* TODO run\n${planning}:PROPERTIES:\n:STYLE: habit\n:END:\n`;

test("a habit shows today only, and says what is wrong with it", () => {
  assert.deepEqual(short(habit("SCHEDULED: <2024-01-15 Mon 07:00 .+2d/4d>\n")), ["17||7:00......|TODO run"]);
  const wrong: readonly [planning: string, said: RegExp][] = [
    ["SCHEDULED: <2024-01-15 Mon>\n", /no scheduled repeat period/],
    ["SCHEDULED: <2024-01-15 Mon +0d>\n", /less than 1d/],
    ["SCHEDULED: <2024-01-15 Mon .+4d/2d>\n", /less than or equal to scheduled \(\.\+4d\/2d\)/],
  ];
  for (const [planning, said] of wrong) {
    const [line] = linesOf(habit(planning));
    assert.equal(line?.type, "problem");
    assert.match(line?.extra ?? "", said);
  }
});

test("the page sorts by time of day, then by urgency, with habits last and a grid today", () => {
  const text = `* TODO low [2024-01-01 Mon]\nSCHEDULED: <2024-01-17 Wed>\n* TODO [#A] high\nDEADLINE: <2024-01-17 Wed>
* at noon\n<2024-01-17 Wed 12:00>\n${habit("SCHEDULED: <2024-01-15 Mon .+2d>\n")}`;
  const page = printAgenda(linesOf(text), { ...week, from: "2024-01-17", days: 2 }, { minutes: 615 });
  const rows = page.split("\n").map((row) => row.trim());
  assert.equal(rows[0], "Wednesday  17 January 2024");
  assert.equal(rows.at(-1), "Thursday   18 January 2024");
  const order = ["now - -", "at noon", "12:00...... ---", "20:00......", "high", "low", "run"];
  const places = order.map((words) => rows.findIndex((row) => row.includes(words)));
  assert.ok(!places.includes(-1), `${places}`);
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
});

test("days are counted like the calendar", () => {
  fc.assert(
    fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
      const text = formatDay(day);
      assert.equal(parseDay(text), day);
      assert.equal(weekday(day), new Date(`${text}T00:00:00Z`).getUTCDay());
    }),
  );
  assert.equal(formatDay(dayOf(2024, 13, 31)), "2025-01-31");
  assert.equal(parseDay("2023-02-29"), null);
  assert.equal(isoWeekOf(dayOf(2024, 12, 30)), 1);
  assert.equal(isoWeekOf(dayOf(2021, 1, 3)), 53);
});

const stamp = fc
  .record({
    day: fc.integer({ min: dayOf(2023, 10, 1), max: dayOf(2024, 6, 1) }),
    time: fc.constantFrom("", " 10:00", " 25:30", " 9:00-10:00"),
    repeater: fc.constantFrom("", "", " +1d", " ++2w", " .+1m", " +1y", " +30h", " +0d", " .+2d/4d"),
    warning: fc.constantFrom("", "", " -3d", " --1w", " -1y", " -10h"),
  })
  .map(({ day, time, repeater, warning }) => `<${formatDay(day)} Xxx${time}${repeater}${warning}>`);

const notes = fc
  .array(
    fc.record({
      todo: fc.constantFrom("", "TODO ", "DONE "),
      planning: fc.constantFrom("", "SCHEDULED: ", "DEADLINE: "),
      planned: stamp,
      inText: fc.array(fc.tuple(stamp, stamp, fc.constantFrom(" ", "--")), { maxLength: 3 }),
      habit: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((headlines) =>
    headlines
      .map(({ todo, planning, planned, inText, habit: isHabit }) =>
        [
          `* ${todo}a`,
          ...(planning === "" ? [] : [planning + planned]),
          ...(isHabit ? [":PROPERTIES:", ":STYLE: habit", ":END:"] : []),
          ...inText.map(([one, other, between]) => one + between + other),
        ].join("\n"),
      )
      .join("\n"),
  );

test("an agenda of the times that may show in its days is the agenda of all of them", () => {
  fc.assert(
    fc.property(
      notes,
      fc.integer({ min: dayOf(2023, 12, 1), max: dayOf(2024, 3, 1) }),
      fc.integer({ min: -20, max: 20 }),
      fc.integer({ min: 1, max: 12 }),
      (text, from, offset, days) => {
        const stamps = stampsIn(text, true);
        const span = { from: formatDay(from), days, today: formatDay(from + offset) };
        const to = formatDay(from + days - 1);
        const open = stamps.map((located) => ({
          ...located,
          timestamp: { ...located.timestamp, first: "0000-01-01", last: "9999-12-31" },
        }));
        const all = agendaFor(open, span).map(({ located, ...line }) => ({ ...line, begin: located.begin }));
        const some = agendaFor(
          stamps.filter(({ timestamp }) => mayShow(timestamp, { from: span.from, to })),
          span,
        ).map(({ located, ...line }) => ({ ...line, begin: located.begin }));
        assert.deepEqual(some, all);
      },
    ),
    { numRuns: 400 },
  );
});

test("hostile text takes time in proportion to its length", () => {
  const lines = [
    "<2024-01-01 ",
    "<2024-01-01>--<2024-01-02",
    "=a ",
    "=a= <2024-01-15> ",
    "[[a ",
    "{{{a ",
    "$a ",
    "[cite:a ",
    "<2024-01-01 Mon> =",
    "#+begin_src x\n",
    ":a:\n",
    "\\begin{a}\n",
  ];
  for (const piece of lines) {
    const [small, large] = [bestOf(piece, 4000), bestOf(piece, 16_000)];
    assert.ok(
      large < 12 * small + 150,
      `${JSON.stringify(piece)}: ${small} ms, four times the text ${large} ms`,
    );
  }
});

/** The least time of this thread's processor that a look at a heading with a piece of text repeated below took, in milliseconds. */
function bestOf(piece: string, times: number): number {
  const text = `* a\n${piece.repeat(times)}\n<2024-01-15 Mon>\n`;
  const took = Array.from({ length: 3 }, () => {
    const start = process.threadCpuUsage();
    linesOf(text);
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...took);
}
