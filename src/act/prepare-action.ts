import { sha256 } from "../machine/digest.ts";
import { folderIsGone } from "../shown/folder-is-gone.ts";
import type { Action, ActionFacts } from "../signal/action.ts";
import type { Effect } from "../signal/effect.ts";
import { type Facts, type Licence, type LostFolder, notesFolders, type Permission } from "../signal/facts.ts";
import { folderGone } from "../signal/jobs/refusal-codes.ts";
import { bottomLabel, joinAll, type Label } from "../signal/label.ts";
import type { Caller, Preparation, PreparedAction } from "../signal/tool.ts";
import { beginOf } from "../text/cut-text.ts";
import { describeError } from "../text/describe-error.ts";
import { isInside } from "../text/is-inside.ts";
import { canonicalJson } from "../text/json.ts";
import { makeArgumentLabeller } from "./argument-labeller.ts";
import { comparableSteps } from "./comparable-steps.ts";
import { errorCode } from "./files/fallible.ts";
import { identifyFolder, isRealFolder } from "./files/identify.ts";
import { findings, leaving } from "./findings.ts";
import { labelOfReason } from "./label-of-reason.ts";
import { prepareMessage } from "./prepare-message.ts";
import type { Preparer } from "./preparer-parts.ts";
import { labelOfQuoted, readProposal } from "./read-proposal.ts";
import { findUndeclared, type ResolvedAction } from "./resolve-action.ts";

/** Who asks for an action, and the licences that may discharge asks about it. */
export type PrepareRequest = { readonly caller: Caller; readonly licences: readonly Licence[] };

/** Resolves an action, lets its tool or actuator say what it would do, and gathers the facts. Never throws. */
export async function prepareAction(
  preparer: Preparer,
  proposed: Action,
  request: PrepareRequest,
): Promise<PreparedAction> {
  const refused = (code: string, message: string, label?: Label): PreparedAction => ({
    ok: false,
    action: proposed,
    code,
    message: mask(preparer, message),
    ...(label === undefined ? {} : { label }),
  });
  try {
    const { workspace } = request.caller;
    const moved = await folderProblem(request.caller);
    if (moved !== null) return refused("folder-moved", moved);
    const read = await readProposal(preparer, proposed, request.caller);
    if (!read.ok)
      return refused(read.code, read.message, await labelOfQuoted(preparer, proposed, request.caller));
    const { action, resolved, renamed, references } = read;
    const preparation = await prepareInPlace(resolved, request.caller, preparer.parts);
    const reasonLabel = await labelOfReason(
      { payload: action.payload, preparation, caller: request.caller },
      preparer.parts,
    );
    if (!preparation.ok) return refused(preparation.code, preparation.message, reasonLabel);
    const undeclared = findUndeclared(preparation.effects, resolved, request.caller);
    if (undeclared !== null) return refused("undeclared-effect", undeclared, reasonLabel);
    if (preparation.effects.some(({ kind }) => leaving.has(kind))) await preparer.parts.privateText.ready();
    const inspected: Inspected = {
      resolved,
      preparation,
      request,
      place: workspace === null ? null : await identifyFolder(workspace),
      lostFolders: await findLostFolders(preparation.effects, preparer.parts),
      action: { ...action, target: resolved.target },
      renamed,
      references,
      reasonLabel,
    };
    const facts = gatherFacts(preparer, inspected);
    const taught = (await preparer.parts.askTaughtGates?.(preparation.effects, facts)) ?? [];
    return prepared(preparer, inspected, taught.length === 0 ? facts : { ...facts, taught });
  } catch (error) {
    const message = `The action could not be prepared: ${beginOf(describeError(error), 500)}`;
    // A fault of the file system names what it was about, and nobody knows who made that name.
    return refused("prepare-failed", message, errorCode(error) === "" ? undefined : privateLabel);
  }
}

const privateLabel: Label = { ...bottomLabel, secrecy: "private" };

