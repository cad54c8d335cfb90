import { startPortsOf } from "../../act/mcp/start-ports.ts";
import type { Sandbox } from "../../act/sandbox/bubblewrap.ts";
import { openOrders } from "../../daemon/agent/prompt/open-orders.ts";
import { namesForAll, openFolderSkills, textsOf } from "../../daemon/agent/resources/folder-skills.ts";
import { labelRulesOf, makePreparedLabel } from "../../daemon/agent/resources/label-rules.ts";
import { tagsOfTurn } from "../../daemon/agent/skills/tags-of-turn.ts";
import { makeToolDeclarations } from "../../daemon/agent/tools/declared-tools.ts";
import { type ExternalTools, openExternalTools } from "../../daemon/agent/tools/external-tools.ts";
import { makeFolderTrust } from "../../daemon/commands/folder-trust.ts";
import type { State } from "../../memory/state/state.ts";
import type { NotesReader } from "../../program/open-notes-reader.ts";
import type { Mandate } from "../../reason/prompt/assemble-prompt.ts";
import type { Policy } from "../../settings/policy.ts";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { ToolDeclaration } from "../../signal/tool.ts";
import type { TaughtText } from "../../skills/find-triggered.ts";
import type { ContextQuestion } from "./explain-context.ts";
import { openIdleSkills } from "./idle-skills.ts";
import { assembleIdleTools } from "./idle-tools.ts";
import { type LeftOut, listLeftOut } from "./list-left-out.ts";
import { turnSaying } from "./turn-saying.ts";

/** What the first turn of a session is prepared with. */
export type ExplainToolsParts = {
  readonly policy: Policy;
  readonly reading: Pick<NotesReader, "notes" | "state">;
  readonly sandbox: Sandbox | null;
  readonly workspace: string | null;
  readonly version: string;
  readonly report: (message: string) => void;
};

/** What skills and servers add to the prompt of a first turn, and what of them is left out. */
export type ExplainedTools = {
  readonly tools: readonly ToolDeclaration[];
  readonly taught: readonly TaughtText[];
  readonly mandates: readonly Mandate[];
  /** The names of the skills that `use-skill` gives. */
  readonly skills: readonly string[];
  readonly leftOut: readonly LeftOut[];
};

/** Explains which tools words would be sent with. Skills are asked in the jail; no server is started, and nothing is kept. */
export async function explainTools(
  parts: ExplainToolsParts,
  { words, focus }: ContextQuestion,
  contextWindow: number,
): Promise<ExplainedTools> {
  const { policy, reading, sandbox, workspace, report } = parts;
  const { home } = policy.folders;
  const turn = turnSaying(words, null);
  await using skills = await openIdleSkills(policy, report);
  const folderSkills = openFolderSkills({
    home,
    book: policy.skillBook,
    labelText: makePreparedLabel(labelRulesOf({ policy, state: null })),
    orders: ordersOf(parts),
  });
  const openExternal = (builtIn: readonly string[]) => openIdleServers(parts, builtIn);
  const assembled = assembleIdleTools(policy, sandbox, { skills, openExternal, folderSkills });
  await using _servers = assembled.external;
  const declare = makeToolDeclarations({
    declaredBefore: async () => [],
    tools: assembled,
    workspaceOf: async () => workspace,
    folderSkills,
  });
  const tools = await declare(turn, contextWindow);
  const tags = () =>
    tagsOfTurn({ notes: reading.notes, home, report }, { signal: turn.signal, workspace, focus });
  const own = (await skills.textFor(turn.signal, tags)) ?? assembled.builtIn.textFor(turn.signal);
  return {
    tools,
    taught: [...(own === null ? [] : [own]), ...textsOf(await folderSkills.neededBy(turn, workspace))],
    mandates: skills.mandates(),
    skills: namesForAll(await folderSkills.inForce(workspace)),
    leftOut: await listLeftOut({ tools: assembled, folderSkills, workspace, turn, declared: tools }),
  };
}

function ordersOf({
  policy,
  reading: { state },
}: ExplainToolsParts): Parameters<typeof openFolderSkills>[0]["orders"] {
  return state === null ? { skills: async () => [] } : openOrders({ state, policy }, async () => bottomLabel);
}

/** The tools of servers as the owner accepted them. */
function openIdleServers(
  { policy, reading: { state }, sandbox, version }: ExplainToolsParts,
  builtIn: readonly string[],
): ExternalTools {
  const { config } = policy;
  return openExternalTools({
    builtIn,
    own: config.mcpServers,
    projectServers: (folder) => policy.projectServers(folder).servers,
    isTrusted: trustOf(state),
    ports: {
      ...startPortsOf(policy, sandbox, unknownLabel),
      recordConnection: () => undefined,
      labelOfGrants: unknownLabel,
      acceptances: policy.mcpAcceptances,
      hasEntry: config.hasMcpEntry,
      permissionOf: (tool) =>
        config.permissions.get(tool.toLowerCase()) ?? config.permissions.get("*") ?? "allow",
      clock: Date.now,
      version,
    },
  });
}

/** Nothing is called here, so nothing is looked up. */
async function unknownLabel(): Promise<Label> {
  return { ...bottomLabel, secrecy: "private" };
}

function trustOf(state: State | null): (workspace: string, path: string) => Promise<boolean> {
  return state === null ? async () => false : makeFolderTrust(state.trustedFolders).isTrusted;
}
