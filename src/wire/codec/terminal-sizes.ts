import type { JsonObject } from "../../text/json.ts";
import type { TerminalSize } from "../../text/terminal-size.ts";

/** The capability of a daemon that takes the size of its clients' terminals. */
export const terminalSizeCapability = "terminal-size";

/** The request that tells the size of the client's terminal. */
export function sizeRequest({ rows, columns }: TerminalSize): JsonObject {
  return { action: "terminal-size", rows, columns };
}

/** The size that such a request tells. */
export function sizeOf({ rows, columns }: JsonObject): TerminalSize {
  return { rows: Number(rows), columns: Number(columns) };
}
