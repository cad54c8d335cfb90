import { formatMoney } from "../../signal/spending.ts";
import { formatTime } from "../../text/format-time.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { here } from "../questions/dialog.ts";
import { cleanLine } from "../screen/clean.ts";
import { LineField } from "../screen/line-field.ts";
import { ListFilter } from "../screen/list-filter.ts";
import { footRow, listRows, moved } from "../screen/list-rows.ts";
import type { Panel } from "../screen/panel.ts";
import { shortPath } from "../screen/short-path.ts";
import type { Theme } from "../screen/theme.ts";
import { cut, isKey, printableOf, wrap } from "../screen/toolkit.ts";
import type { SilentAnswer } from "../session/silent-requests.ts";

/** What choosing a session needs. */
export type SessionPanelParts = {
  readonly ask: (payload: JsonObject, answered: (answer: SilentAnswer) => void) => void;
  readonly clock: () => number;
  readonly home: string;
  /** The session that is open. */
  readonly current: () => string;
  readonly open: (id: string) => void;
  readonly changed: () => void;
  readonly close: () => void;
};

type Listed = {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  readonly usedAt: number;
  readonly turns: number;
  readonly cost: number;
  readonly questions: number;
  readonly unseen: number;
};

/** A session is given a name, or deleted. */
type Change = { readonly kind: "name" | "delete"; readonly session: Listed };

/** The sessions: opens one with its past, forks, names and deletes it. */
export class SessionPanel implements Panel {
  readonly keepsPrompt = false;
  readonly #parts: SessionPanelParts;
  readonly #name = new LineField();
  readonly #filter = new ListFilter();
  #sessions: readonly Listed[] | null = null;
  #at = 0;
  /** What is being done to a session, whatever becomes of the list meanwhile; null while one is chosen. */
  #change: Change | null = null;
  /** What the daemon said to the last change. */
  #said = "";

  constructor(parts: SessionPanelParts) {
    this.#parts = parts;
    this.#load();
  }

