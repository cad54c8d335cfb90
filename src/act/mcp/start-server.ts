import { basename } from "node:path";
import type { McpGrants, ProgramFile } from "../../signal/mcp-server.ts";
import { isInside } from "../../text/is-inside.ts";
import type { EgressConnection } from "../egress/egress-proxy.ts";
import { type HostPort, readHosts } from "../egress/host-port.ts";
import {
  certificatePlaces,
  type Egress,
  type EgressPorts,
  egressVariables,
  openEgress,
} from "../egress/open-egress.ts";
import { certificateVariables } from "../egress/own-certificates.ts";
import { realPath } from "../files/real-path.ts";
import type { Confinement, Sandbox } from "../sandbox/bubblewrap.ts";
import { explainNoSandbox } from "../sandbox/sandbox-lack.ts";
import { type Binary, findProgram } from "../shell/binary.ts";
import { type ConfinementRequest, confine } from "../shell/confine.ts";
import { foreignProgram, rememberSearches } from "../shell/confine-each.ts";
import { shortEnvironment } from "../shell/environment.ts";
import { lockedPaths, openLaterGuard } from "../shell/later-guard.ts";
import { withServerLimits } from "../shell/process-limits.ts";
import { coveredFor, noPrograms, type ProgramFolders, type ShownPrograms } from "../shell/program-folders.ts";
import { coveringObjects } from "../shell/secret-objects.ts";
import type { ShellPorts } from "../shell/shell-ports.ts";
import { changedProgramFile, findProgramFiles } from "./program-files.ts";
import { findServerCode } from "./server-code.ts";
import type { ServerProcess } from "./stdio-transport.ts";

/** What starting a server needs of this machine. */
export type StartPorts = {
  readonly sandbox: Sandbox | null;
  readonly searchPath: string;
  readonly isSecretPath: (path: string) => boolean;
  readonly secretObjects?: NonNullable<ShellPorts["secretObjects"]>;
  /** The agent's own folders, which no server sees; those that it may read. */
  readonly hidden: readonly string[];
  readonly readable: readonly string[];
  /** The folders that the owner declares as programs. A server that is one of them sees them. */
  readonly programFolders: ProgramFolders;
  readonly egress: EgressPorts;
  readonly recordConnection: (server: string, connection: EgressConnection) => void;
};

/** A server to start, with its references filled in. */
export type ServerStart = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
  /** The folder that it starts in; null for one of its own. */
  readonly cwd: string | null;
  readonly grants: McpGrants;
  /** What its owner accepted to be executed; null where they are asked for it. */
  readonly accepted: readonly ProgramFile[] | null;
};

