import { type ListedQuestion, questionsFileName } from "../../signal/listed-question.ts";
import { beginOf, shorten } from "../../text/cut-text.ts";
import { disarmNewConstructs } from "../../text/later/disarm.ts";
import { blockLine, inactiveTimestamp, oneLine, titleLine } from "./entry.ts";

/** Lines and characters of a question that its entry shows. */
const mostLines = 30;
const mostCharacters = 2_000;
/** Characters of the list of effects. */
const longestEffects = 400;

/**
 * The first and the last line of what the program writes below the properties of an entry. All else there is
 * somebody else's.
 */
export const blockBegin = "#+begin_example";
export const blockEnd = "#+end_example";

/** How an entry is written. */
export type EntryForm = {
  /** The level of its heading, which somebody may have changed, and the tags that somebody gave it. */
  readonly level: number;
  readonly tags: readonly string[];
  /** Whether an edit of the entry was found, which answered nothing: the entry says so. */
  readonly isEdited: boolean;
};

/**
 * Writes a question as an Org entry: its state, its properties, and a block with what it asks. No line of its
 * words becomes a headline, a drawer or a keyword, and
 * text that Emacs would run is inert. It has no token: nothing that stands here answers a question.
 */
export function formatQuestion(question: ListedQuestion, form: EntryForm): string {
  const { isEdited } = form;
  const { id, state, by, tool, session, askedAt, lapsesAt, gates, about } = question;
  const title = about === null ? "about something private" : about.title;
  const answer = howToAnswer(session);
  const entry = [
    headingOf(form, `${state} ${titleLine(`${by} asks: ${title}`)}`),
    ":PROPERTIES:",
    `:ID:       ${id}`,
    `:ACTION:   ${oneLine(tool)}`,
    ...(about === null
      ? []
      : [`:EFFECTS:  ${shorten(about.effects.map(oneLine).join("; "), longestEffects)}`]),
    `:GATE:     ${gates.map(oneLine).join(", ")}`,
    `:SESSION:  ${oneLine(session)}`,
    `:ASKED:    ${inactiveTimestamp(askedAt)}`,
    `:LAPSES:   ${inactiveTimestamp(lapsesAt)}`,
    `:ORIGIN:   ${about?.integrity ?? "agent"}`,
    ":END:",
    blockBegin,
    ...(isEdited
      ? [
          state === "OPEN"
            ? "An edit of this entry was found. This edit did not answer the question."
            : "An edit of this entry was found. It changed nothing of what became of it.",
          "What Passepartout writes here is as it was; lines of yours below it stay.",
        ]
      : []),
    ...(about === null
      ? [
          "What is asked stands only where it is answered, since the conversation",
          "may have seen private text.",
        ]
      : shownLines(about.lines)),
    ...(state === "OPEN" ? answer : []),
    blockEnd,
    "",
  ].join("\n");
  return disarmNewConstructs(questionsFileName, "", entry)?.text ?? entry;
}

/** A heading with its level and tags. */
export function headingOf({ level, tags }: Pick<EntryForm, "level" | "tags">, words: string): string {
  return `${"*".repeat(level)} ${words}${tags.length === 0 ? "" : ` :${tags.join(":")}:`}`;
}

function howToAnswer(session: string): readonly string[] {
  const conversation = `passepartout cli --session ${oneLine(session).slice(0, 8)}`;
  return ["Answer with C-c C-t here in Emacs, or in its conversation:", `  ${conversation}`];
}

function shownLines(lines: readonly string[]): readonly string[] {
  const begin = beginOf(lines.slice(0, mostLines).join("\n"), mostCharacters);
  const shown = begin.split("\n").map((line) => blockLine(line.trimEnd()));
  const isCut = begin.length < lines.join("\n").length;
  return isCut ? [...shown, "… This is not all of it. All of it is shown where it is answered."] : shown;
}
