import type { AppParts } from "./app-parts.ts";
import { type OwnCommand, ownCommandOf } from "./conversation/command-list.ts";
import type { Conversation } from "./conversation/conversation.ts";
import type { UnsaidWords } from "./conversation/word-queue.ts";
import type { SaidMoment } from "./panels/rewind-panel.ts";
import { AttachedFiles, type TakenFile } from "./prompt/attached-files.ts";
import { makeCompletion } from "./prompt/complete.ts";
import { findDropped, unquotedPath } from "./prompt/dropped-paths.ts";
import type { EditedText } from "./prompt/edited-text.ts";
import { type Entered, type Lines, Prompt } from "./prompt/prompt.ts";
import { cleanText } from "./screen/clean.ts";
import { isKey, type LineEditor } from "./screen/toolkit.ts";
import type { WireSession } from "./session/wire-session.ts";
import type { SessionView } from "./session-view.ts";

/** What composing a message needs. */
export type ComposerParts = Pick<AppParts, "history" | "listNames" | "fileAt" | "home" | "folder"> & {
  readonly editor: LineEditor;
  readonly conversation: Conversation;
  readonly session: () => WireSession;
  readonly view: Pick<SessionView, "ask" | "commands" | "learnCommands" | "workspace" | "listNotes">;
  /** Takes the reason of a no, where one is asked for, or typed as `n because …`. */
  readonly explain: (entered: Pick<Entered, "text" | "pasted" | "pastes">) => boolean;
  /** Words are begun at the prompt. */
  readonly begin: () => void;
  /** Has the owner edit a text in their editor. */
  readonly edit: (text: string) => Promise<EditedText>;
  /** Says a short word about what just happened. */
  readonly say: (text: string) => void;
  /** Runs a command of the screen itself. */
  readonly run: (command: OwnCommand) => void;
  readonly changed: () => void;
};

/** What the owner says: it is sent, waits for its turn, goes to the turn that runs, or is taken back. */
export class Composer {
  readonly prompt: Prompt;
  readonly attached: AttachedFiles;
  readonly #parts: ComposerParts;
  /** What was pasted of words that were said: they may come back to the prompt. */
  readonly #said = new Map<string, readonly string[]>();
  /** The words that came back last. */
  #restored: readonly UnsaidWords[] = [];
  /** Ctrl+X was typed: the next key says what it is for. */
  #chord = false;

