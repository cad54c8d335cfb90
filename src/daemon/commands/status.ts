import { formatQuestionFor } from "../../signal/approval-question.ts";
import { escapeInvisible } from "../../signal/escape-invisible.ts";
import { askAgain } from "./ask-again.ts";
import { makeFolderTrust, notTrusted } from "./folder-trust.ts";
import type { UndoParts } from "./undo-turn.ts";

/** Characters of a turn's words that the status shows. */
const shownWords = 60;

/** The turns that run or wait, the open questions and today's spending. Each question gets a further token, since its first may never have reached the screen. */
export async function formatStatus(parts: UndoParts, session: string): Promise<string> {
  const { state, policy } = parts;
  const unfinished = await state.turns.unfinished();
  const waiting = await state.outbox.undelivered(session);
  const spent = await formatSpending(parts);
  return [
    `Session ${session}`,
    ...(await formatTrust(parts, session)),
    unfinished.length === 0 ? "Nothing is running or waiting." : "Running or waiting:",
    ...unfinished.map(
      (turn) =>
        `  ${turn.state} (session ${turn.session}, turn ${turn.id}): ${escapeInvisible(turn.signal.text.slice(0, shownWords))}`,
    ),
    ...(await formatOpenQuestions(parts, session)),
    ...(await state.deferredEdits.all()).map(
      ({ path, session: of }) =>
        `  an edit (session ${of}) waits until an editor lets go of ${escapeInvisible(policy.filter(path))}`,
    ),
    ...(waiting.length === 0 ? [] : [`${waiting.length} answers not shown yet.`]),
    spent.length === 0 ? "Nothing was spent today." : "Spent today:",
    ...spent,
  ].join("\n");
}

/** The workspace of a session whose files do not count as the owner's. */
async function formatTrust({ state }: UndoParts, session: string): Promise<readonly string[]> {
  const workspace = (await state.sessions.get(session))?.workspace ?? null;
  if (workspace === null) return [];
  const isTrusted = await makeFolderTrust(state.trustedFolders).isTrusted(workspace, workspace);
  return isTrusted ? [] : [`${escapeInvisible(workspace)} is not trusted: ${notTrusted}`];
}

/** Every open question as it is asked in a conversation. */
async function formatOpenQuestions(
  { state, policy }: Pick<UndoParts, "state" | "policy">,
  session: string,
): Promise<readonly string[]> {
  const shown: string[] = [];
  for (const approval of await state.approvals.open()) {
    const question = await askAgain({ state, filter: policy.filter }, approval);
    shown.push(`  approval pending until ${new Date(approval.expiresAt).toISOString()}:`);
    shown.push(formatQuestionFor(question, session, Date.now()).trim(), "");
  }
  return shown;
}

async function formatSpending({ state }: Pick<UndoParts, "state">): Promise<readonly string[]> {
  const midnight = new Date().setHours(0, 0, 0, 0);
  return (await state.ledger.totals({ since: midnight })).map(
    ({ provider, calls, failed, inputTokens, outputTokens, microdollars }) =>
      `  ${provider}: ${calls} calls (${failed} failed), ${inputTokens} tokens in, ${outputTokens} out, $${(microdollars / 1e6).toFixed(4)}`,
  );
}
