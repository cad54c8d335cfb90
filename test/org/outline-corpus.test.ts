import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import {
  findTimestamps,
  type Headline,
  type Outline,
  type PropertyDrawer,
  readEntries,
  scanOutline,
  type Timestamp,
} from "#org";
import { type Golden, type GoldenNode, noGoldens, readGoldens } from "./outline-goldens.ts";

const target = 0.999;

test("headlines, planning, properties, clocks and entries are Emacs's own", { skip: noGoldens }, (t) => {
  const tally = new Map<string, { same: number; all: number; examples: string[] }>();
  for (const { text, golden } of readGoldens()) {
    for (const { what, ours, theirs } of comparisons(text, golden)) {
      const count = tally.get(what) ?? { same: 0, all: 0, examples: [] };
      tally.set(what, count);
      count.all += 1;
      // What one side leaves out is what the other has as undefined.
      if (isDeepStrictEqual(plain(ours), plain(theirs))) count.same += 1;
      else count.examples.push(`${golden.file}: ${JSON.stringify(ours)} is not ${JSON.stringify(theirs)}`);
    }
  }
  for (const [what, { same, all, examples }] of tally) {
    t.diagnostic(`${what}: ${same} of ${all}, ${((100 * same) / all).toFixed(2)} %`);
    assert.ok(same / all >= target, `${what}\n${examples.slice(0, 5).join("\n")}`);
  }
  assert.deepEqual(
    [...tally.keys()].filter((what) => (tally.get(what)?.all ?? 0) < 10),
    [],
  );
});

type Comparison = { readonly what: string; readonly ours: unknown; readonly theirs: unknown };

function comparisons(text: string, golden: Golden): readonly Comparison[] {
  const outline = scanOutline(text);
  const nodes = [...walk(golden.ast)];
  const headlines = nodes.filter(({ type }) => type === "headline");
  const entries = readEntries(outline, golden.file.replace(/(?<=.)\.[^.]*$/, ""));
  return [
    { what: "settings", ours: settingsOf(outline), theirs: theirSettings(golden) },
    { what: "number of headlines", ours: outline.headlines.length, theirs: headlines.length },
    ...headlines.flatMap((theirs, index) => ofHeadline(outline, outline.headlines[index], theirs)),
    ...entries.map((entry, index) => ({
      what: "entries",
      ours: { ...entry, properties: Object.fromEntries(entry.properties) },
      theirs: readRaw(golden.entries[index]),
    })),
    ...clocks(outline, nodes),
    ...timestamps(text, nodes),
  ];
}

function settingsOf({ settings }: Outline): unknown {
  return [
    settings.todo.map(({ word }) => word),
    settings.todo.filter(({ done }) => done).map(({ word }) => word),
    settings.tags,
  ];
}

function theirSettings({ todoKeywords, doneKeywords, filetags }: Golden): unknown {
  return [todoKeywords, doneKeywords, filetags];
}

function ofHeadline(outline: Outline, ours: Headline | undefined, theirs: GoldenNode): readonly Comparison[] {
  const section = theirs.children?.find(({ type }) => type === "section")?.children ?? [];
  const planning = section.find(({ type }) => type === "planning");
  const drawer = section.find(({ type }) => type === "property-drawer");
  const { begin, end, level, rawValue, todoKeyword, todoType, priority, tags, commented } = theirs;
  return [
    {
      what: "headlines",
      ours: ours && headlineOf(outline, ours),
      theirs: [begin, end, level, readRaw(rawValue), todoKeyword, todoType, priority, tags ?? [], commented],
    },
    ...(ours?.planning || planning
      ? [{ what: "planning", ours: planningOf(ours ?? null), theirs: planning && theirPlanning(planning) }]
      : []),
    ...(ours?.properties || drawer
      ? [
          {
            what: "properties",
            ours: drawerOf(ours?.properties ?? null),
            theirs: drawer && theirDrawer(drawer),
          },
        ]
      : []),
  ];
}

function headlineOf({ text }: Outline, headline: Headline): unknown {
  const { begin, end, level, rawTitleRange, todo, priority, tags, comment } = headline;
  return [
    begin,
    end,
    level,
    text.slice(rawTitleRange.begin, rawTitleRange.end),
    todo?.word,
    todo ? (todo.done ? "done" : "todo") : undefined,
    priority && cookie(priority.value),
    tags?.names ?? [],
    comment !== null,
  ];
}