/** Why a sub-task cannot act in the folder that it was given, in words: a link, or nothing, has taken its place since. Null where it can. */
async function folderProblem({ subTask }: Caller): Promise<string | null> {
  const folder = subTask?.folder ?? null;
  if (folder === null || (await isRealFolder(folder))) return null;
  return `${folder} is no longer the folder that this sub-task was given: it is gone, or a link has taken its place. End the sub-task, and say so.`;
}

async function findLostFolders(
  effects: readonly Effect[],
  { folders, lostNotes }: Preparer["parts"],
): Promise<readonly LostFolder[]> {
  const lost: LostFolder[] = [];
  for (const folder of notesFolders(folders)) {
    const isWritten = effects.some(({ kind, target }) => kind === "write-path" && isInside(folder, target));
    const files = isWritten ? await lostNotes(folder) : null;
    if (files !== null) lost.push({ folder, files });
  }
  return lost;
}

/**
 * Prepares an action; where the folder of its session is gone, none that would work there, since it would
 * make another folder of that name.
 */
async function prepareInPlace(
  resolved: ResolvedAction,
  caller: Caller,
  { needsFolder = true, isPlaceGone }: Preparer["parts"],
): Promise<Preparation> {
  const { session, workspace } = caller;
  const isGone = async (folder: string): Promise<boolean> =>
    (await identifyFolder(folder)) === null || (await isPlaceGone?.(session, folder)) === true;
  if (!needsFolder || workspace === null || !(await isGone(workspace)))
    return prepareResolved(resolved, caller);
  const preparation = await prepareResolved(resolved, caller).catch(() => null);
  const worksThere = ({ kind, target }: Effect): boolean =>
    kind === "run-program" || isInside(workspace, target);
  if (preparation?.ok === true && !preparation.effects.some(worksThere)) return preparation;
  return {
    ok: false,
    code: folderGone,
    message: folderIsGone(workspace),
  };
}

async function prepareResolved(resolved: ResolvedAction, caller: Caller): Promise<Preparation> {
  const labelOf = makeArgumentLabeller(caller);
  if (resolved.kind === "tell") return prepareMessage(resolved, caller, labelOf);
  return await resolved.tool.prepare(resolved.args, caller, labelOf);
}

type Inspected = {
  readonly resolved: ResolvedAction;
  readonly preparation: Preparation & { readonly ok: true };
  readonly request: PrepareRequest;
  readonly action: Action;
  /** Names that were replaced in the proposal. */
  readonly renamed: readonly string[];
  /** Which arguments named a value of a result. */
  readonly references: readonly string[];
  /** The identity of the workspace: a yes is for this folder, not for another one that takes its path. */
  readonly place: string | null;
  readonly lostFolders: readonly LostFolder[];
  readonly reasonLabel: Label;
};

function prepared(preparer: Preparer, inspected: Inspected, facts: Facts): PreparedAction {
  const { action, resolved, place } = inspected;
  const { effects, plan, changes, preview, resultLabel, resultFields, run, ranFor, resumes, trial } =
    inspected.preparation;
  return {
    ok: true,
    action,
    tool: resolved.kind === "tool" ? resolved.tool.name : null,
    effects,
    facts,
    digest: sha256(canonicalJson({ target: action.target, payload: action.payload, plan, place })),
    comparable: comparableSteps(nameOf(resolved), inspected.preparation),
    changes,
    ...(preview === undefined ? {} : { preview }),
    resultLabel: joinAll([resultLabel, ...labelsOfSkills(effects, inspected.request.caller)]),
    reasonLabel: inspected.reasonLabel,
    ...(resultFields === undefined ? {} : { resultFields }),
    run: makeRun(preparer, resolved, run),
    ...(ranFor === undefined ? {} : { ranFor }),
    ...(resumes === undefined ? {} : { resumes }),
    ...(trial === undefined ? {} : { trial }),
  };
}

