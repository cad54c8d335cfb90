import type { OutputView } from "../signal/tool.ts";
import type { Turn } from "../signal/turn.ts";
import type { CallWithVerdict } from "./judge-call.ts";
import { silenceName } from "./record-result.ts";
import type { ClientPorts, JudgeTelling } from "./step-ports.ts";

/** What showing the output of a running call needs. */
export type ShowOutputParts = Pick<ClientPorts, "emit"> & {
  readonly judgeTelling: JudgeTelling;
  /** Makes the filter of a text that comes in pieces: it masks keys and makes control characters visible. */
  readonly makeFilter: () => TextFilter;
  /** Whether the owner silenced a target. */
  readonly isSilent: (name: string) => boolean;
};

type TextFilter = { readonly push: (piece: string) => string };

/** Milliseconds between two views, and the lines and characters that one shows. */
const interval = 150;
const mostLines = 20;
const mostCharacters = 4_000;
/** Characters that wait to be shown; of what comes faster the end is shown. */
const mostWaiting = 65_536;

/** Runs a call, and shows the owner meanwhile the last lines of what it prints, where they may see it. Nobody knows yet whether the words are private. */
export async function withView<T>(
  parts: ShowOutputParts,
  { turn, call, prepared }: Pick<CallWithVerdict, "call" | "prepared"> & { readonly turn: Turn },
  run: (view?: OutputView) => Promise<T>,
): Promise<T> {
  if (turn.signal.person !== "owner" || parts.isSilent(silenceName(call))) return run();
  const label = { ...prepared.resultLabel, secrecy: "private" } as const;
  const telling = prepared.resultLabel.secrecy === "secret" ? prepared.resultLabel : label;
  if ((await parts.judgeTelling(turn, "", telling)).decision !== "pass") return run();
  const where = { session: turn.session, turn: turn.id, call: call.id };
  using view = openView(parts, (text) => parts.emit({ type: "output", ...where, text }));
  return await run(view);
}

/** Shows the end of a text that comes in pieces, through the filter, at most so often. */
export function openView(
  parts: Pick<ShowOutputParts, "makeFilter">,
  show: (text: string) => void,
): OutputView & Disposable {
  return new View(parts, show);
}

class View implements OutputView, Disposable {
  readonly #parts: Pick<ShowOutputParts, "makeFilter">;
  readonly #show: (text: string) => void;
  readonly #pieces: TextFilter;
  #added = "";
  #text = "";
  #screen: (() => string) | null = null;
  #shown = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Pick<ShowOutputParts, "makeFilter">, show: (text: string) => void) {
    this.#parts = parts;
    this.#show = show;
    this.#pieces = parts.makeFilter();
  }

  readonly add = (piece: string): void => {
    this.#added += piece;
    if (this.#added.length > mostWaiting) this.#added = fromWord(this.#added.slice(-mostWaiting / 2));
    this.#timer ??= setTimeout(() => this.#flush(), interval);
  };

  readonly replace = (screen: () => string): void => {
    this.#screen = screen;
    this.#timer ??= setTimeout(() => this.#flush(), interval);
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    const shown = lastLines(this.#filtered());
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#show(shown);
  }

  /** A word that is not complete may still become a key: it waits. */
  #filtered(): string {
    if (this.#screen !== null) return this.#parts.makeFilter().push(this.#screen());
    this.#text = (this.#text + this.#pieces.push(this.#added)).slice(-2 * mostCharacters);
    this.#added = "";
    return this.#text;
  }
}

/** A text from its first whole word on: half of a key would pass the filter. */
function fromWord(text: string): string {
  const at = text.search(/\s/);
  return at === -1 ? "" : text.slice(at);
}

/** A carriage return, which the filter made visible: what follows it is written over the line. */
const returned = /^.*␍(?=[^␍\n])/gm;

function lastLines(text: string): string {
  const lines = text.replace(returned, "").trimEnd().split("\n").slice(-mostLines);
  return lines.join("\n").slice(-mostCharacters).toWellFormed();
}