  rows(columns: number, rows: number, theme: Theme): readonly string[] {
    const say = (text: string): string => theme.accent(cut(` ${text}`, columns));
    const sessions = this.#sessions;
    if (sessions === null) return [say("reading the sessions …")];
    if (sessions.length === 0)
      return [" There is no session yet. What you say first begins one.", say("Esc back")];
    const now = here(this.#parts.clock());
    const left = this.#left;
    const list = left.map((one) => ({
      left: one.title,
      right: [
        ...(one.id === this.#parts.current() ? ["this one"] : []),
        ...(one.questions === 0 ? [] : [`${one.questions} waiting`]),
        ...(one.unseen === 0 ? [] : [`${one.unseen} new`]),
        ...(one.cost === 0 ? [] : [formatMoney(one.cost)]),
        formatTime(one.usedAt, now),
      ].join(" · "),
    }));
    const chosen = left[this.#at];
    const folder = chosen?.folder ?? "";
    const turns = chosen?.turns === 1 ? "1 turn" : `${chosen?.turns ?? 0} turns`;
    const said =
      this.#said === ""
        ? []
        : wrap(this.#said, columns - 2)
            .slice(0, 3)
            .map((row) => ` ${row}`);
    return [
      this.#filter.row(
        "Sessions",
        { left: left.length, all: sessions.length },
        { columns, theme, hint: "type to filter" },
      ),
      ...listRows(list, this.#at, { columns, rows: Math.max(1, rows - 4 - said.length), theme }),
      ...(chosen === undefined
        ? []
        : [theme.dim(cut(`   ${folder === "" ? "no folder" : folder} · ${turns}`, columns))]),
      ...said,
      ...this.#foot(columns, theme),
    ];
  }

  #foot(columns: number, theme: Theme): readonly string[] {
    const change = this.#change;
    if (change?.kind === "name")
      return [this.#name.row(`new name of “${cut(change.session.title, 15)}”:`, theme)];
    if (change?.kind === "delete") {
      const sure = `Delete “${cut(change.session.title, 30)}” and its words for good? y yes · any other key: no`;
      return wrap(sure, columns - 2).map((row) => ` ${theme.warning(row)}`);
    }
    const keys = "↑↓ choose · Enter open · ^F fork · ^R rename · ^D delete · Esc back";
    return [footRow(keys, "↑↓ Enter ^F fork ^R name ^D del Esc", columns, theme)];
  }

  onPaste(text: string): void {
    if (this.#change?.kind === "name") this.#name.paste(text);
    else if (this.#change === null) {
      this.#filter.paste(text);
      this.#at = 0;
    }
  }

  /** The sessions that the filter leaves. */
  get #left(): readonly Listed[] {
    return this.#filter.keep(this.#sessions ?? [], ({ title, folder, questions }) =>
      [title, folder, ...(questions === 0 ? [] : [`${questions} waiting`])].join(" "),
    );
  }

  onKey(data: string): void {
    const change = this.#change;
    if (change?.kind === "name") this.#onNameKey(data, change.session);
    else if (change?.kind === "delete") {
      this.#change = null;
      if (printableOf(data) === "y") this.#request({ action: "delete-session", id: change.session.id });
    } else this.#onListKey(data, this.#left[this.#at]);
  }

  #onListKey(data: string, chosen: Listed | undefined): void {
    const count = this.#left.length;
    this.#said = "";
    if (this.#filter.onKey(data)) this.#at = 0;
    else if (isKey(data, "escape")) this.#parts.close();
    else if (isKey(data, "up")) this.#at = moved(this.#at, -1, count);
    else if (isKey(data, "down")) this.#at = moved(this.#at, 1, count);
    else if (isKey(data, "pageUp")) this.#at = moved(this.#at, -10, count);
    else if (isKey(data, "pageDown")) this.#at = moved(this.#at, 10, count);
    else if (chosen === undefined) return;
    else if (isKey(data, "enter")) this.#open(chosen.id);
    else if (isKey(data, "ctrl+f")) this.#fork(chosen.id);
    else if (isKey(data, "ctrl+d")) this.#change = { kind: "delete", session: chosen };
    else if (isKey(data, "ctrl+r")) {
      this.#name.text = "";
      this.#change = { kind: "name", session: chosen };
    }
  }

  #onNameKey(data: string, { id }: Listed): void {
    if (isKey(data, "escape")) this.#change = null;
    else if (!isKey(data, "enter")) this.#name.onKey(data);
    else {
      this.#change = null;
      const name = this.#name.text.trim();
      if (name !== "") this.#request({ action: "rename-session", id, name });
    }
  }

  #open(id: string): void {
    this.#parts.close();
    if (id !== this.#parts.current()) this.#parts.open(id);
  }

  #fork(id: string): void {
    this.#parts.ask({ action: "fork-session", id }, ({ text, data }) => {
      const made = isJsonObject(data) ? data["id"] : null;
      if (typeof made === "string") this.#open(made);
      else this.#said = text;
      this.#parts.changed();
    });
  }

  #request(payload: JsonObject): void {
    this.#parts.ask(payload, ({ text }) => {
      this.#said = text;
      this.#load();
    });
  }

  #load(): void {
    this.#parts.ask({ action: "sessions" }, ({ data }) => {
      const chosen = this.#left[this.#at]?.id ?? this.#parts.current();
      this.#sessions = listedOf(data, this.#parts.home);
      const at = this.#left.findIndex(({ id }) => id === chosen);
      this.#at = at === -1 ? moved(this.#at, 0, Math.max(1, this.#left.length)) : at;
      this.#parts.changed();
    });
  }
}

/** The sessions as they are listed: those with a question that waits stand first. */
function listedOf(data: Json, home: string): readonly Listed[] {
  if (!isJsonArray(data)) return [];
  const all = data.flatMap((one) => {
    if (!isJsonObject(one) || typeof one["id"] !== "string") return [];
    const text = (key: string): string => (typeof one[key] === "string" ? cleanLine(one[key]) : "");
    const number = (key: string): number => (typeof one[key] === "number" ? one[key] : 0);
    return [
      {
        id: one["id"],
        title: text("title"),
        folder: shortPath(text("workspace"), home),
        usedAt: number("used-at-ms"),
        turns: number("turns"),
        cost: number("cost-microdollars"),
        questions: number("questions"),
        unseen: number("unseen"),
      },
    ];
  });
  return all.toSorted((one, other) => Number(other.questions > 0) - Number(one.questions > 0));
}