/** The labels of the skills whose folders are read: what stands in one file of a skill may have been made from another. */
function labelsOfSkills(effects: readonly Effect[], { skills }: Caller): readonly Label[] {
  return (skills?.folders ?? []).flatMap(({ path, label }) =>
    effects.some(({ kind, target }) => kind === "read-path" && isInside(path, target)) ? [label] : [],
  );
}

function makeRun(
  preparer: Preparer,
  resolved: ResolvedAction,
  run: (Preparation & { ok: true })["run"],
): (PreparedAction & { ok: true })["run"] {
  return async (cancel, view) => {
    const stopped = {
      status: "error",
      code: "cancelled",
      message: `${nameOf(resolved)} was stopped.`,
    } as const;
    if (cancel.aborted) return { ...stopped, message: `${nameOf(resolved)} was stopped before it began.` };
    try {
      return await run(cancel, view);
    } catch (error) {
      if (cancel.aborted) return stopped;
      return {
        status: "error",
        code: "tool-failed",
        message: mask(preparer, `${nameOf(resolved)} failed: ${beginOf(describeError(error), 500)}`),
      };
    }
  };
}

function gatherFacts(
  preparer: Preparer,
  { resolved, action, renamed, references, preparation, lostFolders, request }: Inspected,
): Facts {
  const { caller, licences } = request;
  const skillFolders = caller.skills?.folders ?? [];
  const tool = resolved.kind === "tool" ? resolved.tool : null;
  const { skill } = preparation;
  const reply = resolved.kind === "tell" && resolved.channel === caller.source;
  const facts: ActionFacts = {
    kind: reply ? "reply" : "proposal",
    target: action.target,
    tool: tool?.name ?? null,
    explanation: mask(preparer, action.explanation),
    problems: [],
    ...(renamed.length === 0 ? {} : { renamed: renamed.map((name) => mask(preparer, name)) }),
    ...(references.length === 0 ? {} : { references: references.map((name) => mask(preparer, name)) }),
    ...(skill === undefined ? {} : { skill: skill.origin }),
    ...((caller.skills?.narrowed ?? []).length === 0 ? {} : { narrowed: caller.skills?.narrowed ?? [] }),
  };
  return {
    action: facts,
    origin: {
      person: caller.person,
      source: caller.source,
      session: caller.session,
      startedBy: caller.startedBy,
    },
    permission: strictest(
      tool === null ? "allow" : preparer.permissionOf(tool),
      skill?.permission ?? "allow",
    ),
    folders: {
      ...preparer.parts.folders,
      workspace: caller.workspace,
      ...(skillFolders.length === 0 ? {} : { skills: skillFolders.map(({ path }) => path) }),
      ...(lostFolders.length === 0 ? {} : { lostFolders }),
    },
    sandbox: preparer.parts.sandbox,
    findings: findings(preparer, [action.payload, skill?.carries ?? null], preparation.effects),
    ...(preparation.flows === undefined ? {} : { flows: preparation.flows }),
    licences: [...licences, ...(preparation.licences ?? [])],
    healthy: preparer.parts.healthy(),
    ...limitsOfSubTask(caller),
  };
}

function limitsOfSubTask({ subTask }: Caller): Pick<Facts, "subTask"> {
  if (subTask === undefined) return {};
  const { tools, folder, workspace } = subTask;
  return { subTask: { tools, folder, workspace } };
}

const strictness: readonly Permission[] = ["allow", "ask", "deny"];

function strictest(one: Permission, other: Permission): Permission {
  return strictness.indexOf(one) > strictness.indexOf(other) ? one : other;
}

function mask(preparer: Preparer, text: string): string {
  const spans = preparer.parts.scan(text).toSorted((a, b) => a.start - b.start);
  let masked = "";
  let at = 0;
  for (const { rule, start, end } of spans) {
    if (end <= at) continue;
    masked += start < at ? "" : `${text.slice(at, start)}[masked: ${rule}]`;
    at = end;
  }
  return masked + text.slice(at);
}

function nameOf(resolved: ResolvedAction): string {
  return resolved.kind === "tool" ? `The tool '${resolved.tool.name}'` : `The message to ${resolved.channel}`;
}
