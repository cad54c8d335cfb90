import type { Clock } from "../../signal/clock.ts";
import { joinLabels, type Label } from "../../signal/label.ts";
import type { Preparation } from "../../signal/tool.ts";
import { digestBytes } from "../files/contents.ts";
import { done, problem } from "../files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../files/file-ports.ts";
import { appendNote } from "../files/org-note.ts";
import { prepareChange } from "../files/prepare-change.ts";
import { resolveTypedPath } from "../files/typed-path.ts";
import type { ToolCall } from "./define-tool.ts";

/** What remembering needs: the files, the time, and the memory that makes it findable. */
export type RememberPorts = FilePorts & {
  readonly clock: Clock;
  readonly keepObject: (note: {
    readonly id: string;
    readonly text: string;
    readonly label: Label;
    /** Whose doing it is, so that it is taken back with the rest of the turn. */
    readonly turn: string;
    readonly session: string;
  }) => Promise<void>;
};

/** The arguments of the tool remember, as its schema parsed them. */
export type RememberArguments = { readonly text: string };

/** Prepares appending a note to the inbox. */
export async function prepareRemember(
  { text }: RememberArguments,
  { ports, caller, labelOf }: ToolCall<RememberPorts>,
): Promise<Preparation> {
  if (text.trim() === "")
    return problem("invalid-arguments", "remember: the text is blank. Say what to remember.");
  const { home, notes } = ports.folders;
  const located = await resolveTypedPath(`${notes}/inbox.org`, { workspace: null, home });
  if (!located.ok) return located;
  const label = labelOf(text);
  const place = labelOfPath(`${notes}/inbox.org`, caller.workspace, ports);
  const at = ports.clock();
  const id = noteId(caller.turn, text);
  return await prepareChange(
    {
      path: located.value,
      label,
      readsContents: false,
      contentLabel: async (digest) => joinLabels(await labelOfContents(place, digest, ports), label),
      change: (inbox) => done(appendNote(inbox, { id: id(inbox), text, label, at })),
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
        after: (inbox) =>
          ports.keepObject({ id: id(inbox), text, label, turn: caller.turn, session: caller.session }),
      },
    },
    ports,
  );
}

// The same for the same words in the same turn over the same inbox, so that preparing twice plans the same.
function noteId(turn: string, text: string): (inbox: Uint8Array | null) => string {
  return (inbox) => {
    const hex = digestBytes(JSON.stringify([turn, text, inbox === null ? null : digestBytes(inbox)]));
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `8${hex.slice(13, 16)}`,
      `8${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join("-");
  };
}
