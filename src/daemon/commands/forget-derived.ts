import { randomUUID } from "node:crypto";
import { forgetDisplaced, forgetDisplacedTexts } from "../../act/trial/forget-displaced.ts";
import type { ForgetDerived, ShowDerived } from "../../perceive/forgetting.ts";
import { countOf } from "../../text/count-of.ts";
import type { FileLocks } from "../../turn/file-locks.ts";
import type { CommandReply } from "./command-reply.ts";
import { cutAll, effectsOfCuts } from "./cut-files.ts";
import { forgetEntries } from "./forget-entries.ts";
import { describeRunning } from "./grown-texts.ts";
import type { NoteLookups } from "./note-lookups.ts";
import {
  type DerivedLookups,
  type DerivedPlan,
  describePlan,
  keptLines,
  planAsData,
  planDerived,
} from "./plan-derived.ts";
import { textsOfTurn } from "./texts-of-turn.ts";
import { findRunningWork, judgeCommand } from "./undo-commands.ts";
import type { CommandOrigin, UndoParts } from "./undo-request.ts";

/** The parts that removing derived texts needs. */
export type ForgetDerivedParts = UndoParts &
  DerivedLookups &
  Pick<NoteLookups, "noteToForget" | "overwriteIndex"> & {
    readonly forgetSetAside: FileLocks["forgetSetAside"];
  };

/**
 * Removes everything that grew from a source, or shows it. Only the owner does this, and the writes are judged like any others. Notes and files are changed by a journalled
 * change that an undo restores; for good, everything that was kept of them is deleted too.
 */
export async function forgetDerived(
  parts: ForgetDerivedParts,
  command: ShowDerived | ForgetDerived,
  by: CommandOrigin,
): Promise<CommandReply> {
  const { source: named } = command;
  return parts.state.changes.runExclusively(async () => {
    const plan = await planDerived(parts, named);
    const { derived } = plan;
    const data = planAsData(plan);
    const found = [derived.notes, derived.memories, derived.files, plan.jobs, derived.turns];
    if (found.every(({ length }) => length === 0)) {
      const kept = keptLines(plan);
      const text = [`Nothing that is known grew from ${named}.`, ...kept].join("\n");
      return { code: "nothing-derived", text, data };
    }
    if (command.kind === "derived") return { code: "derived", text: describePlan(parts, named, plan), data };
    if (command.seen !== null && command.seen !== data["digest"])
      return {
        code: "not-done",
        text: `What grew from ${named} changed since it was shown, so nothing was done. Look at it again.`,
      };
    const busy = await findRunningWork(parts, by.signal.session);
    if (busy !== null) return { code: "not-done", text: busy };
    return removeDerived(parts, plan, { command, by });
  });
}

type Removal = { readonly command: ForgetDerived; readonly by: CommandOrigin };

async function removeDerived(
  parts: ForgetDerivedParts,
  plan: DerivedPlan,
  { command: { source, undoable }, by }: Removal,
): Promise<CommandReply> {
  const { session } = by.signal;
  const id = randomUUID();
  const effects = effectsOfCuts(plan, undoable);
  const permission = await judgeCommand(parts, { ...by, effects, command: "forget" });
  if (!permission.ok) return { code: "not-done", text: `Not done: ${permission.reason}` };
  // Copies are known by the note's text, so they are looked for before it goes.
  const copies = undoable ? 0 : await forgetCopies(parts, plan);
  const { changed, failed } = await cutAll(
    parts,
    { cuts: plan.cuts, memories: plan.derived.memories },
    { id, session, effects, intent: permission.intent },
  );
  const left = undoable ? [] : await parts.takeBackJobs(plan.jobs);
  const gone = undoable ? "" : await forgetKept(parts, plan, { by, changed });
  await parts.journal({
    kind: "note",
    session,
    detail: {
      event: "forgotten-derived",
      id,
      source,
      undoable,
      files: changed.length,
      copies,
      jobs: undoable ? 0 : plan.jobs.length,
      turns: plan.derived.turns.length,
    },
  });
  const counts = [
    countOf(plan.derived.notes.length, "note"),
    countOf(plan.derived.memories.length, "remembered fact"),
    countOf(changed.length, "changed file"),
    ...(undoable || plan.jobs.length === 0 ? [] : [countOf(plan.jobs.length, "job")]),
  ].join(", ");
  const lines = [
    undoable
      ? `Taken back: ${counts}. /undo in this session brings it back.`
      : `Forgotten for good: ${counts}${gone}.`,
    ...keptLines(undoable ? withJobsKept(plan) : plan),
    ...failed,
    ...left,
    ...plan.problems,
    ...(undoable ? [] : describeRunning(plan.derived.turns)),
  ];
  return { code: "forgotten", text: parts.policy.filter(lines.join("\n")) };
}

/** An undo restores files but no jobs, so an undoable removal leaves the jobs. */
function withJobsKept(plan: DerivedPlan): DerivedPlan {
  const jobs = plan.jobs.map(({ name }) => ({
    what: `the job ${name}`,
    why: "no undo brings a job back. `--for-good` takes it back, `/jobs remove` ends it",
  }));
  return { ...plan, derived: { ...plan.derived, kept: [...plan.derived.kept, ...jobs] } };
}

/** Deletes the copies of the notes that were set aside or displaced by commands. Returns their number. */
async function forgetCopies(parts: ForgetDerivedParts, { derived, cuts }: DerivedPlan): Promise<number> {
  let count = 0;
  for (const { id } of derived.notes) count += await parts.forgetSetAside(await parts.noteToForget(id));
  for (const { path } of cuts) count += await forgetDisplaced(parts.sets, path);
  return count;
}

/** Deletes everything that was kept of the derived texts. Returns a description. */
async function forgetKept(
  parts: ForgetDerivedParts,
  { source, derived }: DerivedPlan,
  { by, changed }: { readonly by: CommandOrigin; readonly changed: readonly string[] },
): Promise<string> {
  const { state, sets } = parts;
  const own = new Set(source.turns.map(({ id }) => id));
  const turns = derived.turns.filter(({ id }) => !own.has(id));
  const edits = (await state.deferredEdits.all()).filter(
    ({ turn, label }) => own.has(turn) || derived.isDerived(label),
  );
  const forgotten = await state.forgetGrown(
    {
      objects: derived.memories.map(({ id }) => id),
      files: changed,
      versions: await parts.versionsWith(derived),
      edits: edits.map(({ id }) => id),
      wholeTurns: [...own],
      turns: turns.map(({ id }) => id),
      isDerived: derived.isDerived,
    },
    { turn: null, session: by.signal.session },
  );
  const entries = await forgetEntries(parts, forgotten.proposals, by);
  await parts.overwriteIndex();
  await forgetDisplacedTexts(sets, source.turns.flatMap(textsOfTurn));
  return `, texts of ${countOf(forgotten.turns + forgotten.grown, "turn")}, ${countOf(forgotten.preImages + forgotten.earlier, "kept version")}, ${countOf(forgotten.edits, "deferred edit")}${entries.map((line) => `, ${line}`).join("")}`;
}
