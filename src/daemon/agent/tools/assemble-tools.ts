import { type ActuatorRegistry, openActuatorRegistry } from "../../../act/actuators.ts";
import { builtInActuators } from "../../../act/built-in-actuators.ts";
import type { FilePorts } from "../../../act/files/file-ports.ts";
import { countingLoss } from "../../../act/loss/counting-loss.ts";
import { type ActionPreparer, openActionPreparer } from "../../../act/prepare.ts";
import type { PreparerParts, PrivateTextPort } from "../../../act/preparer-parts.ts";
import type { Sandbox } from "../../../act/sandbox/bubblewrap.ts";
import type { JailThreads } from "../../../act/sandbox/jail-threads.ts";
import { openReplSessions, type ReplSessions } from "../../../act/sandbox/repl-sessions.ts";
import { declaredPrograms } from "../../../act/shell/declared-programs.ts";
import { openGitOfOwner } from "../../../act/shell/git-of-owner.ts";
import type { NetworkPorts } from "../../../act/shell/network.ts";
import { openShellParser } from "../../../act/shell/parse.ts";
import type { ShellPorts } from "../../../act/shell/shell-ports.ts";
import { openTangledRecord } from "../../../act/tangle/tangled-record.ts";
import { makeChangeSettingTool } from "../../../act/tools/change-setting.ts";
import { makeEditCodeTool } from "../../../act/tools/code/edit-code.ts";
import { makeEvalTool } from "../../../act/tools/code/eval.ts";
import { makeReadCodeTool } from "../../../act/tools/code/read-code.ts";
import { makeReplTool } from "../../../act/tools/code/repl.ts";
import { makeTangleTool } from "../../../act/tools/code/tangle.ts";
import { makeDelegateTool } from "../../../act/tools/delegate.ts";
import { makeFetchUrlTool } from "../../../act/tools/fetch-url.ts";
import { makeEditFileTool } from "../../../act/tools/files/edit-file.ts";
import { makeListFilesTool } from "../../../act/tools/files/list-files.ts";
import { makeReadFileTool } from "../../../act/tools/files/read-file.ts";
import { makeSearchFilesTool } from "../../../act/tools/files/search-files.ts";
import { makeWriteFileTool } from "../../../act/tools/files/write-file.ts";
import { makeListModelsTool } from "../../../act/tools/list-models.ts";
import { makeAgendaTool } from "../../../act/tools/notes/agenda.ts";
import { type BacklinksPorts, makeBacklinksTool } from "../../../act/tools/notes/backlinks.ts";
import { makeEditNotesTool } from "../../../act/tools/notes/edit-notes.ts";
import type { AgendaPorts } from "../../../act/tools/notes/prepare-agenda.ts";
import type { EditNotesPorts } from "../../../act/tools/notes/prepare-edit-notes.ts";
import type { RememberPorts } from "../../../act/tools/notes/prepare-remember.ts";
import type { ReviewPorts } from "../../../act/tools/notes/prepare-review.ts";
import { makeRecallTool, type RecallPorts } from "../../../act/tools/notes/recall.ts";
import { makeRememberTool } from "../../../act/tools/notes/remember.ts";
import { makeReviewTool } from "../../../act/tools/notes/review.ts";
import type { DelegatePorts } from "../../../act/tools/prepare-delegate.ts";
import type { ProposePlanPorts } from "../../../act/tools/prepare-propose-plan.ts";
import { makeAllowStepsTool, makeProposePlanTool } from "../../../act/tools/propose-plan.ts";
import { makeReadResultTool } from "../../../act/tools/read-result.ts";
import { makeInstallTool } from "../../../act/tools/shell/install-program.ts";
import { makeShellTool } from "../../../act/tools/shell/shell.ts";
import { makeTerminalTool } from "../../../act/tools/shell/terminal.ts";
import { resolveHost } from "../../../act/web/send-request.ts";
import { openSetupFilesOfAny } from "../../../memory/notes/folder/setup-files.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { Source } from "../../../signal/signal.ts";
import type { Tool } from "../../../signal/tool.ts";
import { listKnownModels } from "../models/list-known-models.ts";
import { type DoorChannels, openDoorChannels } from "../resources/door-channels.ts";
import type { FolderSkills } from "../resources/folder-skills.ts";
import type { OwnSkills } from "../resources/open-own-skills.ts";
import { type OwnBuiltInSkills, openBuiltInSkills } from "../skills/open-built-in-skills.ts";
import { skillParts } from "../skills/skill-parts.ts";
import { clientActuators, doorActuators } from "./client-actuators.ts";
import type { ExternalTools } from "./external-tools.ts";
import { joinExternal, type OpenExternal } from "./join-external.ts";
import { makeStepJudge } from "./judge-plan-step.ts";
import { labelWrittenIn, makeNameLabels } from "./label-lazily.ts";
import type { LeftOutTools } from "./left-out-tools.ts";
import { openSecretObjects } from "./open-secret-objects.ts";
import { type LabelOfTree, makeTreeLabels } from "./tree-labels.ts";

