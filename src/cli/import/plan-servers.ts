import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isSecretName } from "../../settings/env-file.ts";
import type { Policy } from "../../settings/policy.ts";
import { beginOf } from "../../signal/text/cut-text.ts";
import { describeError } from "../../signal/text/describe-error.ts";
import { escapeInvisible } from "../../signal/text/escape-invisible.ts";
import type { ForeignAgent, ForeignName } from "./foreign-agents.ts";
import { entriesOf, type ForeignServer } from "./foreign-servers.ts";
import { type ForeignFolder, type ForeignLeft, readForeignText } from "./read-foreign.ts";

/** A server that an import would add to `mcp.json`, switched off. */
export type PlannedServer = {
  readonly name: string;
  readonly entry: { readonly [key: string]: unknown };
  /** Its command line, or its address. */
  readonly words: string;
  /** Values that the owner has to put into the vault, by the names that the entry refers to. */
  readonly vault: readonly string[];
  readonly state: "new" | "same";
};

export type PlannedServers = {
  readonly servers: readonly PlannedServer[];
  /** The file that servers are added to. */
  readonly serversFile: string;
};

type Asked = {
  readonly folder: ForeignFolder;
  readonly foreign: ForeignAgent;
  readonly agent: ForeignName;
  readonly policy: Policy;
};

/** A name that `mcp.json` takes. */
const serverName = /^[a-z0-9](?:[a-z0-9-]|_(?!_)){0,23}$/i;

/** Works out which servers would be added. What holds a key where none can be referred to is left. */
export async function planServers({
  folder,
  foreign,
  agent,
  policy,
}: Asked): Promise<PlannedServers & { readonly left: readonly ForeignLeft[] }> {
  const serversFile = join(policy.config.places.configuration, "mcp.json");
  const left: ForeignLeft[] = [];
  const servers: PlannedServer[] = [];
  const known = existsSync(serversFile) ? readServersFile(serversFile) : new Map<string, unknown>();
  for (const { file, read } of foreign.servers) {
    const path = resolve(folder.path, file);
    if (!existsSync(path)) continue;
    const text = readForeignText(folder, path);
    if ("why" in text) {
      left.push(text);
      continue;
    }
    try {
      for (const server of await read(text.text)) {
        const planned =
          known === null ? `${serversFile} cannot be parsed` : entryOf(server, { agent, policy });
        const shown = `${file}: the server ${escapeInvisible(beginOf(server.name, 60))}`;
        const others = escapeInvisible(server.others.slice(0, 20).join(", ").slice(0, 300));
        if (typeof planned !== "string" && others !== "")
          left.push({ path: shown, why: `of its entry, these keys are not imported: ${others}` });
        if (typeof planned === "string") left.push({ path: shown, why: planned });
        else
          servers.push({
            name: server.name,
            ...planned,
            state: known?.has(server.name) === true ? "same" : "new",
          });
      }
    } catch (error) {
      const [why = ""] = describeError(error).split("\n");
      left.push({ path: file, why: `it cannot be parsed: ${escapeInvisible(policy.mask(why))}` });
    }
  }
  return { servers, serversFile, left };
}

/** The servers of the owner's own file; null where it cannot be parsed. */
export function readServersFile(path: string): ReadonlyMap<string, unknown> | null {
  try {
    return entriesOf(entriesOf(JSON.parse(readFileSync(path, "utf8"))).get("mcpServers"));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

type Entry = Pick<PlannedServer, "entry" | "words" | "vault">;

function entryOf(
  server: ForeignServer,
  { agent, policy }: { readonly agent: ForeignName; readonly policy: Policy },
): Entry | string {
  const { name, command, args, env, url, headers } = server;
  if (!serverName.test(name)) return "a name has up to 24 letters, digits, - and _ in it";
  const open = [command ?? "", ...args, url ?? "", ...env.keys(), ...headers.keys()];
  if (open.some((text) => /\p{Cc}/u.test(text) || text.length > 4096))
    return "it holds what no command line and no address has in it";
  if (open.some((text) => policy.mask(text) !== text))
    return `a key stands in its command line or address. Write it into mcp.json yourself, with \${vault:NAME} in its place`;
  const vault: string[] = [];
  const refer = (values: ReadonlyMap<string, string>, isSecret: (key: string) => boolean) =>
    Object.fromEntries(
      [...values].map(([key, value]) => {
        if (!isSecret(key) && policy.mask(value) === value) return [key, value];
        const kept = `${name}-${key}`
          .toLowerCase()
          .replaceAll(/[^a-z\d.-]+/g, "-")
          .slice(0, 64);
        vault.push(kept);
        return [key, `\${vault:${kept}}`];
      }),
    );
  const marks = { disabled: true, importedFrom: agent };
  if (command !== null)
    return {
      entry: { command, args, env: refer(env, isSecretName), ...marks },
      words: [command, ...args].join(" "),
      vault,
    };
  if (url !== null)
    return { entry: { url, headers: refer(headers, () => true), ...marks }, words: url, vault };
  return "it has neither a command nor an address";
}
