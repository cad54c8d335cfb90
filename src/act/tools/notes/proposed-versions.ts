import { sha256 } from "../../../machine/digest.ts";
import type { KeptProposal, ProposedEdit } from "../../../signal/review.ts";
import { applyDiff } from "../../../text/diff/apply-diff.ts";
import { readWholeFile } from "../../files/contents.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";

/** What explaining a conflict needs. */
export type ConflictPorts = {
  /** The id of the accepted proposal that gave a file these contents; null where none did. */
  readonly acceptedFor: (path: string, digest: string) => Promise<string | null>;
};

/** Why an edit can no longer be made: where another proposal that was accepted changed the file, it is named. */
export async function conflictOf(
  { path }: ProposedEdit,
  { proposal, ports }: { readonly proposal: KeptProposal; readonly ports: ConflictPorts },
  why: Extract<Fallible<unknown>, { readonly ok: false }>,
): Promise<typeof why> {
  const read = await readWholeFile(path);
  const digest = read.ok ? (read.value?.digest ?? null) : null;
  const other = digest === null ? null : await ports.acceptedFor(path, digest);
  return other === null
    ? why
    : problem(
        "changed-since-proposed",
        `${proposal.id} and ${other} both change ${path}, and ${other} was accepted first, so nothing was done. What still needs a change is proposed anew; to have ${proposal.id} instead: passepartout review undo ${other}, then accept ${proposal.id}.`,
      );
}

/** The contents of a file before and after its edit. */
export async function versionsOf({
  path,
  before,
  after,
  diff,
}: ProposedEdit): Promise<Fallible<{ readonly before: Uint8Array | null; readonly after: Uint8Array }>> {
  const read = await readWholeFile(path);
  if (!read.ok) return read;
  const digest = read.value?.digest ?? null;
  const bytes = read.value?.bytes ?? null;
  const text =
    digest === before
      ? applyDiff(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes ?? new Uint8Array()), diff)
      : null;
  const made = text === null ? null : new TextEncoder().encode(text);
  if (made === null || sha256(made) !== after)
    return problem(
      "changed-since-proposed",
      `${path} changed since this was proposed, so nothing was done. What still needs a change is proposed anew.`,
    );
  return done({ before: bytes, after: made });
}