/** What the tools need of memory and of the machine. `resolve: false` is for judging only: no address is looked up. */
export type ToolPorts = {
  readonly origins: FilePorts["origins"];
  readonly keepPreImage: FilePorts["keepPreImage"];
  readonly planPreImage: FilePorts["planPreImage"];
  readonly buffers?: FilePorts["buffers"];
  readonly isTrusted: FilePorts["isTrusted"];
  readonly privateText: PrivateTextPort;
  readonly labelOfHistory?: ShellPorts["labelOfHistory"];
  readonly keepObject: RememberPorts["keepObject"];
  readonly search: RecallPorts["search"];
  readonly backlinks?: BacklinksPorts["backlinks"];
  readonly lostNotes: PreparerParts["lostNotes"];
  readonly isPlaceGone?: PreparerParts["isPlaceGone"];
  readonly fileOfNode: EditNotesPorts["fileOfNode"];
  readonly incomplete?: RecallPorts["incomplete"];
  readonly stampsFor?: AgendaPorts["stampsFor"];
  /** What of the agent itself waits for its owner, as lines, by the budget of a day in dollars. */
  readonly ownItems?: (budgetPerDay: number) => Promise<string>;
  /** Shows words to the clients that a session has on a channel; false where there are none. */
  readonly tell: (session: string, channel: Source, text: string) => boolean;
  /** Left out where actions are only judged. */
  readonly doors?: DoorChannels;
  readonly sandbox: Sandbox | null;
  readonly jails: JailThreads;
  /** Left out where the tools of skills are not needed. */
  readonly skills?: Pick<OwnSkills, "inForce" | "call" | "askGates" | "refresh" | "missing">;
  /** The skills of folders. Left out where actions are only judged. */
  readonly folderSkills?: Pick<FolderSkills, "inForce">;
  readonly overlays?: ShellPorts["overlays"];
  readonly terminals?: ShellPorts["terminals"];
  readonly askHidden?: ShellPorts["askHidden"];
  /** The sessions of code in the jail. Left out where actions are only judged. */
  readonly repls?: ReplSessions;
  readonly clock: () => number;
  readonly resolve: boolean;
  /** Keeps a record of each connection of a command. */
  readonly recordConnection: NetworkPorts["record"];
  readonly guards?: ShellPorts["guards"];
  /** Opens the tools of servers beside those of this program, which it gets by name. Left out where actions are only judged. */
  readonly openExternal?: OpenExternal;
  /** Left out where actions are only judged. */
  readonly review?: Omit<ReviewPorts, keyof FilePorts>;
  /** Left out where actions are only judged. */
  readonly runSubTasks?: DelegatePorts["run"];
  /** Left out where actions are only judged. */
  readonly keepPlan?: ProposePlanPorts["keepPlan"];
};

/** The tools and actuators, with what prepares their actions. */
export type AssembledTools = {
  readonly acting: ActionPreparer;
  /** Where doors register theirs. */
  readonly actuators: ActuatorRegistry;
  /** Null where there are none. */
  readonly external: ExternalTools | null;
  readonly builtIn: OwnBuiltInSkills;
  /** The tool that gives the skills of folders. It can be called only where there is one. */
  readonly useSkill: Tool;
  readonly leftOut: LeftOutTools;
};