  constructor(parts: ComposerParts) {
    this.#parts = parts;
    const { view, session, conversation, changed } = parts;
    this.attached = new AttachedFiles({
      ask: (payload, answered) => view.ask(payload, answered),
      session: () => session().session,
      notice: (text, tone) => conversation.notice(text, tone),
      changed,
    });
    const completion = makeCompletion({
      commands: () => parts.view.commands,
      learnCommands: () => parts.view.learnCommands(),
      folder: () => this.#folder,
      home: parts.home,
      listNames: parts.listNames,
      listNotes: (words, unwanted) => parts.view.listNotes(words, unwanted),
    });
    this.prompt = new Prompt({ ...parts, completion, onEnter: (entered) => this.#enter(entered) });
  }

  /** The folder that names of files begin in. */
  get #folder(): string {
    return this.#parts.view.workspace ?? this.#parts.folder;
  }

  onKey(data: string): void {
    if (this.prompt.text === "") this.#parts.begin();
    const isChord = this.#chord;
    this.#chord = isKey(data, "ctrl+x");
    if (this.#chord) return;
    if (isChord && isKey(data, "ctrl+e")) void this.#edit();
    else if (isKey(data, "ctrl+r")) this.prompt.searchHistory();
    else if (isKey(data, "backspace") && this.prompt.text === "" && this.attached.removeLast()) return;
    else if (!isKey(data, "up") || this.prompt.text !== "" || !this.#takeBack()) this.prompt.onKey(data);
  }

  /** Takes what was pasted. Files that were dropped on the terminal are attached, and folders named. */
  paste(text: string, marked: boolean): void {
    const dropped = /^[!/]/.test(this.prompt.text)
      ? null
      : findDropped(text, { ...this.#parts, folder: this.#folder });
    if (dropped === null) {
      this.prompt.paste(text, marked);
      return;
    }
    if (dropped.named !== "") this.prompt.paste(dropped.named, marked);
    for (const { path, name } of dropped.files)
      this.attached.attach(path, () => this.prompt.paste(`${name} `, marked));
  }

  /** Empties the prompt; false where nothing stands at it. */
  discard(): boolean {
    const had = this.attached.clear() || this.prompt.text !== "";
    if (had) this.prompt.text = "";
    return had;
  }

  /** Has the lines edited elsewhere; where that fails they are as they were, and the reason is told. */
  async #edit(): Promise<void> {
    const edited = await this.#parts.edit(this.prompt.expanded);
    if (edited.ok) this.prompt.replace(edited.text);
    else this.#parts.say(edited.reason);
  }

  /**
   * Puts words that will not be said back to the prompt: those that were taken back or refused, or that
   * waited when all was stopped. They stand in the order in which they were said, also where they come one
   * after the other.
   */
  restore(): void {
    const words = this.#parts.conversation.words.takeUnsaid();
    if (words.length === 0) return;
    for (const { text } of words) this.attached.restore(text);
    const still = this.prompt.withdraw(this.#linesOf(this.#restored)) ? this.#restored : [];
    this.#restored = [...still, ...words].sort((one, other) => one.place - other.place);
    const { text, pastes } = this.#linesOf(this.#restored);
    this.prompt.putBefore(text, pastes);
  }

  /** Puts what was said and taken back to the prompt, before what stands there, with its files. */
  sayAgain({ words, pastes, attached }: SaidMoment): void {
    this.#restored = [];
    this.prompt.putBefore(words, pastes);
    this.attached.bring(attached);
  }

  #linesOf(words: readonly UnsaidWords[]): Lines {
    return {
      text: words.map(({ text }) => text).join("\n"),
      // What is known from the history alone may have been pasted there: it orders nothing by itself.
      pastes: words.flatMap(({ text, typedIn }) =>
        typedIn === "here" ? (this.#said.get(text) ?? []) : [text],
      ),
    };
  }

  #enter({ text, pasted, pastes, steers }: Entered): void {
    const { explain, run } = this.#parts;
    this.#restored = [];
    if (explain({ text, pasted, pastes })) return;
    // The history does not know what of a line was pasted.
    if (pastes.length === 0) this.prompt.remember(text);
    const path = pasted ? undefined : /^\s*\/attach\s+(\S[^\n]*)$/i.exec(text)?.[1];
    if (path !== undefined) {
      this.attached.attach(unquotedPath(path));
      return;
    }
    const own = pasted ? null : ownCommandOf(text, this.#parts.view.commands);
    if (own !== null) run(own);
    // What was cleared is no longer seen by the model either.
    if (own !== null && own !== "clear") return;
    if (!pasted && /^\s*[!/]/.test(text)) this.#say({ text, pasted, pastes, steers }, []);
    else
      this.attached.whenRead((ok) => {
        if (ok) this.#say({ text, pasted, pastes, steers }, this.attached.take(cleanText(text)));
        else this.prompt.putBefore(text, pastes);
      });
  }

  #say({ text, pasted, pastes, steers }: Entered, files: readonly TakenFile[]): void {
    const { conversation, session } = this.#parts;
    const isSteering = steers && conversation.work !== null;
    const attachments = files.map((file) => file.id);
    const id = session().say(text, { pasted, pastes, steers: isSteering, attachments });
    if (pastes.length > 0) this.#said.set(cleanText(text), pastes);
    const attached = files.map(({ name }) => name);
    conversation.addWords(id, text, { steers: isSteering, attached });
  }

  /** Asks for the words that wait and were said last; they come back when their turn is told to have ended. */
  #takeBack(): boolean {
    const turn = this.#parts.conversation.words.lastTurn;
    if (turn === null) return false;
    this.#parts.view.ask({ action: "take-back", turn });
    return true;
  }
}
