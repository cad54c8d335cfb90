import { nameAct } from "../../../shown/action-text.ts";
import { type ApprovalQuestion, formatAction, withoutCommand } from "../../../shown/approval-question.ts";
import { describeEffect, reversalWords } from "../../../shown/describe-effect.ts";
import { undoLine } from "../../../shown/undo-line.ts";
import { beginOf, shorten } from "../../../text/cut-text.ts";
import { escapeInvisible } from "../../../text/escape-invisible.ts";
import { formatTime, type LocalNow } from "../../../text/format-time.ts";
import type { Weight } from "./typed-word.ts";

/**
 * A text of a message. What content brings stands in `code`, where a service finds no link, name, command or
 * markup. UTF-16 units.
 */
export type CardText = {
  readonly text: string;
  readonly code: readonly { readonly from: number; readonly length: number }[];
};

/**
 * A question as a chat shows it, page by page: the card, and behind it the details. Each page fits into one
 * message.
 */
export type Card = {
  /** Says that there is a question, and nothing of it. */
  readonly sealed: CardText;
  readonly pages: readonly CardText[];
  /** Pages that a person must have been shown before a yes; null where the whole is too long for a chat. */
  readonly toRead: number | null;
  /** The word that a yes also wants; null for none. */
  readonly word: string | null;
};

/** What a card is made with. */
export type CardContext = {
  readonly time: LocalNow;
  /** The name of the assistant. */
  readonly assistant: string;
  /** `reactions`: the card says how they answer. */
  readonly answers: "buttons" | "reactions";
  readonly weights: readonly Weight[];
  readonly word: string | null;
};

/** UTF-16 units of the title: who asks, and what for. */
const longestTitle = 60;
const longestWho = 24;
/**
 * UTF-16 units on the card: of what would be done, and of the reasons and the agent's own words each; the
 * details have all of the reasons.
 * Telegram takes 4096 in a message, Signal shows 2000 without unfolding.
 */
const room = {
  buttons: { shown: 1500, reason: 300 },
  reactions: { shown: 800, reason: 200 },
} as const;
const shownLines = 24;
/** UTF-16 units of a page of the details. */
const longestPage = 1800;
/** Pages of details. What needs more is answered at the terminal. */
const mostPages = 12;

/**
 * Makes the card of a question. Nothing of what would be done is left out in silence: what does not fit is
 * counted, and stands on the pages behind it.
 */
export function makeCard(question: ApprovalQuestion, context: CardContext): Card {
  const what = formatAction(question).map((line) => line.replace(/^ {2}/, ""));
  const shown = beginOfLines(what, room[context.answers].shown);
  const left = countLeft(what, shown);
  const whole = intoPages(what);
  const behind = intoPages(detailLines(question));
  const isCut = left !== null;
  const details = [...(isCut ? whole : []), ...behind];
  const isTooLong = isCut && whole.length > mostPages;
  const pages = isTooLong ? [] : firstPages(details);
  const card = cardText(question, context, { shown, left, isTooLong });
  return {
    sealed: plain(
      context.answers === "buttons"
        ? "A question waits for you. Tap Details to read it."
        : "A question waits for you. React to this message with 👀 to read it.",
    ),
    pages: [card, ...pages.map((page, index) => pageText(page, index + 1, pages.length))],
    toRead: isTooLong ? null : isCut ? 1 + whole.length : 1,
    word: context.word,
  };
}

/** The card of a question that the service may not read: it says that there is one, and takes a no. */
export function withheldCard(
  { expiresAt }: Pick<ApprovalQuestion, "expiresAt">,
  context: Pick<CardContext, "time" | "answers">,
): Card {
  const lapses = `Lapses ${formatTime(expiresAt, context.time)}, which means no.`;
  const only = context.answers === "buttons" ? "Here, only No counts." : "Here, only 👎 (no) counts.";
  const text = `A question about something private waits for you. Read and answer it at the terminal. ${only}\n${lapses}`;
  return { sealed: plain(text), pages: [plain(text)], toRead: null, word: null };
}

type Shown = { readonly shown: string; readonly left: string | null; readonly isTooLong: boolean };

function cardText(
  question: ApprovalQuestion,
  context: CardContext,
  { shown, left, isTooLong }: Shown,
): CardText {
  const { effects, trace, workspace, action, habit, reason, expiresAt } = question;
  const gates = [...new Set(trace.filter(({ result }) => result === "approval").map(({ gate }) => gate))];
  const explanation = escapeInvisible(action.explanation.trim());
  const because = escapeInvisible(withoutCommand(reason));
  const longest = room[context.answers].reason;
  return join([
    ...titleParts(question, context.assistant),
    "\n\n",
    code(shown),
    ...(left === null ? [] : [`\n✂ ${left} more: ${howToSee(context, isTooLong)}`]),
    "\n\n",
    code(undoLine(effects, workspace)),
    "\nAsked because ",
    code(shorten(because, longest)),
    ...(gates.length === 0 ? [] : ["\nGate: ", code(gates.join(", "))]),
    ...(habit === undefined ? [] : ["\n", code(habit), " Read this one."]),
    ...(explanation === "" ? [] : ["\nThe agent says: ", code(shorten(explanation, longest))]),
    `\n\n${howToAnswer(context, isTooLong)}`,
    `\nLapses ${formatTime(expiresAt, context.time)}, which means no. “Always” is for the terminal alone.`,
  ]);
}