/** The oracle prints a numeric priority from 32 on as the character of that number. */
function cookie(value: string): string {
  return Number(value) >= 32 ? String.fromCharCode(Number(value)) : value;
}

function planningOf(headline: Headline | null): unknown {
  const planning = headline?.planning;
  return (
    planning && [planning.begin, ...[planning.scheduled, planning.deadline, planning.closed].map(stampOf)]
  );
}

function theirPlanning({ begin, ...stamps }: GoldenNode): unknown {
  return [begin, ...["scheduled", "deadline", "closed"].map((role) => theirStamp(stamps[role]))];
}

function drawerOf(drawer: PropertyDrawer | null): unknown {
  return (
    drawer && [
      drawer.begin,
      drawer.properties.map(({ begin, end, name, value }) => [begin, end, name, value]),
    ]
  );
}

function theirDrawer({ begin, children = [] }: GoldenNode): unknown {
  return [begin, children.map((line) => [line.begin, line.end, line["key"], line["value"] ?? ""])];
}

function clocks({ headlines, sectionEnd }: Outline, nodes: readonly GoldenNode[]): readonly Comparison[] {
  const ours = headlines.flatMap((headline) => headline.clocks);
  const theirs = nodes.filter(({ type, begin = 0 }) => type === "clock" && begin >= sectionEnd);
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, index) => ({
    what: "clocks",
    ours: ours[index] && [stampOf(ours[index].value), ours[index].minutes ?? null],
    theirs: theirs[index] && [theirStamp(theirs[index]["value"]), minutes(theirs[index]["duration"])],
  }));
}

function minutes(duration: unknown): number | null {
  const [hours, rest] = `${duration ?? ""}`.split(":");
  return rest === undefined ? null : Number(hours) * 60 + Number(rest);
}

function timestamps(text: string, nodes: readonly GoldenNode[]): readonly Comparison[] {
  return nodes
    .filter(({ type }) => type === "timestamp")
    .map((theirs) => ({
      what: "timestamps",
      ours: stampOf(findTimestamps(text, { begin: theirs.begin ?? 0, end: theirs.end ?? 0 })[0] ?? null),
      theirs: theirStamp(theirs),
    }));
}

function stampOf(stamp: Timestamp | null): unknown {
  if (stamp === null) return null;
  const { start, last, repeater, warning } = stamp;
  const dated = stamp.kind !== "diary";
  return {
    begin: stamp.begin,
    timestampType: stamp.kind,
    rawValue: stamp.raw,
    ...(dated && { yearStart: start.year, monthStart: start.month, dayStart: start.day }),
    hourStart: start.hour,
    minuteStart: start.minute,
    ...(dated && { yearEnd: last.year, monthEnd: last.month, dayEnd: last.day }),
    hourEnd: last.hour,
    minuteEnd: last.minute,
    repeaterType: repeater?.type,
    repeaterValue: repeater?.value,
    repeaterUnit: repeater?.unit,
    repeaterDeadlineValue: repeater?.deadline?.value,
    repeaterDeadlineUnit: repeater?.deadline?.unit,
    warningType: warning?.type,
    warningValue: warning?.value,
    warningUnit: warning?.unit,
  };
}

function theirStamp(stamp: unknown): unknown {
  if (typeof stamp !== "object" || stamp === null) return null;
  return Object.fromEntries(
    Object.entries(stamp).filter(([key]) => !["type", "end", "postBlank"].includes(key)),
  );
}

/** All nodes, in the order of the text: those of titles and of planning too. */
function* walk(node: GoldenNode): Generator<GoldenNode> {
  yield node;
  const { title = [], scheduled, deadline, closed, children = [] } = node;
  for (const child of [...title, scheduled, deadline, closed, ...children]) {
    if (child?.type !== undefined) yield* walk(child);
  }
}

/** The oracle prints bytes that are not UTF-8 in octal. */
function readRaw(value: unknown): unknown {
  return rebuild(value ?? "", (part) =>
    typeof part === "string"
      ? part.replace(/\\([23]\d\d)/g, (_, octal: string) =>
          String.fromCharCode(0xdc00 + Number.parseInt(octal, 8)),
        )
      : part,
  );
}

/** A value without what is null or left out. */
function plain(value: unknown): unknown {
  return rebuild(value ?? null, (part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).filter(([, inner]) => inner !== null && inner !== undefined))
      : part,
  );
}

function rebuild(value: unknown, change: (part: unknown) => unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => change(part)));
}
