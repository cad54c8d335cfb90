import { notesFolders } from "../../../signal/facts.ts";
import { joinLabels, type Label } from "../../../signal/label.ts";
import type { Preparation } from "../../../signal/tool.ts";
import { isInside } from "../../../text/is-inside.ts";
import { isOrgFile } from "../../../text/is-org-file.ts";
import { addOriginToFile } from "../../files/add-origin.ts";
import { done, problem } from "../../files/fallible.ts";
import { type FilePorts, labelOfContents } from "../../files/file-ports.ts";
import { overwrite } from "../../files/overwrite.ts";
import { prepareChange } from "../../files/prepare-change.ts";
import { labelOfTyped } from "../../files/private-names.ts";
import { shownPath } from "../../files/shown-path.ts";
import { resolveTypedPath, writtenPath } from "../../files/typed-path.ts";
import type { ToolCall } from "../define-tool.ts";

/** Whether a file is a note of untrusted words. Its mark goes with it to other machines. */
function isFiled(path: string, { integrity }: Label, { folders }: FilePorts): boolean {
  const isNote = isOrgFile(path) && notesFolders(folders).some((folder) => isInside(folder, path));
  return integrity === "untrusted" && isNote;
}

const merged = "Somebody else changed other lines meanwhile. Both changes are in the file.";

/** The parsed arguments of the tool write-file. */
export type WriteFileArguments = { readonly path: string; readonly content: string };

/** Prepares the writing of a whole file. */
export async function prepareWriteFile(
  { path: typed, content }: WriteFileArguments,
  { ports, caller, labelOf }: ToolCall<FilePorts>,
): Promise<Preparation> {
  if (typed.endsWith("/"))
    return problem("invalid-path", `'${typed}' names a folder. Give the name of a file.`);
  const located = await resolveTypedPath(typed, {
    workspace: caller.workspace,
    home: ports.folders.home,
  });
  if (!located.ok) return located;
  const label = joinLabels(labelOf(typed), labelOf(content));
  const path = located.value;
  const place = await labelOfTyped(typed, path, caller.workspace, ports);
  const made = { merged: false };
  return await prepareChange(
    {
      path,
      written: writtenPath(typed, { workspace: caller.workspace, home: ports.folders.home }),
      shownAs: shownPath(path, caller.workspace),
      session: caller.session,
      label,
      named: labelOf(typed),
      readsContents: false,
      contentLabel: async (digest, bytes) =>
        made.merged ? joinLabels(await labelOfContents(place, digest, ports, bytes), label) : label,
      async change(current, onDisk) {
        const write = { path, current, content, ...(onDisk === undefined ? {} : { onDisk }) };
        const written = await overwrite(write, caller, ports.origins);
        if (!written.ok) return written;
        made.merged = written.value.merged;
        if (current !== null || !isFiled(path, label, ports)) return done(written.value.bytes);
        return done(new TextEncoder().encode(addOriginToFile(content, label.integrity)));
      },
      tells: () => (made.merged ? { note: merged } : {}),
    },
    ports,
  );
}
