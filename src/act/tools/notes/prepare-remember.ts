import { sha256 } from "../../../machine/digest.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { Caller, Preparation } from "../../../signal/tool.ts";
import type { Clock } from "../../../text/clock.ts";
import { done, problem } from "../../files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../../files/file-ports.ts";
import { appendNote, formatNote, isNoted, type Note } from "../../files/org-note.ts";
import { prepareChange } from "../../files/prepare-change.ts";
import { shownPath } from "../../files/shown-path.ts";
import { resolveTypedPath } from "../../files/typed-path.ts";
import type { ToolCall } from "../define-tool.ts";

/** The ports of remember: files, time, and the memory in which the note can be found. */
export type RememberPorts = FilePorts & {
  readonly clock: Clock;
  readonly keepObject: (note: {
    readonly id: string;
    readonly text: string;
    readonly label: Label;
    /** The turn that stores the note. Undo removes it with the other changes of the turn. */
    readonly turn: string;
    readonly session: string;
  }) => Promise<void>;
};

/** The parsed arguments of the tool remember. */
export type RememberArguments = { readonly text: string };

/** Prepares a new note in the inbox. */
export async function prepareRemember(
  { text }: RememberArguments,
  { ports, caller, labelOf }: ToolCall<RememberPorts>,
): Promise<Preparation> {
  if (text.trim() === "")
    return problem("invalid-arguments", "remember: the text is blank. Say what to remember.");
  const { home, notes } = ports.folders;
  const located = await resolveTypedPath(`${notes}/inbox.org`, { workspace: null, home });
  if (!located.ok) return located;
  const place = await labelOfPath(`${notes}/inbox.org`, caller.workspace, ports);
  const at = ports.clock();
  const given = labelOf(text);
  const label = joinLabels(
    given,
    await labelByTags({ id: "", text, label: given, at }, located.value, ports),
  );
  let id: string | null = null;
  const append = (inbox: Uint8Array | null): Uint8Array => {
    id ??= noteId(caller, text, inbox);
    return isNoted(inbox, id) && inbox !== null ? inbox : appendNote(inbox, { id, text, label, at });
  };
  return await prepareChange(
    {
      path: located.value,
      written: located.value,
      shownAs: shownPath(located.value, caller.workspace),
      session: caller.session,
      label,
      readsContents: false,
      contentLabel: async (digest, bytes) =>
        joinLabels(await labelOfContents(place, digest, ports, bytes), label),
      change: (inbox) => done(append(inbox)),
      carryOver: append,
      adds: () => id,
      also: {
        effects: [
          {
            kind: "change-memory",
            target: "inbox",
            realm: "own",
            operation: "remember",
            label,
            reversal: "undoable",
          },
        ],
        plan: { text },
        async after() {
          const { turn, session } = caller;
          if (id !== null) await ports.keepObject({ id, text, label, turn, session });
        },
      },
    },
    ports,
  );
}

/** A note with a privacy tag in its title is private from the beginning, wherever its words go. */
async function labelByTags(note: Note, path: string, { origins }: FilePorts): Promise<Label> {
  const bytes = Buffer.from(formatNote(note));
  const { secrecy } = await origins.inside(path, sha256(bytes), bytes);
  return { ...bottomLabel, secrecy };
}

/**
 * The same call has the same ID however often it is prepared, so that after a crash its note is found or
 * made, and never made twice.
 */
function noteId({ turn, call, rounds }: Caller, text: string, inbox: Uint8Array | null): string {
  const place = call === undefined ? (inbox === null ? null : sha256(inbox)) : [call, rounds?.length ?? 0];
  const hex = sha256(JSON.stringify([turn, text, place]));
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
