import * as z from "zod";
import { isOrgFile } from "../../memory/notes/nodes/is-org-file.ts";
import { joinLabels, type Label } from "../../signal/label.ts";
import type { Tool } from "../../signal/tool.ts";
import { done, problem } from "../files/fallible.ts";
import { type FilePorts, labelOfContents, labelOfPath } from "../files/file-ports.ts";
import { originPropertyValue } from "../files/org-note.ts";
import { overwrite } from "../files/overwrite.ts";
import { prepareChange } from "../files/prepare-change.ts";
import { resolveTypedPath } from "../files/typed-path.ts";
import { addOriginToFile } from "./add-origin.ts";
import { defineTool } from "./define-tool.ts";

const schema = z.strictObject({ path: z.string().min(1), content: z.string() });

/** Whether a file is a note of words of unknown origin: the mark goes with it to other machines. */
function isFiled(path: string, { integrity }: Label, { folders: { notes } }: FilePorts): boolean {
  return integrity === "untrusted" && isOrgFile(path) && path.startsWith(`${notes}/`);
}

const merged = "Somebody else had changed other lines meanwhile; both changes are in the file.";

/** Writes a file as a whole, making the folders above it. The pre-image is kept, so that it can be taken back. What somebody else changed since the file was read is merged, or nothing is written. */
export function makeWriteFileTool(ports: FilePorts): Tool {
  return defineTool({
    name: "write-file",
    description: "Create or replace a file",
    schema,
    async prepare({ path: typed, content }, caller, labelOf) {
      if (typed.endsWith("/"))
        return problem("invalid-path", `'${typed}' names a folder. Give the name of a file.`);
      const located = await resolveTypedPath(typed, {
        workspace: caller.workspace,
        home: ports.folders.home,
      });
      if (!located.ok) return located;
      const label = joinLabels(labelOf(typed), labelOf(content));
      const path = located.value;
      const place = labelOfPath(path, caller.workspace, ports);
      const made = { merged: false };
      return await prepareChange(
        {
          path,
          label,
          readsContents: false,
          contentLabel: async (digest) =>
            made.merged ? joinLabels(await labelOfContents(place, digest, ports), label) : label,
          async change(current) {
            const written = await overwrite({ path, current, content }, caller, ports.origins);
            if (!written.ok) return written;
            made.merged = written.value.merged;
            if (current !== null || !isFiled(path, label, ports)) return done(written.value.bytes);
            return done(new TextEncoder().encode(addOriginToFile(content, originPropertyValue(label))));
          },
          tells: () => (made.merged ? { note: merged } : {}),
        },
        ports,
      );
    },
  });
}
