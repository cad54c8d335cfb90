import { readFileSync } from "node:fs";
import { z } from "zod";
import type { AcceptedServer, ToolList } from "../signal/mcp-server.ts";
import { describeError } from "../text/describe-error.ts";
import type { JsonObject } from "../text/json.ts";
import { replaceFile, versionOfFile } from "./replace-file.ts";

/** What the owner accepted of servers of the Model Context Protocol, in a file of the configuration folder that no action may write. It is read again whenever it changed. */
export type McpAcceptances = {
  readonly path: string;
  /** What was accepted under a key; null where nothing was, or where the file cannot be used. */
  readonly of: (key: string) => AcceptedServer | null;
  /** Why the file cannot be used, in words; null if it can, or if there is none. */
  readonly fault: () => string | null;
  /** Changes with every change of the file. */
  readonly version: () => string;
  /** The entry, the list and the program of each server that was accepted, by their hashes. */
  readonly digests: () => JsonObject;
  /** Throws where the file cannot be used or written. */
  readonly accept: (key: string, accepted: AcceptedServer) => void;
  /** Keeps a list that nobody accepted yet beside the accepted one. Throws where the file cannot be used or written. */
  readonly offer: (key: string, list: ToolList) => void;
  /** False where nothing was accepted under the key. Throws where the file cannot be used or written. */
  readonly forget: (key: string) => boolean;
};

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const toolList = z.strictObject({
  digest,
  tools: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.json()),
      digest,
    }),
  ),
  unusable: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
});
const acceptedServer = z.strictObject({
  entry: digest,
  list: toolList,
  revision: z.string(),
  program: z.array(z.strictObject({ path: z.string(), digest: z.string() })).exactOptional(),
  acceptedAt: z.number(),
  offered: toolList.optional(),
});
const fileSchema = z.strictObject({ version: z.literal(1), servers: z.record(z.string(), acceptedServer) });

type Servers = Readonly<Record<string, AcceptedServer>>;
type Read = { readonly version: string; readonly servers: Servers; readonly fault: string | null };

/** Opens what was accepted, in a file that need not exist. */
export function openMcpAcceptances(path: string): McpAcceptances {
  let known: Read = { version: "", servers: {}, fault: null };
  const read = (): Read => {
    const version = versionOfFile(path);
    if (version !== known.version) known = readServers(path, version);
    return known;
  };
  const change = (servers: Servers): void => {
    const { fault } = read();
    if (fault !== null) throw new Error(fault);
    replaceFile(path, `${JSON.stringify({ version: 1, servers }, null, 1)}\n`);
  };
  const of = (key: string): AcceptedServer | null => {
    const { servers } = read();
    return Object.hasOwn(servers, key) ? (servers[key] ?? null) : null;
  };
  return {
    path,
    of,
    fault: () => read().fault,
    version: () => read().version,
    digests: () =>
      Object.fromEntries(
        Object.entries(read().servers).map(([key, { entry, list, program }]) => [
          key,
          {
            entry,
            list: list.digest,
            ...(program === undefined ? {} : { program: program.map(({ digest: bytes }) => bytes) }),
          },
        ]),
      ),
    accept: (key, accepted) => change({ ...read().servers, [key]: accepted }),
    offer(key, list) {
      const accepted = of(key);
      if (accepted === null || accepted.offered?.digest === list.digest) return;
      change({ ...read().servers, [key]: { ...accepted, offered: list } });
    },
    forget(key) {
      if (of(key) === null) return false;
      const { [key]: _, ...rest } = read().servers;
      change(rest);
      return true;
    },
  };
}

function readServers(path: string, version: string): Read {
  try {
    const parsed = fileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return { version, servers: withoutUndefined(parsed.servers), fault: null };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { version, servers: {}, fault: null };
    const fault = `${path} cannot be used, so no server of mcp.json is: ${describeError(error)}. Mend it, or move it away and accept the servers again.`;
    return { version, servers: {}, fault };
  }
}

function withoutUndefined(servers: z.infer<typeof fileSchema>["servers"]): Servers {
  return Object.fromEntries(
    Object.entries(servers).map(([key, { offered, ...rest }]) => [
      key,
      offered === undefined ? rest : { ...rest, offered },
    ]),
  );
}
