import { describeArguments, describeChange, describeEffect } from "../../act/mcp/list-tools.ts";
import { nameTools } from "../../act/mcp/name-tools.ts";
import type { ServerUse } from "../../act/mcp/open-server.ts";
import { reachServer } from "../../act/mcp/reached-hosts.ts";
import { type CodeFolder, codeFolders } from "../../act/mcp/server-code.ts";
import { ServerFailure } from "../../act/mcp/server-failure.ts";
import {
  addressesOf,
  entryDigest,
  keyOf,
  placeOf,
  ServerPool,
  type ServerState,
  stateOf,
} from "../../act/mcp/server-pool.ts";
import type { ServedSkill } from "../../act/mcp/server-skills.ts";
import { startPortsOf } from "../../act/mcp/start-ports.ts";
import { findSandbox } from "../../act/sandbox/bubblewrap.ts";
import { serverNeedsVault } from "../../daemon/agent/needs-vault.ts";
import { makeFolderTrust } from "../../daemon/commands/folder-trust.ts";
import { unlockAtStart } from "../../daemon/unlock-at-start.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import { openStateReader } from "../../program/read-state.ts";
import type { McpAcceptances } from "../../settings/mcp-acceptances.ts";
import { referencesOf } from "../../settings/mcp-servers.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { ReachHost } from "../../signal/effect.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { ListedTool, McpServer, ToolList } from "../../signal/mcp-server.ts";
import { foldName } from "../../text/fold-name.ts";
import { makeTextLabels } from "./label-texts.ts";

/** A server as it is listed: `ready` where its tools may be proposed; else what is to be done. */
export type ListedServer = {
  readonly name: string;
  /** Where its entry stands: a file. */
  readonly from: string;
  readonly runs: string;
  readonly grants: McpServer["grants"];
  /** The variables and vault values that it gets, by name. */
  readonly gets: readonly string[];
  readonly state: ServerState | "untrusted-folder";
  readonly tools: readonly ListedServerTool[];
  readonly unusable: ToolList["unusable"];
  /** Keys of its entry that are not used. */
  readonly ignored: readonly string[];
  readonly code: readonly CodeFolder[];
  /** What it changed since it was accepted, in words; left out where it changed nothing that is known. */
  readonly changes?: readonly string[];
  readonly revision?: string;
  /** Whether its owner signed in to it. */
  readonly login?: "signed in";
};

/** A tool of a server with its effect as the owner declared it, and its arguments with all that the server says of them. */
export type ListedServerTool = {
  readonly name: string;
  readonly effect: string;
  readonly description: string;
  readonly arguments: string;
};

/** All servers that a conversation in this folder would know, and what is wrong with the files that name them. Starts none. */
export async function listServers(
  start: StartContext,
): Promise<{ readonly servers: readonly ListedServer[]; readonly problems: readonly string[] }> {
  const found = await findServers(start);
  return {
    servers: found.servers.map((server) => describeServer(server, found)),
    problems: found.problems,
  };
}

type FoundServers = {
  readonly policy: Policy;
  readonly servers: readonly McpServer[];
  readonly isTrusted: boolean;
  readonly problems: readonly string[];
};

async function findServers(start: StartContext): Promise<FoundServers> {
  const policy = loadPolicy(start.environment);
  const project = policy.projectServers(start.cwd);
  const fault = policy.mcpAcceptances.fault();
  const own = new Set(policy.config.mcpServers.map(({ name }) => foldName(name)));
  const hidden = project.servers.filter(({ name }) => own.has(foldName(name)));
  return {
    policy,
    servers: [...policy.config.mcpServers, ...project.servers.filter((server) => !hidden.includes(server))],
    isTrusted: project.servers.length > 0 && (await isTrustedFolder(start)),
    problems: [
      ...policy.config.problems.filter((problem) => problem.includes("mcp.json")),
      ...project.problems,
      ...hidden.map(
        ({ name }) => `${start.cwd}/.mcp.json: the server "${name}" is left out: your own mcp.json has it.`,
      ),
      ...(fault === null ? [] : [fault]),
    ],
  };
}

