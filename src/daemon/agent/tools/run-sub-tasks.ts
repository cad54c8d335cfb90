import type { PreparedSubTask } from "../../../act/tools/prepare-delegate.ts";
import type { State } from "../../../memory/state/state.ts";
import { callsUsedUp, needsOwner } from "../../../signal/jobs/call-caps.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { LoopEvent } from "../../../signal/loop-event.ts";
import { conversationLabel } from "../../../signal/message.ts";
import type { Signal } from "../../../signal/signal.ts";
import { placeOfSubTask, writeSubTask } from "../../../signal/sub-task.ts";
import type { Caller, Outcome } from "../../../signal/tool.ts";
import { isFinal, type Turn } from "../../../signal/turn.ts";
import { beginOf, shorten } from "../../../text/cut-text.ts";
import type { JsonObject } from "../../../text/json.ts";
import { leftRunning } from "../../../turn/run-call.ts";
import type { Loop } from "../../../turn/turn-loop.ts";

/** What running sub-tasks needs. */
export type RunSubTasksParts = {
  readonly state: Pick<State, "sessions" | "turns" | "outbox" | "subTasks">;
  readonly loop: Pick<Loop, "submit" | "whenSettled" | "subscribe" | "notice">;
  readonly clock: () => number;
  /** Sub-tasks of one call that run at the same time. */
  readonly mostAtOnce: number;
};

const longestAnswer = 20_000;
const shownWords = 60;

/** The report of a sub-task; null where the process closes before the sub-task ended. */
type Report = { readonly content: JsonObject; readonly label: Label } | null;

/**
 * Runs sub-tasks as turns in sessions of their own. Their answers have the labels of all that they read. The id of each follows from its call, so that a call
 * that is run again after a crash finds the turns that it began, and waits for them.
 */
export async function runSubTasks(
  parts: RunSubTasksParts,
  { tasks, caller }: { readonly tasks: readonly PreparedSubTask[]; readonly caller: Caller },
  cancel: AbortSignal,
): Promise<Outcome> {
  const reports = new Map<string, Report>();
  const waiting = [...tasks.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !cancel.aborted; next = waiting.shift()) {
      const [index, task] = next;
      const name = tasks.length === 1 ? "The sub-task" : `Sub-task ${index + 1} of ${tasks.length}`;
      reports.set(task.key, await runOne(parts, { task, caller, name }));
    }
  };
  await Promise.all(Array.from({ length: parts.mostAtOnce }, work));
  const found = tasks.map(({ key }) => reports.get(key) ?? null);
  const ended = found.filter((report) => report !== null);
  const label = joinAll(ended.map((report) => report.label));
  if (ended.length === found.length)
    return { status: "success", content: { answers: ended.map(({ content }) => content) }, label };
  return isClosing(cancel)
    ? { status: "error", code: leftRunning, message: "The agent was closing.", label }
    : { status: "error", code: "cancelled", message: "The sub-tasks were stopped.", label };
}

