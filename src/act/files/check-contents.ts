import { exposesSecret } from "../../notes/expose-secret.ts";
import { findNewIds } from "../../notes/find-new-ids.ts";
import type { Label } from "../../signal/label.ts";
import { asUtf8 } from "../../text/utf16-text.ts";
import { disarmChange, type InertChange } from "./disarm-change.ts";
import { type Fallible, problem } from "./fallible.ts";
import type { FilePorts } from "./file-ports.ts";

/** The contents of a file before and after a change. */
export type Versions = { readonly before: Uint8Array | null; readonly after: Uint8Array };

/** What is known of a change whose contents are checked. */
type CheckedChange = {
  readonly path: string;
  readonly label: Label;
  readonly brought?: Label;
  readonly movedFrom?: Versions;
};

/**
 * The contents as they may be written: what a program would obey in them is inert, and they expose nothing
 * secret.
 */
export function makeInert(
  { path, movedFrom, brought, label }: CheckedChange,
  { before, after, mode }: Versions & { readonly mode: number },
): Fallible<InertChange> {
  const held = [before, movedFrom?.before].filter(isThere);
  const inert = disarmChange({ path, held, after, mode, label: brought ?? label });
  const old = before === null ? null : asUtf8(before);
  return inert.ok && exposesSecret(path, old, asUtf8(inert.value.bytes)) ? exposes(path) : inert;
}

function exposes(path: string) {
  const what =
    "this would move text out of an entry that is or was encrypted, and only the owner may do that";
  return problem("exposes-secret", `${path}: ${what}. Nothing was written.`);
}

/** Whether there are contents. */
export const isThere = (bytes: Uint8Array | null | undefined) => bytes !== undefined && bytes !== null;

/** Refuses an ID that another node has: links, the focus and edits would lead to the wrong node. */
export async function takenId(
  { path, movedFrom }: CheckedChange,
  { before, after }: Versions,
  { fileOfNode }: Pick<FilePorts, "fileOfNode">,
) {
  if (movedFrom !== undefined) return null;
  const old = before === null ? null : asUtf8(before);
  for (const { id, twice } of findNewIds(path, old, asUtf8(after))) {
    const other = twice ? path : await fileOfNode?.(id);
    if (other === undefined || other === null || (other === path && !twice)) continue;
    return problem(
      "id-taken",
      `${path}: a node in ${other} already has the ID '${id}', so nothing was written. Leave the ID out.`,
    );
  }
  return null;
}
