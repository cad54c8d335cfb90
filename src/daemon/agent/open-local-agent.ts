import { randomUUID } from "node:crypto";
import { findSandbox } from "../../act/sandbox/bubblewrap.ts";
import { locateJailWorker } from "../../act/sandbox/jail.ts";
import { openJailThreads } from "../../act/sandbox/jail-threads.ts";
import { wait } from "../../machine/wait.ts";
import { openOwnNotes } from "../../memory/notes/open-own-notes.ts";
import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import { bottomLabel, joinLabels } from "../../signal/label.ts";
import { pushAll } from "../../text/lists.ts";
import type { Loop } from "../../turn/turn-loop.ts";
import { makePolicyRecorder } from "../commands/record-policy.ts";
import type { AgentJobs } from "../jobs/agent-jobs.ts";
import { makeAgentInput } from "./agent-input.ts";
import { makeAgentQuestions } from "./agent-questions.ts";
import { makeAgentSessions } from "./agent-sessions.ts";
import { makeAgentVault } from "./agent-vault.ts";
import { buildLoop, setsFolder } from "./build-loop.ts";
import { describeSession } from "./describe-session.ts";
import { doorPorts } from "./door-ports.ts";
import { finishCutOff } from "./finish-cut-off.ts";
import { openOwnJobs } from "./jobs/open-own-jobs.ts";
import type { AgentStart, LocalAgent } from "./local-agent.ts";
import { makeUpkeep } from "./make-upkeep.ts";
import { nearestIn, openOwnSemanticIndex } from "./models/open-own-semantic-index.ts";
import { openOrders } from "./prompt/open-orders.ts";
import { readCommandsFile } from "./prompt/read-own-commands.ts";
import { openQuestionsFile, type QuestionsFile } from "./questions/questions-file.ts";
import { removePartialWrites } from "./remove-partial-writes.ts";
import { openDoorChannels } from "./resources/door-channels.ts";
import { openFolderSkills } from "./resources/folder-skills.ts";
import { guardState } from "./resources/guard-state.ts";
import { type HiddenPrompts, openHiddenPrompts } from "./resources/hidden-prompts.ts";
import { makeJournalPort } from "./resources/journal-port.ts";
import { labelRulesOf, makePreparedLabel } from "./resources/label-rules.ts";
import type { LoopResources } from "./resources/loop-resources.ts";
import { openEditors } from "./resources/open-editors.ts";
import { openOwnSkills, skillMemory } from "./resources/open-own-skills.ts";
import { openKnownPrivateText } from "./resources/private-passages.ts";
import { openSessionPrograms } from "./resources/session-programs.ts";
import { takeWorkspace, workspaceNotice } from "./resources/take-workspace.ts";
import { openUntold, untoldPorts } from "./resources/untold.ts";
import { openReviewInbox, type ReviewInbox } from "./review/review-inbox.ts";
import {
  judgeNotices,
  lostNotices,
  missingSkills,
  noSandboxNotice,
  settingNotices,
} from "./start-notices.ts";
import { takeBackOfKilledLines } from "./take-back-of-killed-lines.ts";
import { makeMemoryPorts } from "./tools/memory-ports.ts";
import { tellUpdate } from "./update-notice.ts";
import { compactUnlessPaused } from "./upkeep/upkeep-of-agent.ts";

/** What the agent is opened with. */
export type LocalAgentParts = {
  readonly start: AgentStart;
  readonly policy: Policy;
  /** Opened for writing; the agent closes it. */
  readonly state: State;
  /** The folder that sessions of this process work in; null where only clients bring theirs. */
  readonly folder: string | null;
  /** Checks the health of the agent where its jobs run; left out where they do not. */
  readonly pollHealth?: LoopResources["pollHealth"];
  /** Told how far the start is, where it takes long. Default: the warnings of the start. */
  readonly tellStart?: (text: string) => void;
};

