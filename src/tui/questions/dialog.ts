import type { Offer } from "../../signal/offer.ts";
import type { ApprovalQuestion } from "../../signal/shown/approval-question.ts";
import { formatTime } from "../../signal/text/format-time.ts";
import type { PlaceInStep } from "../calls/step-calls.ts";
import { TypingGuard } from "../screen/answer-guard.ts";
import type { Theme } from "../screen/theme.ts";
import { cut, isKey, widthOf } from "../screen/toolkit.ts";
import { offersOf } from "./offers.ts";
import { isPlan } from "./plan-rows.ts";
import { questionRows } from "./question-rows.ts";

/** What the owner wants of a question. */
export type Decision =
  | { readonly kind: "yes" | "no" | "explain" }
  /** Yes, with what this offer says. */
  | { readonly kind: "offer"; readonly id: Offer["id"] }
  /** Nothing was decided: the dialog changed, or took no notice. */
  | { readonly kind: "none" };

/**
 * The questions that wait, one in view. It takes a key only after it stood there for a moment without one: what was typed for something else
 * never answers it.
 */
export class ApprovalDialog {
  readonly #home: string;
  readonly #clock: () => number;
  readonly #guard: TypingGuard;
  #turn: string | null = null;
  #token = "";
  #scroll = 0;
  #details = false;
  /** Details were asked for, and are not in view yet. */
  #revealsDetails = false;
  #asksOffer = false;
  /** How far it can be scrolled, at the last frame. */
  #most = 0;

  constructor(given: { readonly home: string; readonly clock: () => number }) {
    this.#home = given.home;
    this.#clock = given.clock;
    this.#guard = new TypingGuard(given.clock);
  }

  /** The question in view; null where none waits. A question that comes into view starts the guard. */
  select(questions: ReadonlyMap<string, ApprovalQuestion>): ApprovalQuestion | null {
    const found = this.#turn === null ? undefined : questions.get(this.#turn);
    const shown = found ?? questions.values().next().value ?? null;
    if (shown === null) {
      this.#turn = null;
      this.#token = "";
      return null;
    }
    if (shown.turn !== this.#turn || shown.expiresAt !== this.#expires) this.#show(shown);
    this.#token = shown.token;
    return shown;
  }

  #expires = 0;

  #show({ turn, expiresAt }: ApprovalQuestion): void {
    this.#turn = turn;
    this.#expires = expiresAt;
    this.#scroll = 0;
    this.#details = false;
    this.#asksOffer = false;
    this.restartGuard();
  }

  get token(): string {
    return this.#token;
  }

  /** After this the dialog takes no key for a moment: it came up, or was hidden. */
  restartGuard(): void {
    this.#guard.restart();
  }

  /** Whether a key that comes now is for the dialog. One that is not makes it wait again. */
  takesKey(): boolean {
    return this.#guard.takesKey();
  }

