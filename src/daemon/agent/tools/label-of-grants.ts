import { realPath } from "../../../act/files/real-path.ts";
import { bottomLabel, type Label } from "../../../signal/label.ts";
import type { McpServer } from "../../../signal/mcp-server.ts";
import type { LabelOfTree } from "./tree-labels.ts";

/**
 * Gives the label of what a server on this machine was granted: private where a file that it may read is not
 * public, whatever its kind, or was not looked into. It may tell of it in any result and in any encoding, so
 * its results are known by the grant and not by their text.
 */
export function makeLabelOfGrants(labelOfTree: LabelOfTree) {
  return async ({ transport, grants: { read, write } }: McpServer): Promise<Label> => {
    const granted = transport.kind === "stdio" ? new Set([...read, ...write]) : [];
    for (const written of granted) {
      const label = await labelOfTree({ path: await realPath("/", written), tree: true });
      if (label.secrecy !== "public") return { ...bottomLabel, secrecy: "private" };
    }
    return bottomLabel;
  };
}
