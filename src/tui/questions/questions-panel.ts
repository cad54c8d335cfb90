import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import { titleOf } from "../calls/call.ts";
import { aloneFor, answerGuard } from "../screen/answer-guard.ts";
import { cleanLine } from "../screen/clean.ts";
import { ListFilter } from "../screen/list-filter.ts";
import { footRow, listRows, moved } from "../screen/list-rows.ts";
import type { Panel } from "../screen/panel.ts";
import type { Theme } from "../screen/theme.ts";
import { cut, isKey, printableOf } from "../screen/toolkit.ts";
import { questionRows } from "./question-rows.ts";

/** What answering several questions needs. */
export type QuestionsParts = {
  readonly questions: () => ReadonlyMap<string, ApprovalQuestion>;
  readonly home: string;
  readonly clock: () => number;
  readonly answer: (question: ApprovalQuestion, answer: "approve" | "deny") => void;
  readonly close: () => void;
};

/** Rows of the list; the question that is chosen stands below it, whole. */
const mostListed = 6;
/** Rows for the title, the line below the list, and the keys. */
const otherRows = 3;

/** All questions that wait, one below the other: each is marked with a yes or a no, and Enter sends the marks. Nothing is answered by a mark alone. */
export class QuestionsPanel implements Panel {
  readonly keepsPrompt = false;
  readonly #parts: QuestionsParts;
  /** By token: a question that was asked again has another one. */
  readonly #marks = new Map<string, "approve" | "deny">();
  readonly #filter = new ListFilter();
  /** Whether keys are words of the filter, and answer nothing. */
  #types = false;
  #at = 0;
  #scroll = 0;
  #shownAt: number;
  /** The token of the question in view; empty where none is. */
  #shown = "";
  /**
   * Rows from the top of the question in view that have been on the screen, and the questions of which all
   * have.
   */
  #seen = 0;
  readonly #whole = new Set<string>();
  #columns = 0;
  #page = 1;
  #typedAt = Number.NEGATIVE_INFINITY;
  #said = "";

  constructor(parts: QuestionsParts) {
    this.#parts = parts;
    this.#shownAt = parts.clock();
  }

