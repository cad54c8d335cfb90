import { forgetDisplaced, forgetDisplacedTexts } from "../../act/trial/forget-displaced.ts";
import { isCopyOf } from "../../memory/notes/edits/note-copies.ts";
import { isJsonObject } from "../../signal/json.ts";
import type { FileLocks } from "../../turn/file-locks.ts";
import type { CommandReply } from "./command-reply.ts";
import { forgetEntries } from "./forget-entries.ts";
import type { NoteLookups } from "./note-lookups.ts";
import { textsOfTurn } from "./texts-of-turn.ts";
import type { CommandOrigin } from "./undo-commands.ts";
import type { UndoParts } from "./undo-request.ts";

/** What forgetting a text needs. */
export type ForgetTextParts = UndoParts &
  Pick<NoteLookups, "noteToForget"> & { readonly forgetSetAside: FileLocks["forgetSetAside"] };

/** Only the owner does this. The journal keeps what was forgotten by its id, never its text. */
export async function forgetText(
  parts: ForgetTextParts,
  id: string,
  by: CommandOrigin,
): Promise<CommandReply> {
  return parts.state.changes.runExclusively(() => forget(parts, id, by));
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
  const { versions, turns, preImages, edits, proposals } = await state.forget(
    { id, files: file === null ? [] : [file], edits: waiting.map((edit) => edit.id) },
    { turn: null, session },
  );
  const texts = turn === null || turns === 0 ? [] : textsOfTurn(turn);
  const displaced =
    (file === null ? 0 : await forgetDisplaced(sets, file)) + (await forgetDisplacedTexts(sets, texts));
  const aside = (await forgetSetAside(note)) + displaced;
  if (file === null && versions + turns + edits + aside + proposals.length === 0) {
    return { code: "not-done", text: `There is no note, memory or finished turn ${id}. /search finds ids.` };
  }
  const entries = await forgetEntries(parts, proposals, by);
  const counts = { versions, turns, preImages, edits, aside, proposals: proposals.length };
  await journal({ kind: "note", session, detail: { event: "forgotten", id, ...counts } });
  const gone = [
    versions > 0 ? `${versions} versions of it` : "",
    turns > 0 ? "the texts of that turn" : "",
    preImages > 0 ? `${preImages} kept versions of ${file ?? "its file"}, which no undo brings back` : "",
    edits > 0 ? `${edits} deferred edits, which are dropped` : "",
    ...entries,
    aside > 0 ? `${aside} copies that were set aside` : "",
  ].filter((part) => part !== "");
  const lines = [
    gone.length === 0 ? "Nothing was kept of it." : `Forgotten: ${gone.join(", ")}.`,
    file === null ? "" : `The note itself stands in ${file}; delete it there.`,
    ...[...told]
      .filter((turn) => turn !== id)
      .map((turn) => `Turn ${turn} has texts of it: /forget ${turn} forgets them too.`),
  ];
  return { code: "forgotten", text: lines.filter((line) => line !== "").join("\n") };
}
