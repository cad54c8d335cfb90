import { join } from "node:path";
import { readWholeFile } from "../../../act/files/contents.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { State } from "../../../memory/state/state.ts";
import type { KeptJob } from "../../../signal/jobs/job.ts";
import type { LoopEvent } from "../../../signal/loop-event.ts";
import { programNotes } from "../../../signal/program-files.ts";
import type { Turn } from "../../../signal/turn.ts";
import { isPlaceGone } from "../../commands/session-place.ts";
import type { AgentJobs, AgentJobsParts } from "../../jobs/agent-jobs.ts";
import type { Place } from "../../jobs/watched-places.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { chainOfTurn, factsSince, sessionBegan, turnEnded } from "./facts-of-turns.ts";

type Resources = Pick<LoopResources, "state" | "notes" | "skills" | "clock" | "report">;

/** What jobs may wait for, from the parts of the agent. */
export function makeEventPorts({ state, notes, skills, clock, report }: Resources): AgentJobsParts["events"] {
  const told = new Set<string>();
  const reportOnce = (message: string): void => {
    if (!told.has(message)) report(message);
    told.add(message);
  };
  const pathOf = ({ event, name }: Place, file: string): string =>
    event === "note-changed" ? notes.pathOf(file) : join(name, file);
  const keptByProgram = new Set([...programNotes].map((name) => notes.pathOf(name)));
  return {
    placesOf: async (hooked) =>
      (await placesOf(hooked, { notes, state, report })).map((place) =>
        withoutFile(place, (file) => keptByProgram.has(pathOf(place, file))),
      ),
    chainOf: (place, file) => chainOfFile(state, pathOf(place, file)),
    async ranCommand({ job, scheduled }) {
      const runs = await state.jobs.runs.list({ job, states: ["queued", "running"], most: 100 });
      const id = runs.find((run) => run.scheduled === scheduled)?.turn ?? null;
      const turn = id === null ? null : await state.turns.get(id);
      return turn !== null && didMoreThanFiles(turn);
    },
    factsSince: (time) => factsSince(state, time),
    isDue: (job) => isDue({ state, skills, clock, report: reportOnce }, job),
  };
}

/** Turns of a session of which the first may be told late. */
const fewTurns = 5;

/** Tells the jobs what the loop does, where one waits for it. */
export function listenForJobs(
  { state, report }: Pick<Resources, "state" | "report">,
  jobs: Pick<AgentJobs, "wants" | "happened">,
): (event: LoopEvent) => void {
  const hear = async ({ type, turn: id }: LoopEvent): Promise<void> => {
    const began = type === "accepted" && jobs.wants("session-began");
    const ended = isFinalEvent(type) && jobs.wants("turn-ended");
    if (!began && !ended) return;
    const turn = await state.turns.get(id);
    if (turn === null) return;
    if (ended) for (const fact of turnEnded(turn)) await jobs.happened(fact);
    if (!began) return;
    const said = await state.turns.ofSession(turn.session, { limit: fewTurns });
    if (said.length < fewTurns && said[0]?.id === turn.id)
      for (const fact of sessionBegan(turn)) await jobs.happened(fact);
  };
  return (event) => void hear(event).catch((error: unknown) => report(`A job could not be told: ${error}`));
}

/** Whether the job of a skill is due at a heartbeat, by what the skill says. One whose skill is not in force is not. */
async function isDue(
  { state, skills, clock, report }: Pick<Resources, "state" | "skills" | "clock" | "report">,
  { name, work, paused }: KeptJob,
): Promise<boolean> {
  if (work.kind !== "words" || work.skill === undefined) return true;
  const skill = skills.inForce().find(({ head }) => head.name === work.skill);
  if (skill === undefined || paused) return false;
  const { askDue } = await import("../../../skills/ask-due.ts");
  const [last] = await state.jobs.runs.list({ job: name, states: ["done", "failed", "put-off"], most: 1 });
  const beat = { now: clock(), last: last?.startedAt ?? null };
  return askDue({ call: skills.call, report }, skill, beat);
}

function isFinalEvent(type: LoopEvent["type"]): boolean {
  return type === "answered" || type === "blocked" || type === "failed" || type === "stopped";
}

async function placesOf(
  hooked: readonly KeptJob[],
  { notes, state, report }: Pick<Resources, "notes" | "state" | "report">,
): Promise<readonly Place[]> {
  const waits = (event: Place["event"]) => (job: KeptJob) =>
    job.hooks?.on.some(({ name }) => name === event) === true;
  const folders = new Map(
    hooked
      .filter(waits("file-changed"))
      .flatMap(({ work }) =>
        work.kind === "words" && work.workspace !== null ? [[work.workspace, work.session] as const] : [],
      ),
  );
  const ofNotes = hooked.some(waits("note-changed")) ? [notesPlace(notes)] : [];
  if (folders.size === 0) return ofNotes;
  const { folderPlace } = await import("../../jobs/watch-folder.ts");
  return [
    ...ofNotes,
    ...[...folders].map(([folder, session]) =>
      unlessGone(folderPlace(folder, report), () => isPlaceGone(state, session, folder)),
    ),
  ];
}

/** A folder whose files are not known while its disk is not there: they are not deleted. */
function unlessGone(place: Place, isGone: () => Promise<boolean>): Place {
  return { ...place, list: async () => ((await isGone()) ? null : place.list()) };
}

/**
 * A place without the files that the program itself writes: what is filed there may say that a job failed,
 * and would begin it again.
 */
function withoutFile(place: Place, isLeftOut: (file: string) => boolean): Place {
  return {
    ...place,
    async list() {
      const files = await place.list();
      return files === null ? null : new Map([...files].filter(([file]) => !isLeftOut(file)));
    },
  };
}

/** The notes, as their index knows them. */
function notesPlace(notes: Notes): Place {
  return {
    name: "notes",
    event: "note-changed",
    async list() {
      await notes.sync();
      const { missing, indexing } = notes.status();
      if (missing.length > 0 || indexing !== null) return null;
      return new Map((await notes.index.files()).map(({ path, digest }) => [path, digest]));
    },
    watch(changed) {
      const now = { isOpen: true };
      notes.onSynced(() => {
        if (now.isOpen) changed();
      });
      return {
        isWatching: () => notes.status().unwatched === null,
        close() {
          now.isOpen = false;
        },
      };
    },
  };
}

/** What wrote a file as it is now, by the record of what was changed. */
async function chainOfFile(state: State, path: string): Promise<readonly string[] | null> {
  const last = (await state.changes.ofFile(path)).at(-1);
  if (last === undefined) return null;
  const read = await readWholeFile(path);
  if (!read.ok || (read.value?.digest ?? null) !== last.after) return null;
  const turn = await state.turns.get(last.turn);
  return turn === null ? [] : chainOfTurn(state.turns, turn);
}

/** Tools whose changes of files are recorded, or that change none. */
const recorded: ReadonlySet<string> = new Set(
  "read-file write-file edit-file edit-notes list-files search-files remember recall backlinks agenda fetch-url eval propose-plan".split(
    " ",
  ),
);

function didMoreThanFiles({ messages }: Turn): boolean {
  return messages.some(
    (message) =>
      message.role === "assistant" &&
      message.calls.some(({ action: { target, payload } }) => {
        const { tool } = payload;
        return target === "shell" || (typeof tool === "string" && !recorded.has(tool));
      }),
  );
}