  rows(columns: number, rows: number, theme: Theme): readonly string[] {
    const questions = this.#questions;
    const say = (text: string): string => theme.accent(cut(` ${text}`, columns));
    const all = this.#parts.questions().size;
    if (all === 0) return [" No question waits any more.", say("Esc back")];
    const chosen = this.#chosen;
    const list = questions.map((question) => ({ left: this.#lineOf(question), right: "" }));
    const height = Math.min(mostListed, questions.length, Math.max(1, Math.floor(rows / 3)));
    if (rows < height + otherRows + 1) return [say("Make the window taller to read the questions. Esc back")];
    const layout = {
      columns: columns - 4,
      theme,
      home: this.#parts.home,
      details: false,
      tried: "unfolded",
    } as const;
    const body = chosen === null ? [] : questionRows({ ...chosen }, layout);
    const room = rows - height - otherRows;
    this.#scroll = Math.max(0, Math.min(this.#scroll, body.length - room));
    if (chosen !== null) this.#note(body.length, room, columns);
    const left = body.length - room - this.#scroll;
    const more = `${this.#said}${left > 0 ? `PageDown ${left} more · ` : ""}`;
    const marked = this.#marks.size;
    return [
      this.#filter.row(
        `${all} ${all === 1 ? "question waits" : "questions wait"}`,
        { left: questions.length, all },
        { columns, theme, hint: this.#types ? "type to filter" : "/ filter" },
      ),
      ...listRows(list, this.#at, { columns, rows: height, theme }),
      theme.dim("─".repeat(columns)),
      ...body.slice(this.#scroll, this.#scroll + room).map((row) => `   ${row}`),
      footRow(
        `${more}↑↓ choose · y yes · n no · Enter send ${marked} ${marked === 1 ? "answer" : "answers"} · Esc back`,
        `${more}↑↓ y n Enter send ${marked} Esc`,
        columns,
        theme,
      ),
    ];
  }

  /** Takes note of the rows that come on the screen. */
  #note(all: number, room: number, columns: number): void {
    if (columns !== this.#columns) this.#seen = 0;
    this.#columns = columns;
    this.#page = Math.max(1, room - 1);
    if (this.#scroll <= this.#seen) this.#seen = Math.max(this.#seen, this.#scroll + room);
    if (this.#seen >= all) this.#whole.add(this.#shown);
  }

  #lineOf({ token, action }: ApprovalQuestion): string {
    const mark = { approve: "[y]", deny: "[n]", none: "[ ]" }[this.#marks.get(token) ?? "none"];
    const { verb, what } = titleOf(action);
    return `${mark} ${verb} ${cleanLine(what)}`;
  }

  get #questions(): readonly ApprovalQuestion[] {
    return this.#filter.keep([...this.#parts.questions().values()], ({ action, workspace }) => {
      const { verb, what } = titleOf(action);
      return [verb, what, action.explanation, workspace ?? ""].join(" ");
    });
  }

  /** The question in view: it stays the same while others come and go around it. */
  get #chosen(): ApprovalQuestion | null {
    return this.#choose(0);
  }

  /**
   * Chooses the question so many places from the one in view. One that came into view is not marked at once.
   */
  #choose(by: number): ApprovalQuestion | null {
    const questions = this.#questions;
    const kept = questions.findIndex(({ token }) => token === this.#shown);
    this.#at = moved(kept === -1 ? this.#at : kept, by, questions.length);
    const chosen = questions[this.#at] ?? null;
    const token = chosen?.token ?? "";
    if (token !== this.#shown) {
      this.#shown = token;
      this.#shownAt = this.#parts.clock();
      this.#scroll = 0;
      this.#seen = 0;
    }
    return chosen;
  }

  onPaste(text: string): void {
    if (this.#types) this.#filter.paste(text);
  }

  /** A key of the filter; false for every other. Enter and the arrows end the typing, and leave the words. */
  #onFilterKey(data: string): boolean {
    if (!this.#types) {
      if (isKey(data, "escape") && this.#filter.onKey(data)) return true;
      this.#types = printableOf(data) === "/";
      return this.#types;
    }
    if (this.#filter.onKey(data)) return true;
    if (isKey(data, "enter") || isKey(data, "escape")) this.#types = false;
    else if (printableOf(data) === "" && !isKey(data, "backspace")) {
      this.#types = false;
      return false;
    }
    return true;
  }

  onKey(data: string): void {
    if (this.#onFilterKey(data)) {
      this.#typedAt = this.#parts.clock();
      return;
    }
    const typed = printableOf(data);
    const now = this.#parts.clock();
    // Enter behind a key is the end of typed words.
    const isTyping = now - this.#typedAt < aloneFor;
    if (typed !== "") this.#typedAt = now;
    this.#said = "";
    if (isKey(data, "escape")) this.#parts.close();
    else if (isKey(data, "up")) this.#choose(-1);
    else if (isKey(data, "down") || isKey(data, "tab")) this.#choose(1);
    else if (isKey(data, "pageUp")) this.#scroll -= this.#page;
    // No row is passed over that was not on the screen.
    else if (isKey(data, "pageDown")) this.#scroll = Math.min(this.#scroll + this.#page, this.#seen);
    else if (isKey(data, "enter")) {
      if (!isTyping) this.#send();
    } else if (typed === "y") this.#mark("approve");
    else if (typed === "n") this.#mark("deny");
  }

  /** Marks the question in view, and goes on to the next one; the same mark again takes it away. */
  #mark(answer: "approve" | "deny"): void {
    const { token } = this.#chosen ?? {};
    if (token === undefined || this.#parts.clock() - this.#shownAt < answerGuard) return;
    if (answer === "approve" && !this.#whole.has(token)) {
      this.#said = "not marked: read its end first · ";
      return;
    }
    if (this.#marks.get(token) === answer) this.#marks.delete(token);
    else {
      this.#marks.set(token, answer);
      this.#choose(1);
    }
  }

  #send(): void {
    if (this.#marks.size === 0) return;
    for (const question of this.#parts.questions().values()) {
      const answer = this.#marks.get(question.token);
      if (answer !== undefined) this.#parts.answer(question, answer);
    }
    this.#parts.close();
  }
}
