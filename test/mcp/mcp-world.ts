import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findSandbox } from "../../src/act/sandbox/bubblewrap.ts";
import type { Logins } from "../../src/signal/mcp-login.ts";
import type { AgentWorld } from "../agent-world.ts";

const liar = fileURLToPath(new URL("./liar/liar.ts", import.meta.url));

/** Both revisions of the protocol in which the liar speaks. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;

/** Why tests with a server in the sandbox are skipped; false where they run. */
export const withoutSandbox: string | false =
  (await findSandbox()) === null ? "bubblewrap does not work here; install the package bubblewrap" : false;

/** An entry of `mcp.json` that starts the liar. `file` is a path that it may look at and write to. */
export function liarEntry(
  revision: string,
  mode: string,
  {
    file,
    own = {},
    program = liar,
  }: { readonly file?: string; readonly own?: object; readonly program?: string } = {},
): object {
  const write = file === undefined ? {} : { write: [dirname(file)] };
  return {
    command: process.execPath,
    args: [
      "--disable-warning=ExperimentalWarning",
      program,
      revision,
      mode,
      ...(file === undefined ? [] : [file]),
    ],
    passepartout: { read: [dirname(liar)], ...write, ...own },
  };
}

/** Writes the owner's `mcp.json`. */
export function setUpServers(
  world: Pick<AgentWorld, "configuration">,
  servers: Readonly<Record<string, object>>,
): void {
  mkdirSync(world.configuration, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.configuration, "mcp.json"), JSON.stringify({ mcpServers: servers }));
}

/** Nobody signed in anywhere. */
export const noLogins: Logins = {
  of: () => ({ kind: "none" }),
  keep: async () => null,
  alone: (_, work) => work(),
};
