import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import type { Offer } from "../../signal/offer.ts";
import { formatTime } from "../../text/format-time.ts";
import type { Theme } from "../screen/theme.ts";
import { cut, isKey, widthOf } from "../screen/toolkit.ts";
import { type DialogFrame, type DialogKeys, keysRow } from "./dialog-keys.ts";
import { offersOf } from "./offers.ts";
import { isPlan } from "./plan-rows.ts";
import { questionRows } from "./question-rows.ts";

/** What a key that was typed alone means for a question. */
export type Decision =
  | { readonly kind: "yes" | "no" | "explain" | "list" | "offers" | "back" | "details" }
  /** Yes, with what this offer says. */
  | { readonly kind: "offer"; readonly id: Offer["id"] }
  /** A yes to what was not wholly on the screen: nothing is approved. */
  | { readonly kind: "unseen" };

/** Rows of a dialog that are not the question: its borders and its keys. */
const frameRows = 3;

/** The questions of this session that wait, one in view, and how much of it has been on the screen. */
export class ApprovalDialog {
  readonly #home: string;
  readonly #clock: () => number;
  #turn: string | null = null;
  #question = "";
  #token = "";
  #shownAt = Number.POSITIVE_INFINITY;
  #scroll = 0;
  #details = false;
  /** Details were asked for, and are not in view yet. */
  #revealsDetails = false;
  #asksOffer = false;
  /** How far it can be scrolled, and rows of a page, at the last frame. */
  #most = 0;
  #page = 1;
  /** Rows from the top that have been on the screen, in this layout. */
  #seen = 0;
  #layout = "";
  /** Whether each row has been on the screen, in whatever layout. */
  #isSeen = false;
  /** A yes came too early. */
  #refused = false;

  constructor(given: { readonly home: string; readonly clock: () => number }) {
    this.#home = given.home;
    this.#clock = given.clock;
  }

  /** The question in view; null where none waits. */
  select(questions: ReadonlyMap<string, ApprovalQuestion>): ApprovalQuestion | null {
    const found = this.#turn === null ? undefined : questions.get(this.#turn);
    const shown = found ?? questions.values().next().value ?? null;
    if (shown === null) {
      this.#turn = null;
      this.#question = "";
      this.#token = "";
      return null;
    }
    if (shown.token !== this.#token && nameOf(shown) !== this.#question) this.#show(shown);
    this.#token = shown.token;
    return shown;
  }

  #show(question: ApprovalQuestion): void {
    this.#turn = question.turn;
    this.#question = nameOf(question);
    this.#token = question.token;
    this.#scroll = 0;
    this.#details = false;
    this.#revealsDetails = false;
    this.#asksOffer = false;
    this.#seen = 0;
    this.#isSeen = false;
    this.#refused = false;
    this.restartGuard();
  }

  get token(): string {
    return this.#token;
  }

  /** It came up again after it was hidden. */
  restartGuard(): void {
    this.#shownAt = this.#clock();
  }

  /** Milliseconds for which the question in view has stood. */
  get standsFor(): number {
    return this.#clock() - this.#shownAt;
  }