  onKey(data: string, questions: ReadonlyMap<string, ApprovalQuestion>): Decision {
    const question = questions.get(this.#turn ?? "");
    const offers = question === undefined ? [] : offersOf(question, this.#home);
    if (this.#asksOffer) return this.#takeOffer(data, offers);
    if (isKey(data, "y")) return { kind: "yes" };
    if (isKey(data, "n")) return { kind: "no" };
    if (isKey(data, "w")) return { kind: "explain" };
    if (isKey(data, "d")) this.#toggleDetails();
    if (isKey(data, "a")) this.#asksOffer = offers.length > 0;
    if (isKey(data, "up")) this.scroll(-1);
    if (isKey(data, "down")) this.scroll(1);
    if (isKey(data, "pageUp")) this.scroll(-10);
    if (isKey(data, "pageDown") || isKey(data, "space")) this.scroll(10);
    if (isKey(data, "tab") || isKey(data, "right")) this.#next(questions, 1);
    if (isKey(data, "shift+tab") || isKey(data, "left")) this.#next(questions, -1);
    return { kind: "none" };
  }

  /** Details come into view, and with them goes what was scrolled for them. */
  #toggleDetails(): void {
    this.#details = !this.#details;
    this.#revealsDetails = this.#details;
    if (!this.#details) this.#scroll = 0;
  }

  /** The key after `a`: the number of an offer, or `a` again for the only one. Every other key goes back. */
  #takeOffer(data: string, offers: readonly Offer[]): Decision {
    this.#asksOffer = false;
    const [only] = offers;
    const chosen = offers.length === 1 && isKey(data, "a") ? only : offers[Number(data) - 1];
    return chosen === undefined ? { kind: "none" } : { kind: "offer", id: chosen.id };
  }

  scroll(by: number): void {
    this.#scroll = Math.max(0, Math.min(this.#most, this.#scroll + by));
  }

  #next(questions: ReadonlyMap<string, ApprovalQuestion>, by: number): void {
    const turns = [...questions.keys()];
    const at = turns.indexOf(this.#turn ?? "");
    const next = questions.get(turns[(at + by + turns.length) % turns.length] ?? "");
    if (next !== undefined && next.turn !== this.#turn) this.#show(next);
  }

  /** The dialog in a frame, at most so many rows high. Its content scrolls where it is taller. */
  render(
    question: ApprovalQuestion,
    {
      columns,
      rows,
      theme,
      session,
      waiting,
      place,
    }: {
      readonly columns: number;
      readonly rows: number;
      readonly theme: Theme;
      readonly session: string;
      readonly waiting: readonly string[];
      /** Which of the questions of its step it is; null for the only one. */
      readonly place: PlaceInStep | null;
    },
  ): readonly string[] {
    const inner = Math.max(1, columns - 4);
    const foreign =
      question.session === session ? [] : [theme.warning(cut("A question of another session.", inner))];
    const details = this.#details;
    const tried = details ? "unfolded" : "folded";
    const layout = { columns: inner, theme, home: this.#home, details, tried } as const;
    const all = [...foreign, ...questionRows(question, layout)];
    const room = Math.max(1, rows - 3);
    this.#most = Math.max(0, all.length - room);
    if (this.#revealsDetails) {
      const brief = [...foreign, ...questionRows(question, { ...layout, details: false, tried: "folded" })];
      this.#scroll = all.findIndex((row, index) => row !== brief[index]);
      this.#revealsDetails = false;
    }
    this.#scroll = Math.min(this.#scroll, this.#most);
    const shown = all.slice(this.#scroll, this.#scroll + room);
    const expires = ` expires ${formatTime(question.expiresAt, here(this.#clock()))} `;
    const more =
      this.#most === 0
        ? ""
        : ` ${this.#scroll === this.#most ? "↑ all shown" : `↓ ${this.#most - this.#scroll} more rows`} `;
    const line = theme.warning;
    return [
      line(
        border(
          "┌",
          isPlan(question) ? " Flight plan " : " May I? ",
          "┐",
          columns,
          place === null ? "" : ` ${place.at} of ${place.of} in this step `,
        ),
      ),
      ...shown.map((row) => boxed(row, inner, line)),
      ...(all.length < room ? [boxed("", inner, line)] : []),
      boxed(this.#keys(question, waiting, inner, theme), inner, line),
      line(border("└", more, "┘", columns, expires)),
    ];
  }

  #keys(question: ApprovalQuestion, waiting: readonly string[], columns: number, theme: Theme): string {
    const offers = offersOf(question, this.#home);
    if (this.#asksOffer) {
      const keys = offers.length === 1 ? "a again or 1" : `1 to ${offers.length}`;
      return theme.warning(cut(`${keys}: ${offerWords(offers)} · any other key: back`, columns));
    }
    const at = waiting.indexOf(question.turn) + 1;
    const several = waiting.length > 1 ? [`Tab ${at} of ${waiting.length} waiting`, "l list"] : [];
    const always =
      offers.length === 0
        ? []
        : [offers.some(({ effect }) => effect === "keep-rule") ? "a always" : "a yes, and"];
    const long = [
      isPlan(question) ? "y approve all" : "y yes",
      "n no",
      "w no, and say why",
      `d ${this.#details ? "hide" : "details"}`,
      ...always,
      ...several,
    ].join("   ");
    const short = [
      "y yes",
      "n no",
      "w why",
      `d ${this.#details ? "less" : "more"}`,
      ...always,
      ...several,
    ].join(" ");
    return theme.bold(widthOf(long) <= columns ? long : cut(short, columns));
  }
}

/** What the next key decides. */
function offerWords(offers: readonly Offer[]): string {
  if (offers.length > 1) return "yes, with what stands beside the number";
  return offers[0]?.effect === "keep-rule" ? "keep this rule, and say yes" : "yes, with this value as yours";
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