/** Opens the agent on this user's state in this process, and resumes what a former process left. */
export async function openLocalAgent(parts: LocalAgentParts): Promise<LocalAgent> {
  const { policy, folder, start } = parts;
  const guarded = await guardState(parts.state, policy.config.places.state);
  const { state } = guarded;
  const notices = [...settingNotices(policy, start.environment["TZ"]), ...state.reports];
  const resources = await openResources(parts, state, notices);
  const workspace = folder === null ? null : takeWorkspace(folder, policy.folders.home);
  if (folder !== null && workspace === null) notices.push(workspaceNotice(folder));
  await resources.skills.refresh();
  pushAll(notices, [...(await lostNotices(policy)), ...missingSkills(resources.skills.missing())]);
  const questions = openQuestionsFile(resources);
  const { loop, jobs, review } = buildLoopAndJobs(resources, questions);
  await resources.recordPolicy();
  const news = await tellUpdate(state.startedVersion, start.version);
  if (news !== null) notices.push(news);
  const { untold } = resources;
  const recovered = await recoverWork(resources, { ...parts, loop });
  const hasModel = (): boolean => policy.cascade().order.length > 0;
  const describing = { state, untold, hasModel, filter: policy.filter, orders: resources.orders };
  return {
    notices,
    recovered,
    ...untoldPorts(untold),
    ...doorPorts(resources),
    daemonVersion: null,
    describeSession: (session) => describeSession(describing, session),
    ...makeAgentInput({
      privacyTags: policy.config.privacyTags,
      loop,
      guarded,
      requests: state.requests,
      clock: resources.clock,
      ownCommands: resources.ownCommands,
      skills: { ...resources.skills, hasCommand: (name, session) => hasCommand(resources, name, session) },
    }),
    ...makeAgentQuestions({ state, policy, filter: policy.filter }),
    ...makeAgentSessions({ ...resources, workspace, journal: makeJournalPort(state) }),
    ...makeUpkeep(resources, { loop, jobs, guarded, questions }),
    review,
    takeSnapshot: async (note) => String((await state.objects.snapshot(note)).id),
    findNearest: nearestIn(resources),
    recordEvent: (event, session) => makeJournalPort(state)({ kind: "note", session, detail: { event } }),
    ...makeAgentVault(policy.config, (event) => makeJournalPort(state)({ kind: "note", detail: { event } })),
    ...clientPorts(resources),
    recordPolicy: () => resources.recordPolicy(),
    isStateIntact: guarded.isIntact,
    stateGone: guarded.gone,
    report: resources.report,
    newId: randomUUID,
    now: resources.clock,
    subscribe: loop.subscribe,
    whenSettled: loop.whenSettled,
    whenIdle: loop.whenIdle,
    pauseTurns: loop.pauseTurns,
    stop: loop.stop,
  };
}

type Recovering = Pick<LocalAgentParts, "start" | "tellStart"> & { readonly loop: Loop };

/** Finishes, takes back or resumes what a former process was killed in. Gives what the owner must be told. */
async function recoverWork(
  resources: LoopResources,
  { loop, start, tellStart = start.warn }: Recovering,
): Promise<readonly string[]> {
  const { state, policy } = resources;
  const ended = (await state.endRestored()).map((what) => `Ended by the restore of a backup: ${what}.`);
  await removePartialWrites(state);
  const killedLines = await takeBackOfKilledLines(state, setsFolder(policy), (text) => tellStart?.(text));
  await compactUnlessPaused(state);
  await state.diskReserve.refill();
  const cutOff = await finishCutOff(resources);
  const recovered = [...ended, ...killedLines.notes, ...cutOff, ...(await loop.resume(killedLines.partly))];
  await resources.untold.add(recovered);
  return recovered;
}

/** What clients tell of their owner's terminal and of buffers. */
function clientPorts({
  hiddenPrompts,
  programs,
  editors,
}: LoopResources): Omit<HiddenPrompts, "ask"> & Pick<LocalAgent, "tellSize" | "runsPrograms" | "editors"> {
  return { ...hiddenPrompts, editors, tellSize: programs.tellSize, runsPrograms: () => !programs.isIdle() };
}

/** Whether a skill has the command, or is named so and may be used in the session. */
async function hasCommand(
  { skills, folderSkills, state }: LoopResources,
  name: string,
  session: string,
): Promise<boolean> {
  if (skills.commands().some((command) => command.name === name)) return true;
  const usable = await folderSkills.inForce((await state.sessions.get(session))?.workspace ?? null);
  return usable.some((skill) => skill.name === name);
}

