import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { KeepPreImage } from "../../act/files/replace.ts";
import { type CommandOverlays, openCommandOverlays } from "../../act/trial/command-overlays.ts";
import { makeWrittenFiles } from "../../act/trial/written-by-agent.ts";
import { wait } from "../../machine/wait.ts";
import { findLostNotes } from "../../memory/notes/open-own-notes.ts";
import type { Policy } from "../../settings/policy.ts";
import { formatResult } from "../../shown/format-result.ts";
import type { FileChange } from "../../signal/tool.ts";
import type { Turn } from "../../signal/turn.ts";
import { describeError } from "../../text/describe-error.ts";
import type { FileLocks } from "../../turn/file-locks.ts";
import { journalEndedPlans } from "../../turn/journal-ended-plans.ts";
import { fallbackAnswer, type Recover, recoverWith } from "../../turn/recovery-handlers.ts";
import type { RunOtherCommand } from "../../turn/run-loop-command.ts";
import { type Loop, openLoop } from "../../turn/turn-loop.ts";
import type { ConfigParts } from "../commands/config-commands.ts";
import { makeFolderTrust } from "../commands/folder-trust.ts";
import { makePreImageKeeper, makePreImagePlanner } from "../commands/keep-pre-image.ts";
import type { UndoParts } from "../commands/undo-request.ts";
import { buildThink, typedCommand } from "./build-think.ts";
import { depthLimitOf } from "./depth-limit.ts";
import { makeLookups } from "./jobs/derived-lookups.ts";
import { makeJobPorts, type OwnJobs } from "./jobs/job-ports.ts";
import { makeJudgeTelling } from "./judge-telling.ts";
import { licensing } from "./licensing.ts";
import { lookUpProviders } from "./look-up-providers.ts";
import { type CallerParts, callerOfTurn } from "./models/caller-of-turn.ts";
import { makeOrderNotice, type OrderNotice } from "./models/order-notice.ts";
import { makeTakeCalls } from "./models/take-calls.ts";
import { makeContactsReader } from "./prompt/contacts-reader.ts";
import { type RecentVerdicts, rememberVerdicts } from "./prompt/recent-verdicts.ts";
import { openFileLocks } from "./resources/file-locks.ts";
import { makeJournalPort } from "./resources/journal-port.ts";
import type { LoopResources } from "./resources/loop-resources.ts";
import { makeFindLostRight } from "./resources/lost-right.ts";
import { makeReviewPorts } from "./review/review-ports.ts";
import { settleAfter } from "./settle-after.ts";
import { listedAbilities } from "./skills/listed-abilities.ts";
import { lookAtFiles } from "./skills/look-at-files.ts";
import { recoveryHandlersOf } from "./skills/skill-recovery.ts";
import { type AssembledTools, assembleTools } from "./tools/assemble-tools.ts";
import { endTrials } from "./tools/end-trials.ts";
import { externalParts } from "./tools/external-parts.ts";
import { openExternalTools } from "./tools/external-tools.ts";
import { makeMemoryPorts } from "./tools/memory-ports.ts";
import { makeOwnerReading } from "./tools/owner-reading.ts";
import { recordConnections } from "./tools/record-connections.ts";

/** The loop, for parts that are built before it and use it only once it runs. */
type LateLoop = { loop: Loop | null };