/** The built-in tools and actuators, as plain lists, joined to what they need. */
export function assembleTools(policy: Policy, ports: ToolPorts): AssembledTools {
  const { config, folders } = policy;
  const late: LateTools = { toolNames: async () => [], services: async () => [] };
  const labelOfRead = makeTreeLabels(filePorts(policy, ports));
  const own = makeTools(policy, ports, {
    labelOfRead,
    toolNames: (workspace) => late.toolNames(workspace),
    services: (workspace) => late.services(workspace),
  });
  const losing = { ...ports, home: folders.home, mask: policy.mask };
  const tools = own.map((tool) => countingLoss(tool, losing));
  const actuators = openActuatorRegistry(
    [...clientActuators(ports.tell), ...builtInActuators],
    tools.map(({ name }) => name),
  );
  actuators.register(doorActuators(ports.doors ?? openDoorChannels(policy)));
  const { external, useSkill, leftOut, externalTools } = joinExternal(ports, tools, {
    labelOfTree: labelOfRead,
    labelWritten: labelWrittenIn(filePorts(policy, ports)),
  });
  late.services = async (workspace) => (await external?.in(workspace)) ?? [];
  const builtIn = openBuiltInSkills(policy.skillBook);
  const acting = openActionPreparer({
    tools,
    externalTools,
    actuators,
    folders,
    lostNotes: ports.lostNotes,
    isPlaceGone: ports.isPlaceGone,
    labelOfNames: makeNameLabels(filePorts(policy, ports)),
    scan: policy.scan,
    privateText: ports.privateText,
    sandbox: ports.sandbox !== null,
    needsFolder: ports.resolve,
    healthy: () => policy.failedCanaries().length === 0 && (ports.skills?.missing() ?? []).length === 0,
    ...(ports.skills === undefined ? {} : skillParts(ports.skills, { tools, actuators }, config.permissions)),
    permissions: config.permissions,
    isDisabled: builtIn.isDisabled,
    defaultActuator: config.defaultActuator,
    silentActuators: config.silentActuators,
  });
  late.toolNames = async (workspace) => {
    const others = (await external?.in(workspace)) ?? [];
    const allowed = others.filter(({ permission }) => permission !== "deny");
    return [...acting.declarations(), ...allowed].map(({ name }) => name);
  };
  return { acting, actuators, external, builtIn, useSkill, leftOut };
}

/** What is known once all tools are. */
type LateTools = {
  toolNames: DelegatePorts["toolNames"];
  services: ProposePlanPorts["services"];
};