/** The jobs run turns of the loop, and the loop's commands are about the jobs. */
function buildLoopAndJobs(
  resources: LoopResources,
  questions: QuestionsFile,
): {
  readonly loop: Loop;
  readonly jobs: AgentJobs;
  readonly review: ReviewInbox;
} {
  const late: { loop: Loop | null } = { loop: null };
  const loopOf = (): Loop => {
    if (late.loop === null) throw new Error("a job ran before the loop was built");
    return late.loop;
  };
  const review = openReviewInbox(resources, loopOf);
  const jobs = openOwnJobs(resources, review, loopOf);
  const loop = buildLoop(resources, {
    ...jobs,
    proposeArchiving: async (what) =>
      (await import("./upkeep/archive-trees.ts")).proposeArchiving(resources, review, what),
    forgotten: questions.settle,
    draftSkill: async (request) =>
      (await import("./skills/draft-skill.ts")).draftSkill({ ...resources, loop: loopOf() }, request),
  });
  late.loop = loop;
  loop.subscribe(questions.observe);
  return { loop, jobs, review };
}

/** Opens what the loop is built from, and notices what is missing. */
async function openResources(
  { start, policy, folder, pollHealth = async () => null }: LocalAgentParts,
  state: State,
  notices: string[],
): Promise<LoopResources> {
  const clock = Date.now;
  const report = (message: string): void =>
    start.warn === undefined ? void notices.push(message) : start.warn(message);
  const sandbox = await (start.findSandbox ?? findSandbox)();
  pushAll(notices, [...(sandbox === null ? [noSandboxNotice()] : []), ...judgeNotices(policy)]);
  const notes = openOwnNotes({
    ...policy.notesPlace,
    agendaFiles: policy.config.agendaFiles,
    stateFolder: policy.config.places.state,
    privacyTags: policy.config.privacyTags,
    originsOf: state.origins.of,
    isProgramFile: policy.isProgramFile,
    report,
    serving: folder === null,
  });
  const jails = openJailThreads(locateJailWorker(), start.interpreter);
  const journal = makeJournalPort(state);
  const privateText = openKnownPrivateText({ state, notes, policy, report });
  const indexed = { policy, privateText, state, notes };
  const semanticIndex = await openOwnSemanticIndex({ ...indexed, clock, report, journal });
  const hiddenPrompts = openHiddenPrompts(policy.typedSecrets, journal);
  const { privacyTags } = policy.config;
  const { origins } = makeMemoryPorts({ state, notes, privateText, semanticIndex, privacyTags });
  const orders = openOrders({ state, policy }, async (path, digest, bytes) =>
    joinLabels(await origins.inside(path, digest, bytes), (await origins.of([digest])) ?? bottomLabel),
  );
  return {
    policy,
    state,
    notes,
    privateText,
    semanticIndex,
    sandbox,
    jails,
    programs: openSessionPrograms(jails, report),
    hiddenPrompts,
    editors: openEditors(clock, wait),
    skills: openOwnSkills({ policy, jails, report, ...skillMemory(state, policy) }),
    ...openPrepared({ policy, state, report }, orders),
    orders,
    shownNotes: new Map(),
    clock,
    recordPolicy: makePolicyRecorder({ state, policy, journal }),
    version: start.version,
    pollHealth,
    report,
    untold: openUntold(state.untold),
    doors: openDoorChannels(policy),
  };
}

/** Opens what the owner prepares in files: skills that are folders, and commands. */
function openPrepared(
  { policy, state, report }: Pick<LoopResources, "policy" | "state" | "report">,
  orders: LoopResources["orders"],
): Pick<LoopResources, "folderSkills" | "ownCommands"> {
  const rules = labelRulesOf({ policy, state });
  const { configuration } = policy.config.places;
  return {
    folderSkills: openFolderSkills({
      home: policy.folders.home,
      book: policy.skillBook,
      labelText: makePreparedLabel(rules),
      orders,
    }),
    ownCommands: () => readCommandsFile({ configuration, rules, report }),
  };
}
