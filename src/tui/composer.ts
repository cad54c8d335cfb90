import { type OwnCommand, ownCommandOf } from "./command-list.ts";
import type { Conversation } from "./conversation.ts";
import { type Entered, Prompt } from "./prompt.ts";
import type { PromptHistory } from "./prompt-history.ts";
import type { SessionView } from "./session-view.ts";
import { type AutocompleteProvider, isKey, type LineEditor } from "./toolkit.ts";
import type { WireSession } from "./wire-session.ts";

/** What composing a message needs. */
export type ComposerParts = {
  readonly editor: LineEditor;
  readonly history: PromptHistory;
  readonly completion: AutocompleteProvider;
  readonly conversation: Conversation;
  readonly session: () => WireSession;
  readonly view: Pick<SessionView, "ask">;
  /** Takes the reason of a no, where one is asked for. */
  readonly explain: (text: string) => boolean;
  /** Runs a command of the screen itself. */
  readonly run: (command: OwnCommand) => void;
};

/** What the owner says: it is sent, waits for its turn, goes to the turn that runs, or is taken back. */
export class Composer {
  readonly prompt: Prompt;
  readonly #parts: ComposerParts;

  constructor(parts: ComposerParts) {
    this.#parts = parts;
    this.prompt = new Prompt({ ...parts, onEnter: (entered) => this.#enter(entered) });
  }

  onKey(data: string): void {
    if (isKey(data, "ctrl+r")) this.prompt.searchHistory();
    else if (!isKey(data, "up") || this.prompt.text !== "" || !this.#takeBack()) this.prompt.onKey(data);
  }

  /** Puts words that will not be said back to the prompt: those that were taken back, or that waited when all was stopped. */
  restore(): void {
    const words = this.#parts.conversation.words.takeUnsaid();
    if (words.length === 0) return;
    const draft = this.prompt.text;
    this.prompt.text = [...words, ...(draft === "" ? [] : [draft])].join("\n");
  }

  #enter({ text, pasted, steers }: Entered): void {
    const { conversation, explain, run, session } = this.#parts;
    if (explain(text)) return;
    if (!pasted) this.prompt.remember(text);
    const own = pasted ? null : ownCommandOf(text);
    if (own !== null) run(own);
    // What was cleared is no longer seen by the model either.
    if (own !== null && own !== "clear") return;
    const isSteering = steers && conversation.work !== null;
    const id = session().say(text, { pasted, steers: isSteering });
    conversation.addWords(id, text, isSteering);
  }

  /** Asks for the words that wait and were said last; they come back when their turn is told to have ended. */
  #takeBack(): boolean {
    const turn = this.#parts.conversation.words.lastTurn;
    if (turn === null) return false;
    this.#parts.view.ask({ action: "take-back", turn });
    return true;
  }
}
