import { describeDoor, doorStatusOf, statusMark } from "../../doors/chat/door-status.ts";
import { nameOfSession } from "../../memory/state/name-of-session.ts";
import { readSpending } from "../../memory/state/spending.ts";
import { type ApprovalQuestion, formatQuestionFor } from "../../shown/approval-question.ts";
import { notTrusted } from "../../shown/session-description.ts";
import { nameOfModel } from "../../signal/model-route.ts";
import { describeRest, type ProviderRest } from "../../signal/provider-rest.ts";
import { describeSpending } from "../../signal/spending.ts";
import { subTaskOf } from "../../signal/sub-task.ts";
import type { Turn } from "../../signal/turn.ts";
import { beginOf } from "../../text/cut-text.ts";
import { escapeInvisible } from "../../text/escape-invisible.ts";
import { formatTime } from "../../text/format-time.ts";
import { askAgain } from "./ask-again.ts";
import { makeFolderTrust } from "./folder-trust.ts";
import { localNow } from "./local-now.ts";
import type { UndoParts } from "./undo-request.ts";

/** What the status needs. `resting` gives the providers that rest at a time. */
export type StatusParts = UndoParts & {
  /** The notes folders that are lost, and what is wrong with them. */
  readonly lostNotes: () => Promise<readonly { readonly path: string; readonly problem: string }[]>;
  readonly resting: (now: number) => Promise<readonly ProviderRest[]>;
  /** How the servers of tools in a workspace stand; null where there are none. */
  readonly toolServers: (
    workspace: string | null,
  ) => Promise<{ readonly ready: number; readonly tools: number; readonly waiting: number } | null>;
};

/** Characters of a turn's words that the status shows. */
const shownWords = 60;

/** The turns that run or wait, the open questions and what was spent. Each question gets a further token, since its first may never have reached the screen. */
export async function formatStatus(parts: StatusParts, session: string): Promise<string> {
  const { state, policy } = parts;
  const unfinished = await state.turns.unfinished();
  const waiting = await state.outbox.undelivered(session);
  const lack = await state.diskReserve.findLack();
  const lost = await parts.lostNotes();
  return [
    `Session ${await nameOfSession(state.sessions, session)}`,
    ...(lack === null ? [] : [lack]),
    ...lost.map(({ path, problem }) => escapeInvisible(`${policy.filter(path)}: ${problem}`)),
    ...(await formatTrust(parts, session)),
    unfinished.length === 0 ? "Nothing is running or waiting." : "Running or waiting:",
    ...(await Promise.all(unfinished.map((turn) => formatUnfinished(parts, turn)))),
    ...(await formatOpenQuestions(parts, session)),
    ...(await Promise.all((await state.deferredEdits.all()).map((edit) => formatDeferred(parts, edit)))),
    ...(waiting.length === 0 ? [] : [`${waiting.length} answers not shown yet.`]),
    ...(await formatRests(parts)),
    ...formatVault(policy),
    ...(await formatServers(parts, session)),
    ...(await formatDoors(parts)),
    ...(await formatRoute(parts, session)),
    await formatSpending(parts, session),
  ].join("\n");
}

async function formatUnfinished(
  { state, policy }: UndoParts,
  { id, session, signal, state: at }: Turn,
): Promise<string> {
  const subTask = subTaskOf(signal);
  const named = await nameOfSession(state.sessions, subTask?.rootSession ?? session);
  const words = escapeInvisible(beginOf(policy.filter(signal.text), shownWords));
  return `  ${at} (${subTask === null ? "" : "sub-task of "}session ${named}, turn ${id}): ${words}`;
}

async function formatDeferred(
  { state, policy }: UndoParts,
  { path, session }: { readonly path: string; readonly session: string },
): Promise<string> {
  const named = await nameOfSession(state.sessions, session);
  return `  an edit (session ${named}) waits until an editor lets go of ${escapeInvisible(policy.filter(path))}`;
}

/** The workspace of a session whose files do not count as the owner's. */
async function formatTrust({ state }: UndoParts, session: string): Promise<readonly string[]> {
  const workspace = (await state.sessions.get(session))?.workspace ?? null;
  if (workspace === null) return [];
  const isTrusted = await makeFolderTrust(state.trustedFolders).isTrusted(workspace, workspace);
  return isTrusted ? [] : [`${escapeInvisible(workspace)} is not trusted: ${notTrusted}`];
}