/** Who asks, and what for, in one line. */
function titleParts(
  { action, workspace }: ApprovalQuestion,
  assistant: string,
): readonly (string | CodePart)[] {
  const folder = workspace === null ? "" : ` in ${workspace.slice(workspace.lastIndexOf("/") + 1)}`;
  const who = shorten(escapeInvisible(`${assistant}${folder}`), longestWho);
  const left = longestTitle - who.length - " asks: ".length;
  return [code(who), " asks: ", code(shorten(nameAct(action), left - 1))];
}

function howToSee({ answers }: CardContext, isTooLong: boolean): string {
  if (isTooLong) return "this is too long for a chat, so read and answer it at the terminal.";
  return answers === "buttons"
    ? "tap Details. A yes counts when you have seen all of it."
    : "react with 👀. A yes counts when you have seen all of it.";
}

function howToAnswer({ answers, weights, word }: CardContext, isTooLong: boolean): string {
  const isButtons = answers === "buttons";
  if (isTooLong) return isButtons ? "Here, only No counts." : "Here, only 👎 (no) counts.";
  const yes = isButtons ? "tap Once" : "react to the question with 👍";
  if (word !== null)
    return `This is about ${weights.join(" and ")}: to say yes, ${yes} and write this word here: ${word}`;
  return isButtons ? "Once: yes, this one time." : "👍 yes, this one time · 👎 no · 👀 details";
}

/** What the details say beside what would be done: each effect, each gate, and where it was asked. */
function detailLines({ effects, trace, reason, session, workspace }: ApprovalQuestion): readonly string[] {
  return [
    "Effects:",
    ...new Set(effects.map((effect) => `- ${describeEffect(effect)} (${reversalWords[effect.reversal]})`)),
    "",
    "Asked because:",
    escapeInvisible(reason),
    "",
    "Gates:",
    ...trace.map(
      ({ gate, result, reason: why }) =>
        `- ${gate}: ${result}${why === "" ? "" : `, ${escapeInvisible(why)}`}`,
    ),
    "",
    `Folder: ${workspace === null ? "none" : escapeInvisible(workspace)}`,
    `Session: ${escapeInvisible(session)}`,
  ];
}

/**
 * The pages that a chat shows. What stands behind them is not what would be done, and is told to be missing.
 */
function firstPages(pages: readonly string[]): readonly string[] {
  if (pages.length <= mostPages) return pages;
  const left = pages.length - mostPages;
  const last = pages[mostPages - 1] ?? "";
  return [...pages.slice(0, mostPages - 1), `${last}\n✂ ${left} pages more at the terminal.`];
}

function pageText(page: string, number: number, of: number): CardText {
  return join([`Details ${number} of ${of}\n\n`, code(page)]);
}

/** The first lines, within what a card shows. */
function beginOfLines(lines: readonly string[], most: number): string {
  const text = lines.slice(0, shownLines).join("\n");
  if (text.length <= most) return text;
  const cut = beginOf(text, most);
  const border = cut.lastIndexOf("\n");
  return border > most / 2 ? cut.slice(0, border) : cut;
}

/** How much of the lines is not shown, in words; null where nothing is left. */
function countLeft(lines: readonly string[], shown: string): string | null {
  const all = lines.join("\n");
  const characters = all.length - shown.length;
  if (characters === 0) return null;
  const left = lines.length - shown.split("\n").length;
  return left > 0 ? `${left} ${left === 1 ? "line" : "lines"}` : `${characters} characters`;
}

/**
 * Lines in pages. A line that goes on on the next page, or is longer than a page, is marked where it goes on.
 */
function intoPages(lines: readonly string[]): readonly string[] {
  const pages: string[] = [];
  let page = "";
  for (const piece of lines.flatMap(intoPieces)) {
    const longer = page === "" ? piece : `${page}\n${piece}`;
    if (longer.length > longestPage) {
      pages.push(page);
      page = piece;
    } else page = longer;
  }
  return page === "" ? pages : [...pages, page];
}

const goesOn = "↪ ";

function intoPieces(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > longestPage) {
    const piece = beginOf(rest, longestPage - goesOn.length);
    pieces.push(piece);
    rest = `${goesOn}${rest.slice(piece.length)}`;
  }
  return [...pieces, rest];
}

type CodePart = { readonly code: string };

function code(text: string): CodePart {
  return { code: text };
}

function plain(text: string): CardText {
  return { text, code: [] };
}

function join(parts: readonly (string | CodePart)[]): CardText {
  let text = "";
  const ranges: { readonly from: number; readonly length: number }[] = [];
  for (const part of parts) {
    const added = typeof part === "string" ? part : part.code;
    if (typeof part !== "string" && added !== "") ranges.push({ from: text.length, length: added.length });
    text += added;
  }
  // Services trim what they show.
  const shown = text.trimEnd();
  const inside = ranges.filter(({ from }) => from < shown.length);
  return {
    text: shown,
    code: inside.map(({ from, length }) => ({ from, length: Math.min(length, shown.length - from) })),
  };
}