/** False where there is no state yet. */
async function isTrustedFolder(start: StartContext): Promise<boolean> {
  try {
    const { state, ...reader } = await openStateReader(start);
    await using _ = reader;
    return await makeFolderTrust(state.trustedFolders).isTrusted(start.cwd, start.cwd);
  } catch (error) {
    if (error instanceof StateProblem && error.code === "missing") return false;
    throw error;
  }
}

function describeServer(server: McpServer, { policy, servers, isTrusted }: FoundServers): ListedServer {
  const accepted = policy.mcpAcceptances.of(keyOf(server));
  const { transport, grants, name, project } = server;
  const list = accepted?.list ?? null;
  const offered = accepted?.offered ?? null;
  return {
    name,
    from: project === null ? "mcp.json" : `${project}/.mcp.json`,
    runs: policy.maskKeys(
      transport.kind === "http" ? transport.url : [transport.command, ...transport.args].join(" "),
    ),
    grants,
    gets: referencesOf(server),
    code: codeFolders(accepted?.program),
    ignored: server.ignored,
    state: project !== null && !isTrusted ? "untrusted-folder" : stateOf(server, accepted),
    ...describeList(server, list, namelessOf(server, servers, policy.mcpAcceptances)),
    ...(list === null || offered === null ? {} : { changes: describeChange(list, offered) }),
    ...(accepted === null ? {} : { revision: accepted.revision }),
    ...(project !== null || policy.config.mcpLogins.of(name).kind === "none" ? {} : { login: "signed in" }),
  };
}

/** The tools of a list with the effects that the owner declared. */
function describeList(
  server: McpServer,
  list: ToolList | null,
  nameless: ToolList["unusable"],
): Pick<ListedServer, "tools" | "unusable"> {
  const isUsable = ({ name }: ListedTool): boolean => !nameless.some((one) => one.name === name);
  const tools = (list?.tools ?? []).filter(isUsable).map((tool) => ({
    name: tool.name,
    effect: describeEffect(tool, server),
    description: tool.description,
    arguments: describeArguments(tool),
  }));
  return { tools, unusable: [...nameless, ...(list?.unusable ?? [])] };
}

/** Tools of a server that get no name here, as its list stands. */
function namelessOf(
  server: McpServer,
  servers: readonly McpServer[],
  acceptances: Pick<McpAcceptances, "of">,
): ToolList["unusable"] {
  return nameTools(servers, acceptances, () => false)
    .nameless.filter((one) => one.server === server)
    .map(({ listed, reason }) => ({ name: listed.name, reason }));
}

/** What a server offers now, ready to be accepted; or why it offers nothing. */
export type Offer =
  | { readonly ok: false; readonly reason: string }
  | {
      readonly ok: true;
      readonly server: ListedServer;
      readonly list: ToolList;
      readonly revision: string;
      readonly changes: readonly string[];
      readonly accept: () => void;
    };

/**
 * Starts a server in the sandbox, or reaches it, and asks for its tools. No tool is called. `asAccepted`:
 * it is started only as its owner accepted it.
 */
export async function askServer(
  start: StartContext,
  name: string,
  { asAccepted }: { readonly asAccepted: boolean },
): Promise<Offer> {
  const found = await findServers(start);
  const server = found.servers.find((one) => one.name === name);
  if (server === undefined)
    return {
      ok: false,
      reason: `There is no server ${name}. List them with: passepartout mcp list`,
    };
  const { policy } = found;
  if (server.project !== null && !found.isTrusted)
    return {
      ok: false,
      reason: `The server ${name} stands in ${server.project}/.mcp.json, and you do not trust that folder. Look at the file, then say /trust-folder in a conversation there.`,
    };
  await unlockFor(server, start, policy);
  const before = policy.mcpAcceptances.of(keyOf(server));
  try {
    const { list, revision, program } = await listOnce(
      policy,
      { server, accepted: asAccepted ? before : null },
      start,
    );
    const entry = entryDigest(server);
    const accepted = { entry, list, revision, program, acceptedAt: Date.now() };
    const of = (key: string) => (key === keyOf(server) ? accepted : policy.mcpAcceptances.of(key));
    const nameless = namelessOf(server, found.servers, { of });
    return {
      ok: true,
      server: {
        ...describeServer(server, found),
        ...describeList(server, list, nameless),
        code: codeFolders(program),
      },
      list,
      revision,
      changes: before === null || before.list.digest === list.digest ? [] : describeChange(before.list, list),
      accept: () => policy.mcpAcceptances.accept(keyOf(server), accepted),
    };
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
    return {
      ok: false,
      reason: `The server ${name} gave no list of tools: ${policy.mask(error.message).replace(/\.$/, "")}.`,
    };
  }
}

