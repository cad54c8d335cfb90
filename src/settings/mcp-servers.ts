import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import type { McpClient } from "../signal/mcp-login.ts";
import type { McpServer, McpTransport } from "../signal/mcp-server.ts";
import { beginOf } from "../text/cut-text.ts";
import { describeError } from "../text/describe-error.ts";
import { readJsonWithComments } from "../text/json-with-comments.ts";
import type { Environment } from "./environment.ts";
import { ignoredKeys, problemOfForeignEntry } from "./foreign-mcp-keys.ts";
import { httpEntry, ownPart, stdioEntry } from "./mcp-entry.ts";
import { versionOfFile } from "./replace-file.ts";
import { resolveLinks } from "./user-folders.ts";
import type { VaultValue } from "./vault.ts";

/** The largest file of servers in bytes, and the most servers in it. */
const largestFile = 1_048_576;
const mostServers = 100;
/** Milliseconds that a call may take where its entry does not say. */
const usualTimeout = 60_000;

/** A name is a part of the names of tools, which hold at most 64 characters. Two underlines stand behind it there. */
const serverName = /^[a-z0-9](?:[a-z0-9-]|_(?!_)){0,23}$/i;

/** Some programs call the list of servers `servers`. */
const file = z
  .looseObject({}, { error: "it is no object" })
  .transform((given) => ({ mcpServers: given["mcpServers"] ?? given["servers"] }))
  .pipe(
    z.object({
      mcpServers: z.record(z.string(), z.unknown(), {
        error: 'it has no list of servers named "mcpServers"',
      }),
    }),
  );

/** The servers of a file, with what is wrong with the others. */
export type McpFile = { readonly servers: readonly McpServer[]; readonly problems: readonly string[] };

/** Whose file it is: the home folder that `~` means, and the folder of a project; null for the owner's own. */
type FileOwner = { readonly home: string; readonly project: string | null };

/** Reads a file of `mcpServers` as other agents write it. A missing file has none; an entry that cannot be used is left out, with the reason. What a project says of the effects of its tools counts for nothing. */
export function readMcpFile(path: string, { home, project }: FileOwner): McpFile {
  try {
    const about = statSync(path);
    if (!about.isFile()) throw new Error("it is no plain file");
    if (about.size > largestFile) throw new Error("it is larger than 1 MB");
    const read = readJsonWithComments(readFileSync(path, "utf8"));
    if (!read.ok) throw new Error(read.problem);
    const entries = Object.entries(file.parse(read.value).mcpServers);
    const known = new Set<string>();
    const found = entries.map(([name, entry], index) => {
      const folded = name.toLowerCase().replaceAll(/[-_]/g, "");
      const called = `the server ${JSON.stringify(beginOf(name, 60))} is left out`;
      if (index >= mostServers) return `${called}: a file has at most ${mostServers}.`;
      if (known.has(folded)) return `${called}: its name cannot be told apart from another. Rename it.`;
      known.add(folded);
      return readEntry(name, entry, { home, project });
    });
    return {
      servers: found.flatMap((one) => (one !== null && typeof one !== "string" ? [one] : [])),
      problems: found.flatMap((one) => (typeof one === "string" ? [`${path}: ${one}`] : [])),
    };
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return { servers: [], problems: [] };
    return {
      servers: [],
      problems: [`${path} cannot be used, so its servers are not: ${describe(error)}. Correct it.`],
    };
  }
}

/** Reads the servers of projects, each file again where it changed. A project's server is started without variables or vault values of the owner. */
export function openProjectServers(home: string): (folder: string) => McpFile {
  const known = new Map<string, McpFile & { readonly version: string }>();
  return (folder) => {
    const path = join(folder, ".mcp.json");
    const version = versionOfFile(path);
    const before = known.get(folder);
    if (before?.version === version) return before;
    const { servers, problems } = readMcpFile(path, { home, project: folder });
    const refer = servers.filter((server) => referencesOf(server).length > 0);
    const read = {
      version,
      servers: servers.filter((server) => !refer.includes(server)),
      problems: [
        ...problems,
        ...refer.map(
          ({ name }) =>
            `${path}: the server "${name}" is left out: a project's server gets no variables of yours. Copy its entry into your own mcp.json.`,
        ),
      ],
    };
    known.set(folder, read);
    return read;
  };
}