/** A process that closes leaves turns on the disk; the owner's own word ends them. */
function isClosing({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.message === "closing";
}

type Running = { readonly task: PreparedSubTask; readonly caller: Caller; readonly name: string };

async function runOne(parts: RunSubTasksParts, { task, caller, name }: Running): Promise<Report> {
  const { state, loop } = parts;
  const { workspace } = task.subTask;
  const opened = { name: `sub-task ${task.key}`, workspace, source: "system" } as const;
  const session = await state.sessions.open(opened);
  const unsubscribe = loop.subscribe(
    showProgress(parts, { session: session.id, to: caller.session, task, name }),
  );
  try {
    const submitted = await loop.submit(signalOf(task, session.id, { caller, at: parts.clock() }));
    if (submitted.kind !== "turn") return null;
    await loop.whenSettled(submitted.turn);
    const turn = await state.turns.get(submitted.turn);
    if (turn === null || !isFinal(turn.state)) return null;
    loop.notice(caller.session, `${name}: ${[turn.state, ...refusedIn(turn)].join(", ")}`);
    await state.outbox.markTurnDelivered(session.id, turn.id);
    const microdollars = await state.subTasks.spentBy(placeOfSubTask(task.subTask));
    return reportOf(turn, { task, name: session.name ?? session.id, microdollars });
  } finally {
    unsubscribe();
  }
}

/** Nobody said the words of a sub-task, so they allow nothing. */
function signalOf(
  { key, text, label, subTask }: PreparedSubTask,
  session: string,
  { caller, at }: { readonly caller: Caller; readonly at: number },
): Signal {
  const id = `sub-task/${key}`;
  return {
    id,
    clientId: id,
    sensor: "sub-task",
    session,
    source: caller.source,
    person: "nobody",
    text,
    payload: { text, subTask: writeSubTask(subTask) },
    depth: subTask.level,
    label,
    at,
  };
}

function reportOf(
  turn: Turn,
  {
    task,
    name,
    microdollars,
  }: { readonly task: PreparedSubTask; readonly name: string; readonly microdollars: number },
): Report {
  const refused = turn.messages.flatMap((message) =>
    message.role === "result" &&
    message.result.outcome.status === "error" &&
    message.result.outcome.code === needsOwner
      ? [`${message.result.tool}: ${message.result.outcome.message}`]
      : [],
  );
  const label = joinLabels(task.label, conversationLabel(turn.messages), {
    ...bottomLabel,
    integrity: "agent",
  });
  const isLong = turn.text.length > longestAnswer;
  return {
    content: {
      task: shortLine(task.text),
      state: turn.state,
      answer: isLong ? `${beginOf(turn.text, longestAnswer)}…` : turn.text,
      ...(refused.length === 0 ? {} : { "needs the owner": [...new Set(refused)] }),
      dollars: microdollars / 1_000_000,
      session: name,
    },
    label,
  };
}

/** Why calls of a sub-task are refused, as a person reads it. */
const whyRefused: ReadonlyMap<string, string> = new Map([
  [needsOwner, "it needs your yes"],
  [callsUsedUp, "its calls are used up"],
  ["blocked", "a gate blocks it"],
]);

/** The tools of which a call was refused, and no later one was made, each once with the reason. */
function refusedIn({ messages }: Turn): readonly string[] {
  const refused = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== "result") continue;
    const { tool, outcome } = message.result;
    const why = outcome.status === "error" ? whyRefused.get(outcome.code) : undefined;
    if (why !== undefined) refused.set(tool, `${tool} was refused: ${why}`);
    else if (outcome.status === "success") refused.delete(tool);
  }
  return [...refused.values()];
}

type Progress = {
  readonly session: string;
  readonly to: string;
  readonly task: PreparedSubTask;
  readonly name: string;
};

/** Tells the session that began a sub-task what it does, a line for each call. The words of the calls stay in its own session. */
function showProgress({ loop }: RunSubTasksParts, { session, to, task, name }: Progress) {
  const seen = { answers: 0 };
  /** A call that is judged again, as with a network, is told once. */
  const told = new Set<string>();
  return (event: LoopEvent): void => {
    if (event.session !== session) return;
    const say = (what: string): void => loop.notice(to, `${name}: ${what}`);
    if (event.type === "accepted") say(`began: ${shortLine(task.text)}`);
    if (event.type === "thinking" && event.text === "") seen.answers += 1;
    if (event.type !== "proposed") return;
    const call = `${seen.answers} ${event.call}`;
    if (told.has(call)) return;
    told.add(call);
    const { target, payload } = event.action;
    const tool = typeof payload["tool"] === "string" ? payload["tool"] : target;
    say(`${tool} (answer ${seen.answers} of at most ${task.subTask.calls})`);
  };
}

function shortLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return shorten(line, shownWords);
}