/** Unlocks the vault where this server needs it; asks for no passphrase where it does not. */
async function unlockFor(server: McpServer, start: StartContext, { config }: Policy): Promise<void> {
  await unlockAtStart(start, config, { mayAsk: serverNeedsVault(server, config.mcpLogins) });
}

async function listOnce(policy: Policy, what: Pick<ServerUse, "server" | "accepted">, start: StartContext) {
  return await useOnce(policy, what, start, (pool, use) => pool.list(use, AbortSignal.timeout(120_000)));
}

/** Starts a server in the sandbox, or reaches it, for one use. */
async function useOnce<T>(
  policy: Policy,
  { server, accepted }: Pick<ServerUse, "server" | "accepted">,
  start: StartContext,
  act: (pool: ServerPool, use: ServerUse) => Promise<T>,
): Promise<T> {
  const ports = startPortsOf(policy, await findSandbox(), makeTextLabels(start, policy));
  await using pool = new ServerPool({ ...ports, version: start.version, recordConnection: () => undefined });
  const place = placeOf(server);
  const addresses = await addressesOf(server, ports.resolveHost);
  const refused = place === null ? null : refusalOf(policy, reachServer(place, addresses, bottomLabel));
  if (refused !== null) throw new ServerFailure(refused);
  return await act(pool, { server, accepted, addresses });
}

/** Asks a server that the owner accepted for a skill with its files. Nothing of it is used. */
export async function getSkillOfServer(
  start: StartContext,
  name: string,
  skill: string,
): Promise<ServedSkill> {
  const found = await findServers(start);
  const server = found.servers.find((one) => one.name === name);
  if (server === undefined)
    return { ok: false, problem: "there is no such server; list them with: passepartout mcp list" };
  const { state } = describeServer(server, found);
  if (state !== "ready")
    return {
      ok: false,
      problem: `you did not accept it as it is (${state}): passepartout mcp accept ${name}`,
    };
  const { policy } = found;
  await unlockFor(server, start, policy);
  try {
    const accepted = policy.mcpAcceptances.of(keyOf(server));
    return await useOnce(policy, { server, accepted }, start, (pool, use) =>
      pool.skill(use, skill, AbortSignal.timeout(120_000)),
    );
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
    return { ok: false, problem: policy.mask(error.message) };
  }
}

/** Why the judge blocks a host, whoever asks; null where it does not. */
export function refusalOf(policy: Policy, effect: ReachHost): string | null {
  const action = { kind: "command", target: "system", tool: null, explanation: "", problems: [] } as const;
  const origin = { person: "owner", source: "cli", session: "mcp", startedBy: "person" } as const;
  const { decision, reason } = policy.judge([effect], policy.makeFacts({ action, origin, workspace: null }));
  return decision === "block" ? reason : null;
}

/** Takes back that a server was accepted; false where it was not. */
export function forgetServer(start: StartContext, name: string): boolean {
  const { mcpAcceptances } = loadPolicy(start.environment);
  const fault = mcpAcceptances.fault();
  if (fault !== null) throw new Error(fault);
  return [name, keyOf({ name, project: start.cwd })].map((key) => mcpAcceptances.forget(key)).includes(true);
}
