import { commandOf } from "../../shown/action-text.ts";
import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import { endWithReason } from "../../shown/reason-at-end.ts";
import { wordsOfFiles } from "../../signal/count-diffs.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { isJsonObject, type Json } from "../../text/json.ts";
import {
  type Call,
  changesOf,
  countOfChanges,
  type FileChange,
  isFailure,
  measuresOf,
  noteOf,
  type Outcome,
  outputOf,
  titleOf,
} from "../calls/call.ts";
import type { PastPiece } from "../calls/past-turn.ts";
import { offersOf } from "../questions/offers.ts";
import { questionRows } from "../questions/question-rows.ts";
import { cleanLine } from "../screen/clean.ts";
import { isRule, splitRow, withoutEntities } from "../screen/keep-words.ts";
import { unstyled } from "../screen/theme.ts";

/** Columns for which text is laid out that nobody sees: no line is broken. */
const unbroken = 1_000_000;
/** Lines of a change, and of an output, that are read out. */
const mostLines = 20;

/** What a call came to, each line with its label, as it is read out. */
export function callLines(call: Call, outcome: Outcome): readonly string[] {
  const { verb, what } = titleOf(call.action);
  const measures = measuresOf({ ...call, outcome })
    .filter((measure) => measure !== outcome.state && measure !== "undone")
    .map(inWords)
    .join(", ");
  const failed = isFailure(outcome);
  const end = failed && outcome.state === "done" ? "failed" : outcome.state;
  const state = `${end.charAt(0).toUpperCase()}${end.slice(1)}`;
  const told = call.undone === "whole" ? "Undone" : state;
  const output = failed ? endWithReason(outputOf(outcome).split("\n"), mostLines) : [];
  return [
    sentence(`${told}: ${verb} ${spokenPath(cleanLine(what))}${measures === "" ? "" : `, ${measures}`}`),
    ...(outcome.state === "done" ? changedFiles(changesOf(call) ?? []) : []),
    ...output.filter((line) => line.trim() !== "").map((line) => `Output: ${line}`),
    ...(failed ? [] : noteOf(outcome).split("\n"))
      .filter((line) => line !== "")
      .map((line) => `Note: ${line}`),
  ];
}

/** `+1 −2` as words. */
function inWords(measure: string): string {
  return measure
    .replace(/\+(\d+) −(\d+)(, lines not counted)?/, (_, added, removed, none) =>
      none === undefined ? `${added} added, ${removed} removed` : "lines not counted",
    )
    .replace(" · ", ", ");
}

/** The lines that changed in the first files, and how many files more there are. */
function changedFiles(changes: readonly FileChange[]): readonly string[] {
  const named = changes.filter(({ rest }) => rest === undefined).slice(0, mostLines);
  const more = countOfChanges(changes).files - named.length;
  return [...named.flatMap(changeLines), ...(more === 0 ? [] : [`And ${wordsOfFiles(more)} more.`])];
}

function changeLines({ lines, left }: FileChange): readonly string[] {
  const marks = { "+": "Added: ", "-": "Removed: ", " ": "", "@": "" } as const;
  const changed = lines.filter(({ mark }) => mark === "+" || mark === "-");
  const more = changed.length - mostLines + left;
  return [
    ...changed.slice(0, mostLines).map(({ mark, text }) => `${marks[mark]}${text}`),
    ...(more > 0 ? [`${more} more changed lines.`] : []),
  ];
}

/** A question, with its answers by numbers. */
export function questionLines(question: ApprovalQuestion, home: string): readonly string[] {
  const { rule: _, endorsable: __, offers: ___, ...bare } = question;
  const rows = questionRows(bare, {
    columns: unbroken,
    theme: unstyled,
    home,
    details: false,
    tried: "unfolded",
    mostFiles: mostLines,
  });
  const offers = offersOf(question, home);
  const isCommand = commandOf(question.action) !== null;
  const said = rows.filter((row) => row.trim() !== "").map((row) => spoken(row.trim(), isCommand));
  // The agent's own words are the last of them.
  const words = question.action.explanation.trim() === "" ? [] : said.slice(-1);
  return [
    "Question: May I?",
    ...said.slice(0, said.length - words.length),
    ...offers.flatMap(({ words: [, ...parts] }) => parts.map((part) => `Rule: ${part}`)),
    ...words,
    "Answer 1 for yes, 2 for no, or 3 and the reason of your no.",
    ...offers.map(({ effect, words: [title = ""] }) =>
      effect === "keep-rule" ? "Answer 4 for always: yes, and keep the rule." : `Answer 5 for ${title}.`,
    ),
  ];
}