/** A process to start and the proxy that ends with it, or the reason why it cannot be started. */
export type PreparedStart =
  | {
      readonly ok: true;
      readonly process: ServerProcess;
      readonly egress: Egress | null;
      /** What is executed. */
      readonly program: readonly ProgramFile[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Prepares the start of a server: in the sandbox, with the paths and hosts of its grants and nothing else.
 * Where there is no sandbox, or its program is not the accepted one, it is not started.
 */
export async function prepareStart(server: ServerStart, ports: StartPorts): Promise<PreparedStart> {
  const { sandbox } = ports;
  if (sandbox === null) return noSandbox();
  const { cwd, grants } = server;
  if (cwd !== null && ![...grants.read, ...grants.write].some((folder) => isInside(folder, cwd)))
    return no(
      `it starts in ${cwd}, which it may not see. Write "passepartout": {"read": ["${cwd}"]} into its entry`,
    );
  const { binary } = await findProgram(server.command, ports.searchPath, cwd ?? "/");
  if (binary === null)
    return no(`its command ${server.command} is not installed. Install it, or correct its entry`);
  const programs = await programsFor(binary, ports);
  const program = await executedFrom(server, binary.real, programs);
  const changed = server.accepted === null ? null : changedProgramFile(server.accepted, program);
  if (changed !== null)
    return no(
      `its program ${changed} is not what it was when you accepted it. Look at it, then accept it again: passepartout mcp accept ${server.name}`,
    );
  const view = await confineServer(server, ports, { binary, programs });
  if (typeof view === "string") return no(view);
  const limits = await withServerLimits();
  const words = [binary.path, ...server.args];
  const isOffline = grants.hosts.length === 0;
  const variables = new Map([
    ...shortEnvironment(false, programs.searchPath),
    ...(isOffline ? offlineVariables : []),
    ...server.environment,
  ]);
  const start = { filter: sandbox.filter, variables };
  if (isOffline)
    return {
      ok: true,
      process: { ...start, argv: [...limits, ...sandbox.argv(words, { ...view, hidesVariables: true })] },
      egress: null,
      program,
    };
  const allowed = grants.hosts.map((host) => ({ host, places: readHosts(host) }));
  const wrong = allowed.find(({ places }) => places === null);
  if (wrong !== undefined)
    return no(`it is granted ${wrong.host}, which is no public host such as example.org or example.org:8443`);
  const hosts = allowed.flatMap(({ places }) => places ?? []);
  const egress = await openEgress({ allowed: hosts, credentials: [] }, ports.egress, (connection) =>
    ports.recordConnection(server.name, connection),
  );
  const seen: Confinement = {
    ...view,
    readable: [...view.readable, ...certificatePlaces.map((path) => ({ from: path, to: path }))],
    required: egress.binds,
    hidesVariables: true,
  };
  const behind = egress.wrap(words, networkVariables(server, hosts));
  return {
    ok: true,
    process: { ...start, argv: [...limits, ...sandbox.argv(behind, seen)] },
    egress,
    program,
  };
}

/** The declared programs, where a server is one of them. */
async function programsFor({ real }: Binary, { programFolders }: StartPorts): Promise<ShownPrograms> {
  const declared = await programFolders.look(null);
  return declared.folders.some(({ to }) => isInside(to, real)) ? declared : noPrograms;
}

/** The files and the code that a server is executed from. */
async function executedFrom(
  server: ServerStart,
  program: string,
  { stamps }: ShownPrograms,
): Promise<readonly ProgramFile[]> {
  const declared = stamps.map(({ path, stamp }) => ({ path, digest: stamp }));
  return [
    ...(await findProgramFiles(server, program)),
    ...(await findServerCode(server, program)),
    ...declared,
  ];
}

/** Tells npx and uvx that they reach no registry, so that they do not try for minutes. */
const offlineVariables = [
  ["npm_config_offline", "true"],
  ["UV_OFFLINE", "1"],
] as const;

function noSandbox(): PreparedStart {
  const { why, remedy } = explainNoSandbox();
  return no(`there is no sandbox on this machine for it: ${why}. ${remedy}`);
}

/**
 * The variables of a server with network. Certificates that its entry names win over those of the agent; its
 * other variables stay hidden.
 */
function networkVariables({ environment }: ServerStart, hosts: readonly HostPort[]) {
  const named = [...environment].filter(([name]) => certificateVariables.includes(name));
  return [...egressVariables(hosts), ...named];
}

function no(reason: string): PreparedStart {
  return { ok: false, reason };
}

/** What a server may see and write. Each writable folder is searched for secrets and for files that are executed later, like the workspace of a command. */
async function confineServer(
  { grants, cwd }: ServerStart,
  ports: StartPorts,
  { binary, programs }: { readonly binary: Binary; readonly programs: ShownPrograms },
): Promise<Confinement | string> {
  const foreign = foreignProgram(binary, null, programs);
  const common = {
    cwd: cwd === null ? "/tmp" : await realPath("/", cwd),
    harmless: false,
    needsWholeWorkspace: true,
    programs: [...foreign.programs, ...programs.folders],
    links: [...programs.links, ...foreign.links],
    hidden: ports.hidden.filter((path) => !ports.readable.includes(path)),
    locked: ports.readable,
    search: coveringObjects(rememberSearches(ports.isSecretPath), ports, {
      used: null,
      cancel: new AbortController().signal,
    }),
    environment: new Map<string, string>(),
  } satisfies Partial<ConfinementRequest>;
  const reads = await Promise.all(
    grants.read.map(async (written) => {
      const path = await realPath("/", written);
      return { path, written, access: "contents" as const, tree: true };
    }),
  );
  const nothing = { locked: [], pinned: [] };
  const covered = coveredFor(programs, reads);
  const view = await confine({ ...common, covered, workspace: null, reads, later: nothing });
  if (typeof view === "string") return view;
  const writable: Confinement[] = [];
  for (const written of grants.write) {
    const folder = await realPath("/", written);
    const guard = await openLaterGuard(folder);
    const later = guard === null ? null : lockedPaths(guard, []);
    if (later === null)
      return `${folder} has too many files to be granted as a whole. Grant a smaller folder.`;
    const one = await confine({ ...common, workspace: folder, reads: [], programs: [], links: [], later });
    if (typeof one === "string") return one;
    writable.push(one);
  }
  return join(view, writable);
}

/** One view of what is read and all that is written. */
function join(view: Confinement, writable: readonly Confinement[]): Confinement {
  const folders = writable.flatMap(({ workspace, writable: mayWrite }) =>
    workspace === null || !mayWrite ? [] : [workspace],
  );
  return {
    ...view,
    writableFolders: folders,
    pinned: writable.flatMap(({ pinned = [] }) => pinned),
    locked: writable.flatMap(({ locked }) => locked),
    masked: [...view.masked, ...writable.flatMap(({ masked }) => masked)],
  };
}

/** Why a server probably did not start, with what to do; empty where nothing is known. */
export function hintOf(server: Pick<ServerStart, "command" | "args" | "grants">): string {
  const { command, args, grants } = server;
  const program = basename(command);
  const seen = [...grants.read, ...grants.write, "/usr", "/bin", "/tmp"];
  const hidden = args.filter((arg) => arg.startsWith("/") && !seen.some((folder) => isInside(folder, arg)));
  if (containers.has(program))
    return `. No container can be started from the sandbox. Start it yourself and write its "url", or install the server as a program`;
  if (fetchers.has(program) && grants.hosts.length === 0)
    return `. ${program} fetches programs, and its entry grants no host. Install the server and write its program as "command", or grant the registry with "passepartout": {"hosts": […]}`;
  if (hidden.length === 0) return "";
  return `. It sees no path that is not granted: ${hidden.slice(0, 3).join(", ")}. Grant it with "passepartout": {"read": […]} in its entry`;
}

const containers: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);
const fetchers: ReadonlySet<string> = new Set(["npx", "npm", "pnpm", "yarn", "bunx", "uvx", "uv", "pipx"]);
