import { forgetDisplaced, forgetDisplacedTexts } from "../../act/trial/forget-displaced.ts";
import { isCopyOf } from "../../memory/notes/edits/note-copies.ts";
import type { ForgetResult } from "../../memory/state/forget.ts";
import { countOf } from "../../text/count-of.ts";
import { idOfLine } from "../../text/id-of-line.ts";
import { isJsonObject } from "../../text/json.ts";
import type { FileLocks } from "../../turn/file-locks.ts";
import type { CommandReply } from "./command-reply.ts";
import { forgetEntries } from "./forget-entries.ts";
import { findGrownTexts } from "./grown-texts.ts";
import type { NoteLookups } from "./note-lookups.ts";
import type { DerivedLookups } from "./plan-derived.ts";
import { textsOfTurn } from "./texts-of-turn.ts";
import type { CommandOrigin, UndoParts } from "./undo-request.ts";

/** The parts that forgetting a text needs. */
export type ForgetTextParts = UndoParts &
  Pick<NoteLookups, "noteToForget" | "noteTexts" | "overwriteIndex"> &
  Pick<DerivedLookups, "grownFrom" | "jobsFrom" | "versionsWith"> & {
    readonly forgetSetAside: FileLocks["forgetSetAside"];
  };

/** Forgets a text. Only the owner does this. The journal records the ID of a forgotten text, never the text. */
export async function forgetText(
  parts: ForgetTextParts,
  id: string,
  by: CommandOrigin,
): Promise<CommandReply> {
  return parts.state.changes.runExclusively(() => forget(parts, idOfLine(id), by));
}

async function forget(parts: ForgetTextParts, id: string, by: CommandOrigin): Promise<CommandReply> {
  const { state, sets, noteToForget, forgetSetAside, journal } = parts;
  const { session } = by.signal;
  const note = await noteToForget(id);
  const { file } = note;
  const waiting = (await state.deferredEdits.all()).filter(({ path, call }) => {
    const { args } = call.action.payload;
    return (
      args !== undefined && isJsonObject(args) && isCopyOf(note, { content: args, isItsFile: path === file })
    );
  });
  const told = new Set([
    ...(await state.objects.history("own", id)).flatMap(({ turn }) => turn ?? []),
    ...waiting.map(({ turn }) => turn),
  ]);
  const turn = await state.turns.get(id.replace(/:\d+$/, ""));
  const { texts: made, left } = await findGrownTexts(parts, id);
  const forgotten = await state.forget(
    {
      id,
      files: file === null ? [] : [file],
      versions: await findVersions(parts, id),
      edits: waiting.map((edit) => edit.id),
      grown: made,
    },
    { turn: null, session },
  );
  const { proposals, ...counts } = forgotten;
  const texts = turn === null || counts.turns === 0 ? [] : textsOfTurn(turn);
  const displaced =
    (file === null ? 0 : await forgetDisplaced(sets, file)) + (await forgetDisplacedTexts(sets, texts));
  const aside = (await forgetSetAside(note)) + displaced;
  const all = Object.values(counts).reduce((sum, some) => sum + some, aside + proposals.length);
  if (file === null && all === 0) {
    return { code: "not-done", text: `There is no note, memory or finished turn ${id}. /search finds ids.` };
  }
  const entries = await forgetEntries(parts, proposals, by);
  await parts.overwriteIndex();
  const detail = { event: "forgotten", id, ...counts, aside, proposals: proposals.length };
  await journal({ kind: "note", session, detail });
  const gone = describeGone({ ...forgotten, aside }, file, entries);
  const lines = [
    gone.length === 0 ? "Nothing was kept of it." : `Forgotten: ${gone.join(", ")}.`,
    file === null ? "" : `The note itself stands in ${file}; delete it there.`,
    ...[...told]
      .filter((turn) => turn !== id)
      .map((turn) => `Turn ${turn} has texts of it: /forget ${turn} forgets them too.`),
    ...left,
  ];
  return { code: "forgotten", text: lines.filter((line) => line !== "").join("\n") };
}

/** Finds the kept versions of files that contain a note, also from before it was moved. */
async function findVersions(parts: ForgetTextParts, id: string): Promise<readonly string[]> {
  const words = new Set((await parts.noteTexts(id))?.hashes.filter((one) => one !== ""));
  const isGrown = (one: string): boolean => words.has(one);
  return words.size === 0 ? [] : parts.versionsWith({ isGrown, isDerived: () => false });
}

type Gone = Pick<ForgetResult, "versions" | "turns" | "grown" | "preImages" | "earlier" | "edits"> & {
  /** Copies that were set aside. */
  readonly aside: number;
};

function describeGone(
  { versions, turns, grown, preImages, earlier, edits, aside }: Gone,
  file: string | null,
  entries: readonly string[],
): readonly string[] {
  return [
    versions > 0 ? `${versions} versions of it` : "",
    turns > 0 ? "the texts of that turn" : "",
    grown > 0 ? `what ${countOf(grown, "turn")} of jobs and sub-tasks made of it` : "",
    preImages > 0 ? `${preImages} kept versions of ${file ?? "its file"}, which no undo brings back` : "",
    earlier > 0 ? `${countOf(earlier, "kept version")} of files in which it stood before` : "",
    edits > 0 ? `${edits} deferred edits, which are dropped` : "",
    ...entries,
    aside > 0 ? `${aside} copies that were set aside` : "",
  ].filter((part) => part !== "");
}
