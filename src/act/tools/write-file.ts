import * as z from "zod";
import { join } from "../../signal/label.ts";
import type { Tool } from "../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";
import { done, problem } from "../files/attempt.ts";
import { type FilePorts, labelOfContents, labelOfPlace } from "../files/file-ports.ts";
import { overwrite } from "../files/last-seen.ts";
import { prepareChange } from "../files/prepare-change.ts";
import { realPathOf } from "../files/real-path.ts";

const schema = z.strictObject({ path: z.string().min(1), content: z.string() });

const merged = "Somebody else had changed other lines meanwhile; both changes are in the file.";

/** Writes a file as a whole, making the folders above it. The pre-image is kept, so that it can be taken back. What somebody else changed since the file was read is merged, or nothing is written. */
export function makeWriteFileTool(ports: FilePorts): Tool {
  return defineTool({
    name: "write-file",
    description: "Create or replace a file",
    schema,
    async prepare({ path: typed, content }, asker, labelOf) {
      if (typed.endsWith("/"))
        return problem("invalid-path", `'${typed}' names a folder. Give the name of a file.`);
      const located = await realPathOf(typed, { workspace: asker.workspace, home: ports.folders.home });
      if (!located.ok) return located;
      const label = join(labelOf(typed), labelOf(content));
      const path = located.value;
      const place = labelOfPlace(path, asker.workspace, ports);
      const made = { merged: false };
      return await prepareChange(
        {
          path,
          label,
          readsContents: false,
          contentLabel: async (digest) =>
            made.merged ? join(await labelOfContents(place, digest, ports), label) : label,
          async change(current) {
            const written = await overwrite({ path, current, content }, asker, ports.origins);
            if (!written.ok) return written;
            made.merged = written.value.merged;
            return done(written.value.bytes);
          },
          tells: () => (made.merged ? { note: merged } : {}),
        },
        ports,
      );
    },
  });
}