  /** What a key means that writes a letter or a number; null where it means nothing here. */
  decisionOf(data: string, questions: ReadonlyMap<string, ApprovalQuestion>): Decision | null {
    const question = questions.get(this.#turn ?? "");
    if (question === undefined) return null;
    const offers = offersOf(question, this.#home);
    if (this.#asksOffer) return this.#seenOnly(offerOf(data, offers) ?? { kind: "back" });
    if (isKey(data, "y")) return this.#seenOnly({ kind: "yes" });
    if (isKey(data, "n")) return { kind: "no" };
    if (isKey(data, "w")) return { kind: "explain" };
    if (isKey(data, "d")) return { kind: "details" };
    if (isKey(data, "a") && offers.length > 0) return { kind: "offers" };
    return isKey(data, "l") && questions.size > 1 ? { kind: "list" } : null;
  }

  #seenOnly(decision: Decision): Decision {
    return this.#isSeen || decision.kind === "back" ? decision : { kind: "unseen" };
  }

  /** A key that moves what is in view. */
  move(data: string, questions: ReadonlyMap<string, ApprovalQuestion>): void {
    if (isKey(data, "up")) this.scroll(-1);
    if (isKey(data, "down")) this.scroll(1);
    if (isKey(data, "pageUp")) this.scroll(-this.#page);
    if (isKey(data, "pageDown")) this.scroll(this.#page);
    if (isKey(data, "tab") || isKey(data, "right")) this.#next(questions, 1);
    if (isKey(data, "shift+tab") || isKey(data, "left")) this.#next(questions, -1);
  }

  /** Details come into view, and with them goes what was scrolled for them. */
  toggleDetails(): void {
    this.#details = !this.#details;
    this.#revealsDetails = this.#details;
    if (!this.#details) this.#scroll = 0;
  }

  /** Whether the next key is one of an offer. */
  set asksOffer(asks: boolean) {
    this.#asksOffer = asks;
  }

  /** Says that a yes does not count yet. */
  refuse(): void {
    this.#refused = true;
  }

  /** No row is passed over that was not on the screen. */
  scroll(by: number): void {
    this.#refused = false;
    const most = this.#isSeen ? this.#most : Math.min(this.#most, Math.max(this.#seen, this.#scroll));
    this.#scroll = Math.max(0, Math.min(most, this.#scroll + by));
  }

  #next(questions: ReadonlyMap<string, ApprovalQuestion>, by: number): void {
    const turns = [...questions.keys()];
    const at = turns.indexOf(this.#turn ?? "");
    const next = questions.get(turns[(at + by + turns.length) % turns.length] ?? "");
    if (next !== undefined && next.turn !== this.#turn) this.#show(next);
  }

  /**
   * The dialog in a frame, at most so many rows high. Its content scrolls where it is taller; all of it that
   * is given is on the screen.
   */
  render(question: ApprovalQuestion, frame: DialogFrame): readonly string[] {
    const { columns, rows, theme, place } = frame;
    const line = theme.warning;
    if (rows <= frameRows)
      return rows < 1 ? [] : [line(cut(" ? A question waits. Make the window taller to read it.", columns))];
    const inner = Math.max(1, columns - 4);
    const all = this.#layOut(question, inner, theme);
    const room = rows - frameRows;
    this.#most = Math.max(0, all.length - room);
    this.#page = Math.max(1, room - 1);
    this.#scroll = Math.min(this.#scroll, this.#most);
    const shown = all.slice(this.#scroll, this.#scroll + room);
    this.#note(all.length, shown.length, columns);
    const expires = ` expires ${formatTime(question.expiresAt, here(this.#clock()))} `;
    const step = place === null ? "" : ` ${place.at} of ${place.of} in this step `;
    return [
      line(border("┌", isPlan(question) ? " Flight plan " : " May I? ", "┐", columns, step)),
      ...shown.map((row) => boxed(row, inner, line)),
      ...(all.length < room ? [boxed("", inner, line)] : []),
      boxed(keysRow({ ...frame, ...this.#keys(question) }, inner), inner, line),
      line(border("└", this.#moreWords(), "┘", columns, expires)),
    ];
  }

  #layOut(question: ApprovalQuestion, columns: number, theme: Theme): readonly string[] {
    const details = this.#details;
    const layout = {
      columns,
      theme,
      home: this.#home,
      details,
      tried: details ? "unfolded" : "folded",
    } as const;
    const all = questionRows(question, layout);
    if (this.#revealsDetails) {
      const brief = questionRows(question, { ...layout, details: false, tried: "folded" });
      this.#scroll = all.findIndex((row, index) => row !== brief[index]);
      this.#revealsDetails = false;
    }
    return all;
  }

  /** Takes note of the rows that come on the screen. Rows of another layout are other rows. */
  #note(all: number, shown: number, columns: number): void {
    const layout = `${columns} ${this.#details}`;
    if (layout !== this.#layout) this.#seen = 0;
    this.#layout = layout;
    if (this.#scroll <= this.#seen) this.#seen = Math.max(this.#seen, this.#scroll + shown);
    if (this.#seen >= all) this.#isSeen = true;
  }

  #moreWords(): string {
    if (this.#most === 0) return "";
    return ` ${this.#scroll === this.#most ? "↑ all shown" : `↓ ${this.#most - this.#scroll} more rows`} `;
  }

  #keys(question: ApprovalQuestion): Omit<DialogKeys, keyof DialogFrame> {
    return {
      offers: offersOf(question, this.#home),
      isPlan: isPlan(question),
      isSeen: this.#isSeen,
      asksOffer: this.#asksOffer,
      refused: this.#refused,
      details: this.#details,
      turn: question.turn,
    };
  }
}

/** The key after `a`: the number of an offer, or `a` again for the only one. */
function offerOf(data: string, offers: readonly Offer[]): Decision | null {
  const [only] = offers;
  const chosen = offers.length === 1 && isKey(data, "a") ? only : offers[Number(data) - 1];
  return chosen === undefined ? null : { kind: "offer", id: chosen.id };
}

/** What makes a question another one. It may be shown again under another token. */
export function nameOf({ turn, expiresAt, action, effects }: ApprovalQuestion): string {
  return JSON.stringify([turn, expiresAt, action, effects]);
}

/** The time of this machine. */
export function here(now: number): { readonly now: number; readonly zoneMinutes: number } {
  return { now, zoneMinutes: -new Date(now).getTimezoneOffset() };
}

function boxed(row: string, inner: number, line: (text: string) => string): string {
  return `${line("│")} ${row}${" ".repeat(Math.max(0, inner - widthOf(row)))} ${line("│")}`;
}

/** A border with words in it: at its left, and where they fit at its right. */
function border(left: string, words: string, right: string, columns: number, end = ""): string {
  const room = columns - 2 - widthOf(words);
  const fits = widthOf(end) + 2 <= room ? end : "";
  const middle = `${words}${"─".repeat(Math.max(0, room - widthOf(fits) - (fits === "" ? 0 : 1)))}${fits}${fits === "" ? "" : "─"}`;
  return cut(`${left}${middle}${right}`, columns);
}
