import { formatTime } from "../../text/format-time.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { here } from "../questions/dialog.ts";
import { answerGuard } from "../screen/answer-guard.ts";
import { cleanLine } from "../screen/clean.ts";
import { ListFilter } from "../screen/list-filter.ts";
import { footRow, listRows, moved } from "../screen/list-rows.ts";
import type { Panel } from "../screen/panel.ts";
import type { Theme } from "../screen/theme.ts";
import { cut, isKey, printableOf, wrap } from "../screen/toolkit.ts";
import type { SilentAnswer } from "../session/silent-requests.ts";

/** What going back needs. */
export type RewindParts = {
  readonly ask: (payload: JsonObject, answered: (answer: SilentAnswer) => void) => void;
  readonly clock: () => number;
  readonly changed: () => void;
  /** It was done: `said` is what was taken back; null where the words stay. */
  readonly done: (text: string, said: SaidMoment | null) => void;
  /** It was not done. */
  readonly refused: (text: string) => void;
  readonly close: () => void;
};

/** What was said in a moment, to be said again. */
export type SaidMoment = {
  readonly words: string;
  readonly pastes: readonly string[];
  /** Files that came with it, as they are attached to the next words. */
  readonly attached: Json;
  /** What of it does not come back, and what to do, in sentences. */
  readonly losses: readonly string[];
};

type Moment = { readonly id: string; readonly at: number; readonly words: string; readonly changed: string };

/**
 * What would be taken back, as rows, by going back to a moment. It came into view at `since`, in Unix
 * milliseconds.
 */
type Preview = { readonly moment: Moment; readonly rows: readonly string[]; readonly since: number };

/** Goes back to before something that the owner said: chooses the moment, shows what would be taken back, and takes it back. */
export class RewindPanel implements Panel {
  readonly keepsPrompt = false;
  readonly #parts: RewindParts;
  readonly #filter = new ListFilter();
  #moments: readonly Moment[] | null = null;
  #at = 0;
  /** The preview in view; null while a moment is chosen. */
  #preview: Preview | null = null;
  #scroll = 0;
  #isAsking = false;

  constructor(parts: RewindParts) {
    this.#parts = parts;
    parts.ask({ action: "moments" }, ({ data }) => {
      this.#moments = momentsOf(data);
      parts.changed();
    });
  }

  rows(columns: number, rows: number, theme: Theme): readonly string[] {
    const say = (text: string): string => theme.accent(cut(` ${text}`, columns));
    const moments = this.#moments;
    if (moments === null) return [say("reading what was said …")];
    if (moments.length === 0) return [" Nothing was said here that could be taken back.", say("Esc back")];
    if (this.#preview === null) {
      const now = here(this.#parts.clock());
      const left = this.#left;
      const list = left.map(({ at, words, changed }) => ({
        left: words,
        right: [changed, formatTime(at, now)].filter((part) => part !== "").join(" · "),
      }));
      return [
        this.#filter.row(
          "Go back to before",
          { left: left.length, all: moments.length },
          { columns, theme, hint: "type to filter" },
        ),
        ...listRows(list, this.#at, { columns, rows: Math.max(1, rows - 2), theme }),
        footRow(
          "↑↓ choose · Enter show what would be taken back · Esc back",
          "↑↓ Enter show it · Esc back",
          columns,
          theme,
        ),
      ];
    }
    const all = this.#preview.rows.flatMap((row) => wrap(row === "" ? " " : row, columns - 2));
    const room = Math.max(1, rows - 1);
    this.#scroll = Math.max(0, Math.min(this.#scroll, all.length - room));
    const shown = all.slice(this.#scroll, this.#scroll + room).map((row) => ` ${coloured(row, theme)}`);
    const left = all.length - room - this.#scroll;
    const more = left > 0 ? `↓ ${left} more rows · ` : "";
    const keys = `${more}b both · w words alone · f files alone · Esc back`;
    return [...shown, footRow(keys, `${more}b both w words f files Esc`, columns, theme)];
  }

  /** The moments that the filter leaves. */
  get #left(): readonly Moment[] {
    return this.#filter.keep(this.#moments ?? [], ({ words, changed }) => `${words} ${changed}`);
  }

  onPaste(text: string): void {
    if (this.#preview !== null) return;
    this.#filter.paste(text);
    this.#at = 0;
  }

  onKey(data: string): void {
    if (this.#preview === null) this.#onListKey(data);
    else this.#onPreviewKey(data, this.#preview);
  }

  #onListKey(data: string): void {
    const count = this.#left.length;
    if (this.#filter.onKey(data)) this.#at = 0;
    else if (isKey(data, "escape")) this.#parts.close();
    else if (isKey(data, "up")) this.#at = moved(this.#at, -1, count);
    else if (isKey(data, "down")) this.#at = moved(this.#at, 1, count);
    else if (isKey(data, "pageUp")) this.#at = moved(this.#at, -10, count);
    else if (isKey(data, "pageDown")) this.#at = moved(this.#at, 10, count);
    else if (isKey(data, "enter")) this.#showPreview();
  }

  #onPreviewKey(data: string, preview: Preview): void {
    const what = { b: "all", w: "words", f: "files" }[printableOf(data)];
    if (isKey(data, "escape")) this.#preview = null;
    else if (isKey(data, "up")) this.#scroll -= 1;
    else if (isKey(data, "down")) this.#scroll += 1;
    else if (isKey(data, "pageUp")) this.#scroll -= 10;
    else if (isKey(data, "pageDown")) this.#scroll += 10;
    else if (what !== undefined) this.#goBack(preview, what);
  }

  #showPreview(): void {
    const moment = this.#left[this.#at];
    if (moment === undefined || this.#isAsking) return;
    this.#isAsking = true;
    this.#parts.ask({ action: "rewind", turn: moment.id, preview: true }, ({ text }) => {
      this.#isAsking = false;
      this.#scroll = 0;
      this.#preview = { moment, rows: text.split("\n"), since: this.#parts.clock() };
      this.#parts.changed();
    });
  }

