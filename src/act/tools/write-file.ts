import * as z from "zod";
import { join } from "../../signal/label.ts";
import type { Tool } from "../../signal/tool.ts";
import { defineTool } from "../define-tool.ts";
import { done, problem } from "../files/attempt.ts";
import type { FilePorts } from "../files/file-ports.ts";
import { prepareChange } from "../files/prepare-change.ts";
import { realPathOf } from "../files/real-path.ts";

const schema = z.strictObject({ path: z.string().min(1), content: z.string() });

/** Writes a file as a whole, making the folders above it. The pre-image is kept, so that it can be taken back. */
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
      const bytes = new TextEncoder().encode(content);
      return await prepareChange(
        {
          path: located.value,
          label,
          readsContents: false,
          contentLabel: () => label,
          change: () => done(bytes),
        },
        ports,
      );
    },
  });
}
