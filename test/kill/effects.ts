import { join } from "node:path";
import type { Effect } from "../../src/signal/effect.ts";
import type { JournalEntry } from "../../src/signal/journal-entry.ts";
import type { Turn } from "../../src/signal/turn.ts";
import { isJsonObject, type JsonObject } from "../../src/text/json.ts";
import type { Disk } from "./disk.ts";
import { type Holding, holding, type Run, sum } from "./holding.ts";
import type { Lasting } from "./lasting.ts";
import { files, runsFile } from "./scenarios.ts";
import type { World } from "./world.ts";

/** Whatever happened in the world has its intent in the journal, right after the kill and at the end; and no outcome is without one. */
export function forcedEffects({ world, killed, taken }: Run): Holding {
  const requests = killed.requests + taken.requests;
  return sum([
    haveIntents(world, { ...killed, when: "after the kill" }),
    haveIntents(world, { ...taken, requests, when: "at the end" }),
    outcomesHaveIntents(taken.disk),
  ]);
}

type Moment = {
  readonly disk: Disk;
  readonly lasting: Lasting;
  readonly requests: number;
  readonly when: string;
};

/** Every trace of an effect in the world has its intent in the journal. */
function haveIntents(world: World, { disk, lasting, requests, when }: Moment): Holding {
  const intended = disk.journal.filter(({ kind }) => kind === "intent");
  const number = (fits: (effect: Effect, entry: JournalEntry) => boolean): number =>
    intended.filter((entry) => entry.effects.some((effect) => fits(effect, entry))).length;
  const counts = [
    ["model requests", requests, number(({ kind }) => kind === "call-model")],
    [
      "approved runs",
      lasting.runs,
      number(({ kind }, { detail }) => kind === "run-program" && typeof detail["approval"] === "string"),
    ],
    [
      "notes",
      lasting.notes.length,
      number(({ kind, target }) => kind === "write-path" && target === world.inbox),
    ],
    ["changes of memory", disk.memoryChanges, number(({ kind }) => kind === "change-memory")],
  ] as const;
  const made = [...lasting.files].filter(([name, content]) => files[name] !== content);
  return sum([
    ...counts.map(
      ([what, done, journalled]): Holding => ({
        checked: done,
        broken: done > journalled ? [`${when}: ${done} ${what}, ${journalled} intents`] : [],
      }),
    ),
    holding(made, ([name]) => {
      const path = join(world.workspace, name);
      const draft = /^\.passepartout-.*\.tmp$/.test(name);
      const there = number(({ kind, target }) => kind === "write-path" && (draft || target === path));
      return there > 0 ? null : `${when}: ${name} was written without an intent`;
    }),
  ]);
}

function outcomesHaveIntents({ journal }: Disk): Holding {
  const begun = new Set<string>();
  return holding(journal, ({ kind, turn, digest, sequence }) => {
    const what = `${turn} ${digest}`;
    if (kind === "intent") begun.add(what);
    return kind !== "outcome" || begun.has(what) ? null : `entry ${sequence} is an outcome without an intent`;
  });
}

/** A file holds what it held before or what was to be written, whole, and a note is there once; nothing of the program's own stays beside them. */
export function wholeFiles({ scenario, killed, taken }: Run): Holding {
  const written = new Map(
    doneBy("write-file", taken.disk.turns).map((args) => [String(args["path"]), String(args["content"])]),
  );
  const noted = doneBy("remember", taken.disk.turns).map((args) => String(args["text"]));
  const planned = new Map<string, string>();
  for (const call of scenario.steps.flatMap(({ calls = [] }) => calls)) {
    const args = call.arguments;
    if (typeof args === "string" || !("content" in args) || !("path" in args)) continue;
    planned.set(String(args.path), String(args.content));
  }
  return sum([
    holding([...killed.lasting.files, ...taken.lasting.files], ([name, content]) => {
      if (/^\.passepartout-.*\.tmp$/.test(name)) return null;
      return [files[name], planned.get(name)].includes(content) ? null : `${name} holds neither old nor new`;
    }),
    holding([...written], ([name, content]) =>
      taken.lasting.files.get(name) === content ? null : `${name} is not as its result says`,
    ),
    holding(noted, (text) => (taken.lasting.notes.includes(text) ? null : `the note "${text}" is missing`)),
    holding([...new Set(taken.lasting.notes)], (note) =>
      taken.lasting.notes.filter((other) => other === note).length === 1 ? null : `"${note}" is noted twice`,
    ),
    holding([...taken.lasting.files.keys()], (name) =>
      name in files || planned.has(name) || name === runsFile ? null : `${name} was left behind`,
    ),
  ]);
}

/** The arguments of a tool's calls that succeeded, as the turns' results say. */
function doneBy(tool: string, turns: readonly Turn[]): readonly JsonObject[] {
  return turns.flatMap(({ messages }) => {
    const calls = messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
    return messages.flatMap((message) => {
      if (message.role !== "result" || message.result.tool !== tool) return [];
      if (message.result.outcome.status !== "success") return [];
      const args = calls.find(({ id }) => id === message.callId)?.action.payload["args"];
      return args !== undefined && isJsonObject(args) ? [args] : [];
    });
  });
}