/** What chose the models of the last turn of a session. */
async function formatRoute({ state }: UndoParts, session: string): Promise<readonly string[]> {
  const [last] = await state.turns.ofSession(session, { limit: 1 });
  if (last?.route === undefined || last.route === null) return [];
  const { asked, by } = last.route;
  const models = asked.length === 0 ? "no model" : asked.map(nameOfModel).join(", then ");
  return [escapeInvisible(`The last turn asks ${models} (${by}).`)];
}

/** Every open question as it is asked in a conversation. */
async function formatOpenQuestions(
  parts: Pick<UndoParts, "state" | "policy">,
  session: string,
): Promise<readonly string[]> {
  const shown: string[] = [];
  for (const question of await askAllAgain(parts)) {
    const name = await nameOfSession(parts.state.sessions, question.session);
    shown.push(`  approval pending until ${formatTime(question.expiresAt, localNow())}:`);
    shown.push(formatQuestionFor(question, session, { now: Date.now(), name }).trim(), "");
  }
  return shown;
}

/** The questions that wait in any session, with how to answer them on the command line. */
export async function listQuestions(
  parts: Pick<UndoParts, "state" | "policy">,
): Promise<{ readonly code: "questions" | "no-questions"; readonly text: string }> {
  const questions = await askAllAgain(parts);
  if (questions.length === 0) return { code: "no-questions", text: "No question waits." };
  const count = questions.length === 1 ? "1 question waits" : `${questions.length} questions wait`;
  const names = await Promise.all(
    questions.map(({ session }) => nameOfSession(parts.state.sessions, session)),
  );
  const lines = [
    `${count} for your answer.`,
    ...questions.flatMap((question, index) => [
      "",
      `Question ${index + 1} of ${questions.length}:`,
      formatQuestionFor(question, "", {
        now: Date.now(),
        name: names[index],
        answer: "by-command",
      }).trim(),
    ]),
    "",
    "Answer one by its token: passepartout approve TOKEN, or passepartout deny TOKEN because REASON",
  ];
  return { code: "questions", text: lines.join("\n") };
}

async function askAllAgain({
  state,
  policy,
}: Pick<UndoParts, "state" | "policy">): Promise<readonly ApprovalQuestion[]> {
  const questions: ApprovalQuestion[] = [];
  for (const approval of await state.approvals.open())
    questions.push(await askAgain({ state, policy, filter: policy.filter }, approval));
  return questions;
}

/** The providers that are not asked for a while. */
async function formatRests({ resting }: StatusParts): Promise<readonly string[]> {
  const now = Date.now();
  return (await resting(now)).map((rest) =>
    escapeInvisible(`Provider ${rest.provider} ${describeRest(rest, now)}`),
  );
}

/** A vault that is locked or damaged, with the providers that are skipped for it. */
function formatVault({ config, cascade }: UndoParts["policy"]): readonly string[] {
  const { state, text } = config.vault.status();
  if (state === "none" || state === "unlocked") return [];
  const skipped = cascade().order.filter((name) =>
    config.providers.some((provider) => provider.name === name && provider.vaultKey !== undefined),
  );
  return [
    skipped.length === 0 ? text : `${text} Until then these providers are skipped: ${skipped.join(", ")}.`,
  ];
}

/** How each door that is set up stands. */
async function formatDoors({ state, policy }: StatusParts): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const door of policy.config.doors) {
    const status = doorStatusOf(await state.chats.marks.get(door, statusMark));
    lines.push(
      escapeInvisible(`The door ${door}: ${policy.filter(describeDoor(door, status, Date.now()).text)}.`),
    );
  }
  return lines;
}

/** How many servers of tools are ready, and how many wait for the owner. */
async function formatServers(
  { state, toolServers }: StatusParts,
  session: string,
): Promise<readonly string[]> {
  const found = await toolServers((await state.sessions.get(session))?.workspace ?? null);
  if (found === null) return [];
  const { ready, tools, waiting } = found;
  const open = waiting === 0 ? "" : `; ${waiting} not accepted as they are now (passepartout mcp list)`;
  return [`Servers of tools: ${ready} ready, with ${tools === 1 ? "1 tool" : `${tools} tools`}${open}.`];
}

/** What was spent today and in this session, by model. */
export async function formatSpending(
  { state, policy }: Pick<UndoParts, "state" | "policy">,
  session: string,
): Promise<string> {
  const { today, session: own } = await readSpending(state.ledger, {
    session,
    budgets: policy.config,
    now: Date.now(),
  });
  return `${describeSpending("today", today)}\n${describeSpending("in this session", own)}`;
}
