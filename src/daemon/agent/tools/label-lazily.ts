import type { FilePorts } from "../../../act/files/file-ports.ts";
import type { ShellPorts } from "../../../act/shell/shell-ports.ts";

/** Labels what commands and servers write. */
export function labelWrittenIn(files: FilePorts): NonNullable<ShellPorts["labelWritten"]> {
  return async (writes) =>
    (await import("../../../act/tools/shell/label-written.ts")).labelWritten(writes, files);
}

/** The label of what is told of files beside their contents. */
export function makeNameLabels(files: FilePorts): NonNullable<ShellPorts["labelOfNames"]> {
  return async (use) => (await import("../../../act/files/private-names.ts")).labelOfNames(use, files);
}