/** The server of an entry; null where it is switched off; else what is wrong with it, in words. */
function readEntry(name: string, entry: unknown, owner: FileOwner): McpServer | string | null {
  const called = `the server ${JSON.stringify(beginOf(name, 60))}`;
  if (!serverName.test(name))
    return `${called} is left out: a name has up to 24 letters, digits, - and _ in it. Rename it.`;
  const given = z.record(z.string(), z.unknown()).safeParse(entry).data ?? {};
  if (given["disabled"] === true || given["enabled"] === false) return null;
  const foreign = problemOfForeignEntry(given);
  if (foreign !== null) return `${called} is left out: ${foreign}`;
  const schema = given["command"] === undefined ? httpEntry : stdioEntry;
  const read = schema.safeParse(entry);
  if (!read.success) return `${called} is left out: ${describe(read.error)}. Correct its entry.`;
  const { passepartout: own = ownPart.parse({}) } = read.data;
  const transport = "command" in read.data ? stdioOf(read.data, owner) : httpOf(read.data);
  if (typeof transport === "string") return `${called} is left out: ${transport}`;
  const unknown = textsOf(transport).flatMap(unknownReferences)[0];
  if (unknown !== undefined)
    return `${called} is left out: ${unknown} means nothing here. Write \${NAME} for a variable, \${vault:NAME} for a value of the vault, or the text itself.`;
  return {
    name,
    project: owner.project,
    transport,
    grants: {
      read: own.read.map((path) => pathOf(path, owner)),
      write: own.write.map((path) => pathOf(path, owner)),
      hosts: own.hosts,
    },
    declared: new Map(owner.project === null ? Object.entries(own.tools) : []),
    callTimeout: own.timeout === undefined ? usualTimeout : own.timeout * 1000,
    ignored: ignoredKeys(Object.keys(given), Object.keys(schema.shape)),
    ...(own.login === undefined || owner.project !== null ? {} : { client: clientOf(own.login) }),
  };
}

function clientOf(login: NonNullable<z.infer<typeof ownPart>["login"]>): McpClient {
  const { clientId, clientSecret, issuer, scopes, hosts } = login;
  return {
    clientId: clientId ?? null,
    clientSecret: clientSecret ?? null,
    issuer: issuer ?? null,
    scopes,
    hosts,
  };
}

function stdioOf(
  { command, args, env, cwd }: z.infer<typeof stdioEntry>,
  owner: FileOwner,
): McpTransport | string {
  if (cwd?.includes("${")) return "its cwd has a reference in it. Write the path itself.";
  const folder = cwd === undefined ? {} : { cwd: pathOf(cwd, owner) };
  return { kind: "stdio", command, args, environment: env, ...folder };
}

function httpOf({ url, headers }: z.infer<typeof httpEntry>): McpTransport | string {
  const parsed = URL.parse(url.replaceAll(reference, "x"));
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    return "its url must begin with http or https and a host, which no reference can stand for. Write them out.";
  if (parsed.username !== "" || parsed.password !== "")
    return "its url holds a name or password. Write an Authorization header for them, with a value of the vault.";
  if (parsed.origin !== URL.parse(url.replaceAll(reference, "1"))?.origin)
    return "its url has a reference in its scheme, host or port. Write these out, and accept the server there.";
  return { kind: "http", url, headers };
}

/** A path of a grant: `~` is the home folder; of a project it is relative to its folder. */
function pathOf(path: string, { home, project }: FileOwner): string {
  const whole = path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
  return resolveLinks(isAbsolute(whole) ? whole : resolve(project ?? home, whole));
}

const reference = /\$\{(?:(vault:)|env:)?([^}:]+)(?::-([^}]*))?\}/g;
/** Names that other programs fill in by themselves. */
const foreignNames = /^(?:workspaceFolder(?:Basename)?|userHome|pathSeparator|\/)$/;

/** What looks like a reference, and would go to the server as it stands. */
function unknownReferences(text: string): readonly string[] {
  const rest = text.replace(reference, (whole, vault: string | undefined, name: string) =>
    vault === undefined && foreignNames.test(name) ? whole : "",
  );
  return rest.match(/\$\{[^}]*\}|\{(?:env|file):[^}]*\}|^(?:\w+ )?\$[A-Z_][A-Z0-9_]*$/g) ?? [];
}

/** The variables and vault values that an entry refers to, as `NAME` and `vault:NAME`. */
export function referencesOf({ transport }: McpServer): readonly string[] {
  const found = textsOf(transport).flatMap((text) => [...text.matchAll(reference)]);
  return [...new Set(found.map(([, vault = "", name = ""]) => `${vault}${name.trim()}`))];
}

function textsOf(transport: McpTransport): readonly string[] {
  return transport.kind === "stdio"
    ? [transport.command, ...transport.args, ...Object.values(transport.environment)]
    : [transport.url, ...Object.values(transport.headers)];
}

/** A text with its references filled in, or why one of them has no value. */
export type FilledText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Fills in the references of a text: `${NAME}` (or `${env:NAME}`), `${NAME:-default}`, `${vault:NAME}`. */
export function fillText(
  text: string,
  environment: Environment,
  readVault: (name: string) => VaultValue,
): FilledText {
  const reasons: string[] = [];
  const filled = text.replace(reference, (_, vault: string | undefined, given: string, fallback?: string) => {
    const name = given.trim();
    if (vault !== undefined) {
      const read = readVault(name);
      if (!read.ok) reasons.push(read.reason);
      return read.ok ? read.value : "";
    }
    const value = environment[name] ?? fallback;
    if (value === undefined) reasons.push(`${name} is not set. Set it in the environment or in .env.`);
    return value ?? "";
  });
  const [reason] = reasons;
  return reason === undefined ? { ok: true, text: filled } : { ok: false, reason };
}

function describe(error: unknown): string {
  if (!(error instanceof z.ZodError)) return describeError(error);
  const [issue] = error.issues;
  if (issue === undefined) return "it cannot be read";
  const place = ["its entry", ...issue.path.map(String)].slice(issue.path.length === 0 ? 0 : 1).join(".");
  return `${place}: ${issue.message.replace("Invalid input: ", "")}`;
}
