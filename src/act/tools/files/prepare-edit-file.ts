import { isUtf8 } from "node:buffer";
import { joinAll, joinLabels } from "../../../signal/label.ts";
import type { Preparation } from "../../../signal/tool.ts";
import { placesOfBytes } from "../../../text/places-of.ts";
import { asStoredIn, asUtf8, isUtf16 } from "../../../text/utf16-text.ts";
import { done, type Fallible, problem } from "../../files/fallible.ts";
import { type FilePorts, labelOfContents } from "../../files/file-ports.ts";
import { prepareChange } from "../../files/prepare-change.ts";
import { labelOfTyped } from "../../files/private-names.ts";
import { shownPath } from "../../files/shown-path.ts";
import { resolveTypedPath, writtenPath } from "../../files/typed-path.ts";
import type { ToolCall } from "../define-tool.ts";
import { describeNearest } from "./nearest-passage.ts";

/** One replacement: `old` occurs once, or with `all` at least once. */
type Edit = { readonly old: string; readonly new: string; readonly all?: boolean | undefined };

/** The parsed arguments of the tool edit-file: one edit, or several. */
export type EditFileArguments = {
  readonly path: string;
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  readonly all?: boolean | undefined;
  readonly edits?: readonly Edit[] | undefined;
};

/** Prepares the replacement of passages of a file. */
export async function prepareEditFile(
  { path: typed, old = "", new: by = "", all, edits: several }: EditFileArguments,
  { ports, caller, labelOf }: ToolCall<FilePorts>,
): Promise<Preparation> {
  const { workspace } = caller;
  const located = await resolveTypedPath(typed, { workspace, home: ports.folders.home });
  if (!located.ok) return located;
  const path = located.value;
  const edits = several ?? [{ old, new: by, all }];
  const place = await labelOfTyped(typed, path, workspace, ports);
  const written = joinAll(edits.map((edit) => labelOf(edit.new)));
  return await prepareChange(
    {
      path,
      written: writtenPath(typed, { workspace, home: ports.folders.home }),
      shownAs: shownPath(path, workspace),
      session: caller.session,
      label: joinAll([labelOf(typed), written, ...edits.map((edit) => labelOf(edit.old))]),
      readsContents: true,
      contentLabel: async (digest, bytes) =>
        joinLabels(await labelOfContents(place, digest, ports, bytes), written),
      change: (current) => applyEdits(current, path, edits),
      tells: () => (edits.length === 1 ? {} : { edits: edits.length }),
    },
    ports,
  );
}

/** Applies edits one after the other. If one does not fit, none is done, and the problem says which. */
function applyEdits(current: Uint8Array | null, path: string, edits: readonly Edit[]): Fallible<Uint8Array> {
  if (current === null)
    return problem("not-found", `${path}: there is no such file. Use write-file to make it.`);
  const isWide = isUtf16(current);
  if (!isWide && isOfOtherEncoding(current) && edits.some((edit) => /[^\0-\x7f]/.test(edit.old + edit.new)))
    return problem(
      "other-encoding",
      `${path} is not UTF-8, and the edit has characters beyond ASCII: beside the others they would be in another encoding. Nothing was changed. Edit ASCII passages alone, or convert the file first, with the shell: iconv -f latin1 -t UTF-8 (or its own encoding).`,
    );
  let bytes = Buffer.from(isWide ? asUtf8(current) : current);
  for (const [index, edit] of edits.entries()) {
    const edited = applyEdit(bytes, edit);
    const which = edits.length === 1 ? "" : `edit ${index + 1} of ${edits.length}: `;
    const none = edits.length === 1 ? "" : " None of the edits was done.";
    if (!edited.ok) return problem(edited.code, `${path}: ${which}${edited.message}${none}`);
    bytes = edited.value;
  }
  return done(isWide ? asStoredIn(current, bytes) : bytes);
}

/** Whether a file says neither by its bytes nor by a mark that it is UTF-8. */
function isOfOtherEncoding(bytes: Uint8Array): boolean {
  return !isUtf8(bytes) && Buffer.from(bytes.subarray(0, 3)).toString("hex") !== "efbbbf";
}

/**
 * An edit with the line ends of a file, where all of the file's are of one kind. An edit of line ends alone
 * is meant as it is written.
 */
function inLinesOf(file: Buffer, edit: Edit): Edit {
  if (/^[\r\n]+$/.test(edit.old)) return edit;
  const ends = [...placesOfBytes(Buffer.from("\n"), file)];
  const crlf = ends.filter((at) => file[at - 1] === 0x0d).length;
  if (ends.length === 0 || (crlf > 0 && crlf < ends.length)) return edit;
  const fit = (text: string): string => text.replaceAll(/\r?\n/g, crlf > 0 ? "\r\n" : "\n");
  return { ...edit, old: fit(edit.old), new: fit(edit.new) };
}

function applyEdit(bytes: Buffer, edit: Edit): Fallible<Buffer<ArrayBuffer>> {
  const { old, new: by, all = false } = inLinesOf(bytes, edit);
  const length = Buffer.byteLength(old);
  const pieces: Uint8Array[] = [];
  let [end, times] = [0, 0];
  for (const at of placesOfBytes(Buffer.from(old), bytes)) {
    times += 1;
    // Of places that overlap the first is replaced.
    if (at < end || (times > 1 && !all)) continue;
    pieces.push(bytes.subarray(end, at), Buffer.from(by));
    end = at + length;
  }
  if (times === 0) return problem("not-in-file", `'old' occurs 0 times. ${describeNearest(bytes, old)}`);
  if (times > 1 && !all) {
    return problem(
      "not-unique",
      `'old' occurs ${times} times. Add text around it, so that it occurs once, or set all: true to replace each.`,
    );
  }
  return done(Buffer.concat([...pieces, bytes.subarray(end)]));
}
