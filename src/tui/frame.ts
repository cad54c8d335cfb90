import type { AttachedFiles } from "./attached-files.ts";
import type { Look } from "./block.ts";
import { cleanLine } from "./clean.ts";
import type { Conversation } from "./conversation.ts";
import type { ApprovalDialog } from "./dialog.ts";
import type { Panel } from "./panel.ts";
import type { Prompt } from "./prompt.ts";
import { type Status, statusRow, workRow } from "./status-rows.ts";
import type { Theme } from "./theme.ts";
import { cut } from "./toolkit.ts";
import type { WaitingWords } from "./word-queue.ts";

/** Everything that a frame shows. */
export type FrameContent = {
  readonly conversation: Conversation;
  readonly dialog: ApprovalDialog;
  readonly prompt: Prompt;
  /** The files that go with the next words. */
  readonly attached: Pick<AttachedFiles, "rows">;
  /** What took the place of the question and the prompt. */
  readonly panel: Panel | null;
  readonly look: Look;
  readonly status: Status;
  readonly session: string;
  /** The prompt asks why a question is answered no. */
  readonly asksWhy: boolean;
  /** The dots of a passphrase that is being typed; null where none is asked for. */
  readonly passphrase: string | null;
  /** A short word about what just happened. */
  readonly hint: string;
  readonly now: number;
};

/** Rows below which the second line of hints and the rules give way. */
const low = 12;

/** Rows of the conversation that stay in view above a question. */
const rowsAbove = 3;

/** Waiting words that have a row of their own. */
const mostWaiting = 3;

const keysWhileRunning = "Enter waits · Ctrl+S says it now · ↑ takes back what waits · Esc stops";
const keys = "Enter send · Alt+Enter new line · @ file or note · / commands · ? keys";
const whyKeys = "Enter: no, with this reason · Esc: back to the question";

/** A whole screen: the status bar, the window onto the transcript, and the question or the prompt. */
export function frameRows(content: FrameContent, columns: number, rows: number): readonly string[] {
  const { conversation, look, status, prompt, now, hint } = content;
  const { theme } = look;
  const isLow = rows < low;
  const rule = theme.dim("─".repeat(columns));
  const head = [statusRow(status, columns, theme), ...(isLow ? [] : [rule])];
  const { panel } = content;
  const question = content.asksWhy || panel !== null ? null : content.dialog.select(conversation.questions);
  const { transcript, work } = conversation;
  const foot: string[] = [];
  const working = workRow(
    { work, now, unseen: transcript.unseen, follows: transcript.follows, hint },
    columns,
    theme,
  );
  if (working.trim() !== "" || !isLow) foot.push(working);
  foot.push(...waitingRows(conversation.words.waiting, columns, theme));
  if (panel !== null) {
    if (!isLow) foot.push(rule);
    if (panel.keepsPrompt) foot.push(...prompt.rows(columns, theme, content.asksWhy ? "why not?" : "›"));
    const height = Math.max(1, Math.floor((rows - head.length) * 0.75) - foot.length);
    foot.push(...panel.rows(columns, height, theme));
  } else if (question !== null) {
    const height = Math.max(4, rows - head.length - foot.length - (isLow ? 0 : rowsAbove));
    foot.push(
      ...content.dialog.render(question, {
        columns,
        rows: Math.min(height, rows - head.length),
        theme,
        session: content.session,
        waiting: [...conversation.questions.keys()],
        place: conversation.placeInStep(question.turn),
      }),
    );
    if (!isLow && prompt.text !== "")
      foot.push(theme.dim(cut(` › ${prompt.text.split("\n")[0] ?? ""}`, columns)));
  } else if (content.passphrase !== null) {
    if (!isLow) foot.push(rule);
    const dots = content.passphrase.slice(-Math.max(1, columns - 30));
    foot.push(cut(` Passphrase of the vault: ${dots}${theme.inverse(" ")}`, columns));
    if (!isLow) foot.push(theme.dim(cut(" Enter unlocks · Esc leaves it locked", columns)));
  } else {
    if (!isLow) foot.push(rule);
    if (!content.asksWhy) foot.push(...content.attached.rows(columns, theme));
    foot.push(...prompt.rows(columns, theme, content.asksWhy ? "why not?" : "›"));
    if (!isLow)
      foot.push(
        theme.dim(cut(` ${content.asksWhy ? whyKeys : work === null ? keys : keysWhileRunning}`, columns)),
      );
  }
  const room = Math.max(0, rows - head.length - foot.length);
  const window = room === 0 ? [] : transcript.window(columns, room, look);
  const blank = Array.from({ length: room - window.length }, () => "");
  return [...head, ...window, ...blank, ...foot].slice(-rows);
}

/** What was said and waits for its turn, a row each. */
function waitingRows(waiting: readonly WaitingWords[], columns: number, theme: Theme): readonly string[] {
  const more = waiting.length - mostWaiting;
  return [
    ...waiting
      .slice(0, mostWaiting)
      .map(({ text, steers }) =>
        theme.dim(cut(` ${steers ? "for this turn" : "waits"}: ${cleanLine(text)}`, columns)),
      ),
    ...(more > 0 ? [theme.dim(` … ${more} more wait`)] : []),
  ];
}

/** The row of the screen at which the window onto the transcript begins. */
export function windowTop(rows: number): number {
  return rows < low ? 1 : 2;
}
