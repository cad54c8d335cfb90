import { realPath } from "../../../act/files/real-path.ts";
import { statusIfThere } from "../../../act/files/status-if-there.ts";
import type { LabelServerWrites } from "../../../act/mcp/server-tools.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { McpServer } from "../../../signal/mcp-server.ts";
import type { FileLabels } from "./join-external.ts";
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

/**
 * Gives all that changes in a server's write grants during a call the label of what the server was told: it
 * may put that there in any encoding, as into a result. In the notes its words are those of others. What it
 * writes when nothing is asked of it is not seen.
 */
export function makeLabelServerWrites(labelWritten: FileLabels["labelWritten"]): LabelServerWrites {
  return async ({ transport, grants: { write } }, told) => {
    if (transport.kind !== "stdio") return async () => undefined;
    const words: Label = { ...bottomLabel, integrity: "untrusted" };
    const labels: (() => Promise<void>)[] = [];
    for (const written of new Set(write)) {
      const path = await realPath("/", written);
      const isFolder = (await statusIfThere(path))?.isDirectory() === true;
      const writes = isFolder
        ? { paths: [], workspace: path, label: words }
        : { paths: told.secrecy === "public" ? [] : [path], workspace: path, label: joinLabels(told, words) };
      labels.push(await labelWritten({ ...writes, inputs: told }));
    }
    return async () => {
      for (const label of labels) await label();
    };
  };
}