/** Joins the stages into a loop: every power that one stage needs of another is passed here. */
export function buildLoop(resources: LoopResources, ownJobs: OwnJobs): Loop {
  const { policy, state, clock, report, recordPolicy, programs } = resources;
  const late: LateLoop = { loop: null };
  const journal = makeJournalPort(state);
  const undo = buildUndo(resources);
  const keepPreImage = makePreImageKeeper(state, policy, "within-budget");
  const overlays = openCommandOverlays(setsFolder(policy), state.changes);
  const { settleReflexes: settled, forgotten } = ownJobs;
  const tools = buildTools(resources, { keepPreImage, overlays, late, settled });
  const judgeTelling = makeJudgeTelling({ policy, sessions: state.sessions });
  const locks = buildFileLocks(resources, keepPreImage, late);
  const verdicts = rememberVerdicts();
  const stopTurn = async (turn: string): Promise<void> => void (await late.loop?.stopTurn(turn));
  const jobs = makeJobPorts(resources, tools.acting, { ...ownJobs, stopTurn });
  ownJobs.judgeBy(jobs.judgeAhead);
  const callerOf = buildCallerOf(resources, overlays);
  const orderNotice = makeOrderNotice(policy.config.cascade, policy.cascade);
  const owner = { undo, forgotten, locks, verdicts, jobs: { ...jobs, ...programs }, tools, orderNotice };
  const loop = openLoop({
    state,
    journal,
    locks,
    clock,
    wait,
    newId: randomUUID,
    ...buildThink({ ...resources, tools, journal, judgeTelling, callerOf, orderNotice }),
    callerOf,
    prepare: tools.acting.prepare,
    isMessageActuator: tools.acting.isMessageActuator,
    isSilent: tools.acting.isSilent,
    labelOfOutcome: resources.privateText.labelOfOutcome,
    judge: policy.judge,
    gateCount: policy.gateCount,
    policyInForce: policy.inForce,
    recordPolicy,
    takeCalls: makeTakeCalls(resources),
    stepAllowing: async (session, call) =>
      (await import("./jobs/step-allowing.ts")).findStepAllowing({ policy, ...jobs }, session, call),
    ...licensing(resources),
    judgeTelling,
    endPrograms: programs.endPrograms,
    filter: policy.filter,
    makeFilter: policy.makeFilter,
    maskKeys: policy.maskKeys,
    formatResult: (result) => formatResult(result, policy.folders.home),
    ...lookAtFiles(resources),
    snapshot: async (turn) => void (await state.objects.snapshot(turn.id)),
    recover: buildRecovery(resources),
    ...revertWith(undo),
    typedCommand,
    depthLimit: (signal) => depthLimitOf(signal, policy),
    approvalExpiry: policy.config.approvalExpiry,
    limits: { repeats: policy.config.repeatLimit, denials: policy.config.denialLimit },
    command: settleAfter(buildOwnerCommands(resources, owner), settled),
    report,
  });
  late.loop = loop;
  loop.subscribe(verdicts.observe);
  return endTrials(loop, { ...tools, ...programs, ...policy, ...overlays, report });
}

/** The owner's own answer, then what skills say. */
function buildRecovery({ policy, skills, report }: LoopResources): Recover {
  const own = fallbackAnswer(policy.config.fallbackAnswer);
  return recoverWith(() => [own, ...recoveryHandlersOf(skills.inForce(), skills.call)], report);
}

/** What undoing needs, of the agent's own parts. */
export function buildUndo({ policy, state, editors }: LoopResources): UndoParts {
  return {
    state,
    buffers: editors.buffers,
    policy,
    journal: makeJournalPort(state),
    sets: setsFolder(policy),
    keepPreImage: makePreImageKeeper(state, policy, "always"),
  };
}

/** Where what commands displaced is kept. */
export const setsFolder = ({ config }: Policy): string => join(config.places.state, "commands");

/** Who calls the tools of a turn. */
function buildCallerOf(
  { notes, state, policy, skills, folderSkills, privateText }: LoopResources,
  overlays: CommandOverlays,
) {
  const contacts = makeContactsReader({ notes, state });
  const writtenFiles = makeWrittenFiles({ changes: state.changes, overlays });
  const labelNow: CallerParts["labelNow"] = (messages) => privateText.labelAgain(messages, true);
  const findLostRight = makeFindLostRight({ policy, state, skills });
  const parts = { contacts, writtenFiles, labelNow, findLostRight, skills: folderSkills.forCaller };
  return (turn: Turn, about?: { readonly withoutWords: boolean }) => callerOfTurn(state, parts, turn, about);
}

type ToolResources = {
  readonly keepPreImage: KeepPreImage;
  readonly overlays: CommandOverlays;
  readonly late: LateLoop;
  /** Called once the owner decided about a proposal. */
  readonly settled: () => Promise<void>;
};

