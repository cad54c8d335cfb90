import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isSecretName } from "../../settings/env-file.ts";
import type { Policy } from "../../settings/policy.ts";
import { secretArgumentsOf } from "../../settings/secret-arguments.ts";
import { beginOf } from "../../text/cut-text.ts";
import { describeError } from "../../text/describe-error.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
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
  const taken = takenNames(policy, known);
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
          known === null
            ? `${serversFile} cannot be parsed`
            : entryOf(server, { agent, policy, taken: taken(server.name) });
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
/**
 * The names that stand for another value: in the vault, in another entry, or in this plan. A server that is
 * there already keeps its own.
 */
function takenNames({ config }: Policy, known: ReadonlyMap<string, unknown> | null) {
  const planned = new Set<string>();
  const namesIn = (entry: unknown) =>
    [...JSON.stringify(entry).matchAll(/\$\{vault:([^}]+)\}/g)].flatMap(([, name = ""]) => name);
  const inVault = config.vault.status().names;
  return (server: string) => {
    const own = new Set(namesIn(known?.get(server) ?? null));
    const others = [...(known ?? [])].filter(([name]) => name !== server).flatMap(([, one]) => namesIn(one));
    const used = new Set([...inVault.filter((name) => !own.has(name)), ...others]);
    return {
      has: (name: string) => used.has(name) || planned.has(name),
      add: (name: string) => planned.add(name),
    };
  };
}

type TakenNames = ReturnType<ReturnType<typeof takenNames>>;
/** Gives a value a name in the vault, and what refers to it there. */
type Keep = (key: string) => string;

function entryOf(
  server: ForeignServer,
  {
    agent,
    policy,
    taken,
  }: { readonly agent: ForeignName; readonly policy: Policy; readonly taken: TakenNames },
): Entry | string {
  const { name, command, args, env, headers } = server;
  if (!serverName.test(name)) return "a name has up to 24 letters, digits, - and _ in it";
  const vault: string[] = [];
  const keep: Keep = (key) => {
    const kept = vaultName(`${name}-${key}`, taken);
    vault.push(kept);
    taken.add(kept);
    return `\${vault:${kept}}`;
  };
  const [url = null] = server.url === null ? [] : referArguments([server.url], keep, () => false);
  const open = [command ?? "", ...args, url ?? "", ...env.keys(), ...headers.keys()];
  if (open.some((text) => /\p{Cc}/u.test(text) || text.length > 4096))
    return "it holds what no command line and no address has in it";
  const holdsKey = (text: string): boolean =>
    policy.mask(text) !== text || secretArgumentsOf(text.split(/\s+/)).length > 0;
  if ([command ?? "", url ?? "", ...env.keys(), ...headers.keys()].some(holdsKey))
    return `a key stands in its command or address. Write it into mcp.json yourself, with \${vault:NAME} in its place`;
  const refer = (values: ReadonlyMap<string, string>, isSecret: (key: string) => boolean) =>
    Object.fromEntries(
      [...values].map(([key, value]) =>
        isSecret(key) || policy.mask(value) !== value ? [key, keep(key)] : [key, value],
      ),
    );
  const marks = { disabled: true, importedFrom: agent };
  if (command !== null) {
    const shown = referArguments(args, keep, holdsKey);
    return {
      entry: { command, args: shown, env: refer(env, isSecretName), ...marks },
      words: [command, ...shown].join(" "),
      vault,
    };
  }
  if (url !== null)
    return { entry: { url, headers: refer(headers, () => true), ...marks }, words: url, vault };
  return "it has neither a command nor an address";
}

/**
 * Arguments with a reference to the vault in place of each key. One in which a key stands among other words
 * is a value of the vault as a whole.
 */
function referArguments(
  args: readonly string[],
  keep: Keep,
  holdsKey: (text: string) => boolean,
): readonly string[] {
  const found = secretArgumentsOf(args);
  return args.map((arg, index) => {
    const shown = found
      .filter((one) => one.index === index)
      .reduceRight(
        (text, { name, before, value }) => before + keep(name) + text.slice(before.length + value.length),
        arg,
      );
    return holdsKey(shown) ? keep(`argument-${index + 1}`) : shown;
  });
}

/** A name that the vault takes, and that stands for no other value. */
function vaultName(words: string, taken: TakenNames): string {
  const name = words
    .toLowerCase()
    .replaceAll(/[^a-z\d.-]+/g, "-")
    .slice(0, 58);
  for (let count = 1; ; count += 1) {
    const numbered = count === 1 ? name : `${name}-${count}`;
    if (!taken.has(numbered)) return numbered;
  }
}
