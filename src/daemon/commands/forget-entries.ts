import { randomUUID } from "node:crypto";
import { readWholeFile } from "../../act/files/contents.ts";
import { resolveTypedPath } from "../../act/files/typed-path.ts";
import { forgetDisplaced } from "../../act/trial/forget-displaced.ts";
import { type KeptProposal, reviewFileName } from "../../signal/review.ts";
import { countOf } from "../../text/count-of.ts";
import { isJsonObject } from "../../text/json.ts";
import { cutAll, effectsOfCuts } from "./cut-files.ts";
import { judgeCommand } from "./undo-commands.ts";
import type { CommandOrigin, UndoParts } from "./undo-request.ts";

/**
 * Removes the entries of forgotten proposals from the inbox, and deletes every kept version of its file: both contain their text. The write is judged like any
 * other. Returns a description of the result; empty if there are no such proposals.
 */
export async function forgetEntries(
  parts: UndoParts,
  proposals: readonly KeptProposal[],
  by: CommandOrigin,
): Promise<readonly string[]> {
  if (proposals.length === 0) return [];
  const what = `${countOf(proposals.length, "proposal")} of the review inbox`;
  const problem = await cutFromInbox(parts, proposals, by);
  if (proposals.some((one) => one.by === "scribe")) await lookAgain(parts);
  return [problem === null ? what : `${what}, but ${reviewFileName} still has their text: ${problem}`];
}

/** Removes the entries. Returns null, or the reason why their text is still in the file. */
async function cutFromInbox(
  parts: UndoParts,
  proposals: readonly KeptProposal[],
  by: CommandOrigin,
): Promise<string | null> {
  const { policy, state, sets } = parts;
  const { notes, home } = policy.folders;
  const { session } = by.signal;
  const located = await resolveTypedPath(`${notes}/${reviewFileName}`, { workspace: null, home });
  if (!located.ok) return located.message;
  const path = located.value;
  const read = await readWholeFile(path);
  if (!read.ok) return read.message;
  const { cutEntries } = await import("../../act/review/cut-entries.ts");
  const { styleOf } = await import("../../act/review/entry.ts");
  const from = read.value?.bytes ?? new Uint8Array();
  const bytes = cutEntries(from, proposals, styleOf(notes, policy.config));
  if (bytes !== null) {
    const what = { cuts: [{ path, from, bytes }], memories: [] };
    const effects = effectsOfCuts(what, false);
    const permission = await judgeCommand(parts, { ...by, effects, command: "forget" });
    if (!permission.ok) return permission.reason;
    const cutting = { id: randomUUID(), session, effects, intent: permission.intent };
    const { failed } = await cutAll(parts, what, cutting);
    if (failed.length > 0) return failed.join(" ");
  }
  const nothing = { objects: [], versions: [], edits: [], wholeTurns: [], turns: [], isDerived: () => false };
  await state.forgetGrown({ ...nothing, files: [path] }, { turn: null, session });
  await forgetDisplaced(sets, path);
  return null;
}

/** Makes the scribe read the lines again that such a proposal also had. */
async function lookAgain({ state }: UndoParts): Promise<void> {
  const kept = await state.scribe.get();
  if (isJsonObject(kept)) await state.scribe.set({ ...kept, until: kept["from"] ?? null });
}