  /** Takes back what the preview shows. A key that was typed before it could be read does nothing. */
  #goBack({ moment, since }: Preview, what: string): void {
    if (this.#isAsking || this.#parts.clock() - since < answerGuard) return;
    this.#isAsking = true;
    const goBack = (said: SaidMoment | null): void =>
      this.#parts.ask({ action: "rewind", turn: moment.id, what }, ({ code, text }) => {
        this.#parts.close();
        if (!code.startsWith("rewound")) this.#parts.refused(text);
        else this.#parts.done(text, said);
      });
    if (what === "files") goBack(null);
    else this.#parts.ask({ action: "moments", turn: moment.id }, (answer) => goBack(saidOf(answer)));
  }
}

/** The rows of a change in their colours. */
function coloured(row: string, theme: Theme): string {
  if (/^\s*│ \+/.test(row)) return theme.added(row);
  return /^\s*│ -/.test(row) ? theme.removed(row) : row;
}

/** What was said in a moment, of the answer of the daemon: one of another version has none. */
function saidOf({ code, text, data }: SilentAnswer): SaidMoment {
  if (code !== "moment" || !isJsonObject(data)) {
    const losses = [
      "Your words could not be read again: ↑ at the prompt finds them, or /redo brings them back.",
    ];
    return { words: "", pastes: [], attached: [], losses };
  }
  const strings = (value: Json | undefined): readonly string[] =>
    isJsonArray(value ?? null) ? [value].flat().filter((one) => typeof one === "string") : [];
  const gone = strings(data["gone"]).map(cleanLine);
  const losses = [
    ...(gone.length === 0 ? [] : [`Attach again what came with them: ${gone.join(", ")}.`]),
    ...(data["masked"] === true ? ["A key in your words is masked."] : []),
  ];
  return { words: text, pastes: strings(data["pastes"]), attached: data["attached"] ?? [], losses };
}

function momentsOf(data: Json): readonly Moment[] {
  if (!isJsonArray(data)) return [];
  return data.flatMap((one) => {
    if (!isJsonObject(one) || typeof one["id"] !== "string") return [];
    const number = (key: string): number => (typeof one[key] === "number" ? one[key] : 0);
    const [files, commands] = [number("files"), number("commands")];
    const changed = [
      ...(files === 0 ? [] : [files === 1 ? "1 file" : `${files} files`]),
      ...(commands === 0 ? [] : [commands === 1 ? "1 command" : `${commands} commands`]),
    ].join(", ");
    const words = cleanLine(typeof one["words"] === "string" ? one["words"] : "");
    return [{ id: one["id"], at: number("at-ms"), words, changed }];
  });
}
