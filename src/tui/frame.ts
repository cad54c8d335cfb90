import type { ApprovalQuestion } from "../shown/approval-question.ts";
import { pushAll } from "../text/lists.ts";
import { withFiles } from "./calls/past-turn.ts";
import type { Conversation } from "./conversation/conversation.ts";
import type { Scrollback } from "./conversation/scrollback.ts";
import type { WaitingWords } from "./conversation/word-queue.ts";
import type { AttachedFiles } from "./prompt/attached-files.ts";
import { type MaskedLook, maskedRows } from "./prompt/masked-field.ts";
import type { Prompt } from "./prompt/prompt.ts";
import type { QuestionKeys } from "./questions/question-keys.ts";
import type { MainFrame } from "./screen/append-frame.ts";
import type { Look } from "./screen/block.ts";
import { cleanLine } from "./screen/clean.ts";
import type { Panel } from "./screen/panel.ts";
import type { Theme } from "./screen/theme.ts";
import { cut, wrap } from "./screen/toolkit.ts";
import { type Status, statusParts, statusRow, workRow } from "./status-rows.ts";

/** Everything that a frame shows. */
export type FrameContent = {
  readonly conversation: Conversation;
  readonly questions: Pick<QuestionKeys, "dialog" | "asksWhy" | "keyboard" | "held">;
  readonly prompt: Prompt;
  /** The files that go with the next words. */
  readonly attached: Pick<AttachedFiles, "rows">;
  /** What took the place of the question and the prompt. */
  readonly panel: Panel | null;
  readonly look: Look;
  readonly status: Status;
  /** What is typed and never shown: keys go there first. Null where nothing is asked for in secret. */
  readonly masked: MaskedLook | null;
  /** A short word about what just happened. */
  readonly hint: string;
  readonly now: number;
};

/** Rows below which the second line of hints and the rules give way. */
const low = 12;

/** Waiting words that have a row of their own. */
const mostWaiting = 3;

/** Rows of what a model thinks. */
const mostThought = 3;

/** What is said of the keys below the prompt. */
type Hints = { readonly idle: string; readonly running: string };

const wholeHints: Hints = {
  idle: "Enter send · Alt+Enter new line · @ file or note · / commands · ? keys",
  running: "Enter waits · Ctrl+S says it now · ↑ takes back what waits · Esc stops",
};
/** On the main screen, rows that change are short: what is too long after a change of width is broken by the terminal, and not by each in the same way. */
const mainHints: Hints = { idle: "/ commands · ? keys", running: "Ctrl+S says it now · Esc stops" };
const shortRule = 24;

type Foot = Hints & { readonly rows: number; readonly isLow: boolean; readonly rule: string };

/** Stands at the prompt while a question has the keyboard. */
const typeInstead = "or type to say something else";

const whyKeys = "Enter: no, with this reason · Esc: back to the question";

/** A whole screen: the status bar, the window onto the transcript, and the question or the prompt. */
export function frameRows(content: FrameContent, columns: number, rows: number): readonly string[] {
  const { conversation, look, status } = content;
  const isLow = rows < low;
  const rule = look.theme.dim("─".repeat(columns));
  const head = [statusRow(status, columns, look.theme), ...(isLow ? [] : [rule])];
  const foot = footRows(content, columns, { rows: rows - head.length, isLow, rule, ...wholeHints });
  const room = Math.max(0, rows - head.length - foot.length);
  const window = room === 0 ? [] : conversation.transcript.window(columns, room, look);
  const blank = Array.from({ length: room - window.length }, () => "");
  return [...head, ...window, ...blank, ...foot].slice(-rows);
}

/** A frame on the main screen: what changes no more is appended; below it stand what still changes, the question or the prompt, and the status bar. */
export function mainFrame(
  content: FrameContent,
  scrollback: Scrollback,
  columns: number,
  rows: number,
): MainFrame {
  const { conversation, look, status } = content;
  const isLow = rows < low;
  // What stands above is scrolled by the terminal.
  conversation.transcript.toEnd();
  const isIdle = conversation.works.isDone && conversation.questions.own.size === 0;
  // Until the colours are known, nothing is written that stays.
  const settled = look.markdown === null ? [] : scrollback.take(columns, look, isIdle);
  const rule = look.theme.dim("─".repeat(Math.min(columns, shortRule)));
  const foot = [
    ...footRows(content, columns, { rows: rows - 1, isLow, rule, ...mainHints }),
    look.theme.dim(cut(`  ${statusParts(status).join(" · ")}`, columns)),
  ];
  return { settled, live: [...scrollback.tail(columns, rows - foot.length, look), ...foot].slice(-rows) };
}