/** The built-in tools, a line each. */
function makeTools(
  policy: Policy,
  ports: ToolPorts,
  { toolNames, services, labelOfRead }: LateTools & { readonly labelOfRead: LabelOfTree },
): readonly Tool[] {
  const { config, folders } = policy;
  const files = filePorts(policy, ports);
  const programFolders = declaredPrograms(policy, labelOfRead);
  const shellPorts = { ...assembleShell(policy, ports, files), labelOfRead, programFolders };
  const shell = makeShellTool(shellPorts);
  const fetchUrl = makeFetchUrlTool({ resolveHost: ports.resolve ? resolveHost : null });
  const readFile = makeReadFileTool(files);
  const plans: ProposePlanPorts = {
    tools: { shell, fetchUrl, readFile },
    home: folders.home,
    isSecretPath: policy.isSecretPath,
    services,
    tellsOfServices: false,
    judgeStep: makeStepJudge(policy, ports.sandbox !== null),
    mask: policy.mask,
    keepPlan: ports.keepPlan ?? (async () => undefined),
    clock: ports.clock,
  };
  const stampsFor = ports.stampsFor ?? (async () => []);
  return [
    readFile,
    makeWriteFileTool(files),
    makeEditFileTool(files),
    makeReadCodeTool(files),
    makeEditCodeTool(files),
    makeTangleTool({ ...files, record: openTangledRecord(policy.config.places.state) }),
    makeEditNotesTool({ ...files, ...ports, settingsOf: settingsOfNotes(policy) }),
    makeListFilesTool(files),
    makeSearchFilesTool(files),
    shell,
    makeTerminalTool(shellPorts),
    makeInstallTool({ ...shellPorts, shell, resolve: ports.resolve }),
    makeEvalTool({ threads: ports.jails }),
    makeReplTool({ ...files, repls: ports.repls ?? openReplSessions(ports.jails) }),
    fetchUrl,
    makeRememberTool({ ...files, clock: ports.clock, keepObject: ports.keepObject }),
    makeRecallTool(ports),
    makeReadResultTool(),
    makeBacklinksTool({ ...ports, backlinks: ports.backlinks ?? (async () => []) }),
    makeAgendaTool({ ...ports, stampsFor, waiting: () => waitingFor(policy, ports) }),
    makeProposePlanTool(plans),
    makeAllowStepsTool(plans),
    ...(ports.review === undefined ? [] : [makeReviewTool({ ...files, ...ports.review })]),
    makeChangeSettingTool({ prepareSetting: policy.settings.prepare }),
    makeListModelsTool({ knownModels: (about) => listKnownModels(config, policy.cascade().order, about) }),
    makeDelegateTool({
      mostDepth: config.subTaskDepth,
      mostCalls: config.depthLimitUnattended,
      perTurn: config.budgetPerTurn * 1_000_000,
      home: folders.home,
      toolNames,
      ...(ports.runSubTasks === undefined ? {} : { run: ports.runSubTasks }),
    }),
  ];
}

/** What the agent itself has on the owner's agenda. */
async function waitingFor({ config }: Policy, ports: ToolPorts): Promise<string> {
  return (await ports.ownItems?.(config.budgetPerDay)) ?? "";
}

function filePorts({ folders, isSecretPath }: Policy, ports: ToolPorts): FilePorts {
  const { origins, keepPreImage, planPreImage, isTrusted, fileOfNode, buffers } = ports;
  return { folders, isSecretPath, origins, keepPreImage, planPreImage, isTrusted, fileOfNode, buffers };
}

/** What is set for a note outside of it. */
function settingsOfNotes({ config, notesPlace }: Policy): EditNotesPorts["settingsOf"] {
  return async (path) => ({ variables: config.org, readSetup: openSetupFilesOfAny(path, notesPlace).read });
}

function assembleShell(policy: Policy, ports: ToolPorts, files: FilePorts): ShellPorts {
  const { config, folders } = policy;
  return {
    parser: openShellParser(async () =>
      (await import("../../../act/shell/load-bash-grammar.ts")).loadBashGrammar(),
    ),
    sandbox: ports.sandbox,
    isSecretPath: policy.isSecretPath,
    hidden: folders.own,
    locked: folders.readable ?? [],
    home: folders.home,
    gitOfOwner: openGitOfOwner({ home: folders.home, folder: config.places.runtime }),
    searchPath: policy.searchPath,
    mask: policy.mask,
    timeoutMilliseconds: config.shellTimeout,
    outputCharacters: config.shellOutputLimit,
    resolve: ports.resolve,
    tries: config.trials,
    ...(ports.overlays === undefined ? {} : { overlays: ports.overlays }),
    ...(ports.terminals === undefined ? {} : { terminals: ports.terminals }),
    ...(ports.askHidden === undefined ? {} : { askHidden: ports.askHidden }),
    ...(ports.guards === undefined ? {} : { guards: ports.guards }),
    ...(ports.labelOfHistory === undefined ? {} : { labelOfHistory: ports.labelOfHistory }),
    network: {
      folder: config.places.runtime,
      resolveHost,
      record: ports.recordConnection,
      credentials: {
        list: () => [...config.vault.status().bindings].map(([name, bound]) => ({ name, ...bound })),
        read: config.vault.read,
        makeMask: policy.makeByteMask,
      },
    },
    ...openSecretObjects(policy),
    labelWritten: labelWrittenIn(files),
    labelOfNames: makeNameLabels(files),
  };
}