function buildTools(
  resources: LoopResources,
  { keepPreImage, overlays, late, settled }: ToolResources,
): AssembledTools {
  const { policy, state, notes, privateText, semanticIndex, sandbox, jails, skills, folderSkills, clock } =
    resources;
  return assembleTools(policy, {
    ...makeMemoryPorts({
      state,
      notes,
      privateText,
      semanticIndex,
      privacyTags: policy.config.privacyTags,
    }),
    privateText,
    labelOfHistory: privateText.labelOfHistory,
    keepPreImage,
    lostNotes: (folder) => notes.countLost(folder),
    planPreImage: makePreImagePlanner(state),
    buffers: resources.editors.buffers,
    isTrusted: makeFolderTrust(state.trustedFolders).isTrusted,
    doors: resources.doors,
    tell: (session, channel, text) => late.loop?.tell(session, channel, text) ?? false,
    sandbox,
    jails,
    skills,
    folderSkills,
    overlays,
    ...resources.programs,
    askHidden: resources.hiddenPrompts.ask,
    clock,
    resolve: true,
    recordConnection: recordConnections(resources),
    guards: resources.state.keptGuards,
    keepPlan: state.flightPlans.keep,
    review: makeReviewPorts(state, policy.config, settled),
    runSubTasks: async (tasks, caller, cancel) => {
      const { loop } = late;
      if (loop === null) throw new Error("The loop is not open.");
      const { runSubTasks } = await import("./tools/run-sub-tasks.ts");
      return runSubTasks(
        { state, loop, clock, mostAtOnce: policy.config.subTasksAtOnce },
        { tasks, caller },
        cancel,
      );
    },
    openExternal: (...parts) => openExternalTools(externalParts(resources, ...parts)),
  });
}

function buildFileLocks(
  { policy, clock, report, editors }: LoopResources,
  keepPreImage: KeepPreImage,
  late: LateLoop,
): FileLocks {
  const changed = (): void => {
    late.loop
      ?.resumeDeferredEdits()
      .catch((error: unknown) => report(`Deferred edits could not be checked: ${describeError(error)}`));
  };
  editors.onChange(changed);
  return openFileLocks({ clock, keepPreImage, editors, folder: policy.config.places.state, changed });
}

/** Loaded when it is first needed: most processes end without a crash. */
function revertWith(undo: UndoParts) {
  const load = () => import("../commands/undo-turn.ts");
  return {
    revert: async (turn: Pick<Turn, "id" | "session">): Promise<readonly string[]> =>
      (await (await load()).revertTurn(undo, turn)).conflicts,
    revertChanges: async (
      turn: Pick<Turn, "id" | "session">,
      changes: readonly FileChange[],
    ): Promise<void> => (await load()).revertChanges(undo, turn, changes),
  };
}

type OwnerCommandResources = {
  readonly undo: UndoParts;
  readonly forgotten: OwnJobs["forgotten"];
  readonly locks: FileLocks;
  readonly verdicts: RecentVerdicts;
  readonly jobs: ReturnType<typeof makeJobPorts> & Pick<LoopResources["programs"], "endPrograms">;
  readonly tools: AssembledTools;
  readonly orderNotice: OrderNotice;
};

/** Loaded when the owner first commands something. */
function buildOwnerCommands(
  resources: LoopResources,
  { undo, forgotten, locks, verdicts, jobs, tools, orderNotice }: OwnerCommandResources,
): RunOtherCommand {
  const { notes, state, privateText, semanticIndex, recordPolicy, policy, version, shownNotes } = resources;
  const { config } = policy;
  const models = lookUpProviders(policy, resources);
  const shownChanges: ConfigParts["shownChanges"] = new Map();
  const reading = makeOwnerReading(resources, { ...tools.acting, journal: undo.journal, ...models });
  return async (command, signal) => {
    const { runOwnerCommand } = await import("../commands/owner-commands.ts");
    const reply = await runOwnerCommand(
      {
        ...undo,
        ...makeLookups({ notes, state, policy, jobs: jobs.jobs, home: policy.folders.home }),
        ...jobs,
        recordPolicy,
        ...reading,
        orders: resources.orders,
        journalEndedPlans: () => journalEndedPlans({ state, journal: undo.journal }),
        releaseTexts: privateText.release,
        forgetSetAside: locks.forgetSetAside,
        verdictsOf: verdicts.of,
        lostNotes: () => findLostNotes(policy.notesPlace, config.places.state),
        toolServers: async (workspace) => (await tools.external?.count(workspace)) ?? null,
        version,
        ...listedAbilities(resources),
        ownCommands: () => listOwnCommands(resources),
        ...models,
        tellOrder: orderNotice.ofChange,
        shownNotes: (session) => shownNotes.get(session) ?? { notes: 0, tokens: 0 },
        shownChanges,
      },
      command,
      signal,
    );
    if (forgetting.has(command.kind)) {
      await forgotten();
      // The vectors of what was forgotten are deleted now.
      semanticIndex?.startFilling();
    }
    return reply;
  };
}

async function listOwnCommands({ skills, ownCommands }: LoopResources) {
  return [...(await ownCommands()), ...skills.commands().map(({ name, help }) => ({ name, text: help }))];
}

const forgetting: ReadonlySet<string> = new Set(["forget", "forget-derived", "delete-session"]);