/** What stands below the conversation, in at most so many rows: what runs, what waits, and the panel, the question or the prompt. */
function footRows(
  content: FrameContent,
  columns: number,
  { rows, isLow, rule: line, idle, running }: Foot,
): readonly string[] {
  const { conversation, look, prompt, now, hint, panel } = content;
  const { theme } = look;
  const { transcript, work } = conversation;
  const { dialog, asksWhy } = content.questions;
  const question = asksWhy || panel !== null ? null : dialog.select(conversation.questions.own);
  const foot: string[] = [];
  const { unseen, follows } = transcript;
  const working = workRow({ work, now, unseen, follows, hint }, columns, theme);
  if (work !== null && !isLow) pushAll(foot, thoughtRows(work.thought, columns, theme));
  if (working.trim() !== "" || !isLow) foot.push(working);
  pushAll(foot, waitingRows(conversation.words.waiting, columns, theme));
  pushAll(foot, elsewhereRows(conversation.questions.elsewhere, columns, theme));
  const rule = isLow ? [] : [line];
  if (content.masked !== null) {
    if (prompt.text !== "") pushAll(foot, prompt.rows(columns, theme, "›"));
    const room = rows - foot.length - rule.length;
    pushAll(foot, rule);
    pushAll(foot, maskedRows(content.masked, { columns, rows: room, theme }));
  } else if (panel !== null) {
    pushAll(foot, rule);
    if (panel.keepsPrompt) pushAll(foot, prompt.rows(columns, theme, asksWhy ? "why not?" : "›"));
    const height = Math.max(1, Math.floor(rows * 0.75) - foot.length);
    pushAll(foot, panel.rows(columns, height, theme));
  } else if (question !== null) {
    pushAll(foot, questionFoot(content, question, { columns, rows: rows - foot.length, isLow }));
  } else {
    const hints = asksWhy ? whyKeys : work === null ? idle : running;
    pushAll(foot, rule);
    if (!asksWhy) pushAll(foot, content.attached.rows(columns, theme));
    pushAll(foot, prompt.rows(columns, theme, asksWhy ? "why not?" : "›"));
    if (!isLow) foot.push(theme.dim(cut(` ${hints}`, columns)));
  }
  return foot;
}

/** A question, and the prompt below it: typing goes there. */
function questionFoot(
  { conversation, questions, prompt, attached, look }: FrameContent,
  question: ApprovalQuestion,
  { columns, rows, isLow }: { readonly columns: number; readonly rows: number; readonly isLow: boolean },
): readonly string[] {
  const { theme } = look;
  const { dialog, keyboard, held } = questions;
  const answers = keyboard === "question" && held === "";
  const below = answers
    ? isLow
      ? []
      : [theme.dim(cut(` › ${typeInstead}`, columns))]
    : [...attached.rows(columns, theme), ...prompt.rows(columns, theme, "›")];
  const shown = dialog.render(question, {
    columns,
    rows: rows - below.length,
    theme,
    waiting: [...conversation.questions.own.keys()],
    place: conversation.placeInStep(question.turn),
    keyboard,
    held,
  });
  return [...shown, ...below];
}

/** The last rows of what a model thinks, while it thinks. */
function thoughtRows(thought: string, columns: number, theme: Theme): readonly string[] {
  const rows = thought.split("\n").flatMap((line) => (line.trim() === "" ? [] : wrap(line, columns - 4)));
  return rows.slice(-mostThought).map((row) => theme.dim(`   ${row}`));
}

/** That questions of other sessions wait: they never take the keyboard. */
function elsewhereRows(count: number, columns: number, theme: Theme): readonly string[] {
  if (count === 0) return [];
  const words =
    count === 1
      ? "1 question waits in another conversation: F2"
      : `${count} questions wait in other conversations: F2`;
  return [theme.warning(cut(` ${words}`, columns))];
}

/** What was said and waits for its turn, a row each. */
function waitingRows(waiting: readonly WaitingWords[], columns: number, theme: Theme): readonly string[] {
  const more = waiting.length - mostWaiting;
  return [
    ...waiting.slice(0, mostWaiting).map(({ text, steers, attached }) => {
      const files = attached.length === 0 ? "" : ` (${withFiles(attached)})`;
      return theme.dim(cut(` ${steers ? "for this turn" : "waits"}${files}: ${cleanLine(text)}`, columns));
    }),
    ...(more > 0 ? [theme.dim(` … ${more} more wait`)] : []),
  ];
}

/** The row of the screen at which the window onto the transcript begins. */
export function windowTop(rows: number): number {
  return rows < low ? 1 : 2;
}