/** A row of a question without the signs that are drawn. */
function spoken(row: string, isCommand: boolean): string {
  const [, mark = "", text = ""] = /^│ ?(?:([-+]) )?(.*)$/.exec(row) ?? [];
  if (!row.startsWith("│")) return inWords(row).replace(/^• /, "Effect: ");
  if (mark === "+") return `Added: ${text}`;
  if (mark === "-") return `Removed: ${text}`;
  return `${isCommand ? "Command: " : "Line: "}${text.trim()}`;
}

/** How a turn ended, other than by an answer. */
export function endLine({
  type,
  reason,
}: Extract<LoopEvent, { type: "blocked" | "failed" | "stopped" }>): string {
  const words = { blocked: "Blocked", failed: "Failed", stopped: "Stopped" }[type];
  return reason.startsWith(words) ? reason : `${words}: ${reason}`;
}

/** An answer as it is read out: without the marks of Markdown, each row of a table as a sentence. */
export function answerLines(text: string): readonly string[] {
  const lines = text.split("\n");
  /** The names of the columns, inside a table. */
  let header: readonly string[] | null = null;
  /** The marks that opened a block of code. */
  let fence: string | null = null;
  return lines.flatMap((line, index) => {
    const [, marks = "", title = ""] = /^\s*(`{3,}(?!.*`)|~{3,})\s*(.*?)\s*$/.exec(line) ?? [];
    if (fence === null && marks !== "") {
      fence = marks;
      return [`Code${title === "" ? "" : `, ${title}`}:`];
    }
    if (fence !== null) {
      if (title !== "" || !marks.startsWith(fence)) return [line];
      fence = null;
      return ["End of code."];
    }
    if (header === null && line.includes("|") && isRule(lines[index + 1] ?? "")) {
      header = cellsOf(line);
      return [];
    }
    if (header === null || !line.includes("|")) {
      header = null;
      return line.trim() === "" ? [] : [withoutMarks(line)];
    }
    if (isRule(line)) return [];
    const names = header;
    const cells = cellsOf(line).map((cell, column) => `${names[column] ?? `column ${column + 1}`}: ${cell}`);
    return [sentence(cells.join(", "))];
  });
}

function cellsOf(row: string): readonly string[] {
  return splitRow(row).map((cell) => withoutMarks(cell.trim()));
}

/** Words with one point at their end, however they end. */
function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** A folder that is written as a point is read out as a word. */
function spokenPath(path: string): string {
  return path === "." ? "this folder" : path;
}

/** A line without its marks; what stands in marks of code is said as it is. */
function withoutMarks(line: string): string {
  return line
    .replace(/^(\s*)#{1,6} +/, "$1Heading: ")
    .replace(/^(\s*)[-*+] +/, "$1Item: ")
    .replace(/^(\s*)> ?/, "$1Quote: ")
    .split(/(`+[^`]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part.replaceAll(/^`+|`+$/g, "") : withoutEmphasis(part)))
    .join("")
    .trim();
}

function withoutEmphasis(words: string): string {
  return withoutEntities(words)
    .replaceAll(/(?<![\w*/])(\*\*|__)(?=[\w"'(`[])([^*]+?[^\s*/])\1(?![\w*/])/g, "$2")
    .replaceAll(/(?<![\w*/])\*(?=[\w"'(`[])([^*]*[^*\s/])\*(?![\w*/])/g, "$1")
    .replaceAll(/(?<!\w)_(?=\S)([^_]*[^_\s])_(?!\w)/g, "$1")
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, "$1, link to $2");
}

/** A piece of a turn that is past. */
export function pieceLines(piece: PastPiece): readonly string[] {
  if (piece.kind === "said") return answerLines(piece.text);
  if (piece.kind === "note") return [piece.text];
  return piece.call.outcome === null ? [] : callLines(piece.call, piece.call.outcome);
}

/** The id of the file that was attached, where a message says so. */
export function attachedIn(payload: Json): readonly string[] {
  const data = isJsonObject(payload) && payload["code"] === "attached" ? (payload["data"] ?? null) : null;
  return isJsonObject(data) && typeof data["id"] === "string" ? [data["id"]] : [];
}
