import type { AppParts } from "./app-parts.ts";
import { Bells } from "./bells.ts";
import { Composer } from "./composer.ts";
import type { OwnCommand } from "./conversation/command-list.ts";
import { Conversation } from "./conversation/conversation.ts";
import { Scrollback } from "./conversation/scrollback.ts";
import { type FrameContent, frameRows, mainFrame } from "./frame.ts";
import { Interrupts } from "./interrupts.ts";
import { KeyRouter } from "./key-router.ts";
import type { EditedText } from "./prompt/edited-text.ts";
import { Hint } from "./prompt/hint.ts";
import { Typed } from "./prompt/typed.ts";
import { QuestionKeys } from "./questions/question-keys.ts";
import type { Look } from "./screen/block.ts";
import { copyAndTell } from "./screen/copied.ts";
import { FrameGate } from "./screen/frame-gate.ts";
import { Looks } from "./screen/looks.ts";
import { Panels } from "./screen/panel.ts";
import { Screen, type ScreenContent } from "./screen/screens.ts";
import { Ticker } from "./screen/ticker.ts";
import { Connection } from "./session/connection.ts";
import type { SessionEvent, WireSession } from "./session/wire-session.ts";
import { SessionPanels } from "./session-panels.ts";
import { SessionView } from "./session-view.ts";
import { View } from "./view.ts";

/** The screen of a conversation: keys go to the question or to the prompt, events of the session into the transcript. */
export class App {
  readonly #parts: AppParts;
  readonly #screen: Screen;
  readonly #session: WireSession;
  readonly conversation: Conversation;
  readonly #questions: QuestionKeys;
  readonly #composer: Composer;
  readonly #keys: KeyRouter;
  readonly #typed: Typed;
  readonly #left = Promise.withResolvers<void>();
  readonly #looks: Looks;
  readonly #view: SessionView;
  readonly #shown: View;
  readonly #panels: Panels;
  readonly connection = new Connection(() => this.#screen.requestPaint());
  readonly #hint: Hint;
  readonly #scrollback: Scrollback;
  readonly #gate: FrameGate;
  readonly #ticker = new Ticker(() => this.#gate.tick());
  readonly #bells: Bells;
  readonly #openers: SessionPanels;
  readonly #interrupts: Interrupts;

  constructor(parts: AppParts) {
    this.#parts = parts;
    const { terminal, clock, home } = parts;
    this.#looks = new Looks(parts);
    this.conversation = new Conversation(clock, home);
    this.#scrollback = new Scrollback(this.conversation.transcript);
    this.#gate = new FrameGate(parts.isHidden, () => this.#screen);
    const changed = (): void => this.#screen.requestPaint();
    this.#hint = new Hint(changed);
    const session = (): WireSession => this.#session;
    this.#typed = new Typed({ text: () => this.#composer.prompt.text, clock });
    const { conversation } = this;
    this.#view = new SessionView({ session, conversation, changed, place: parts, typing: this.#typed });
    this.#questions = this.#makeQuestions(changed);
    this.#panels = new Panels(changed, () => this.#questions.dialog.restartGuard());
    this.#shown = this.#makeView();
    this.#openers = this.#makeOpeners(changed);
    this.#interrupts = this.#makeInterrupts();
    this.#bells = new Bells({ kind: parts.bells, write: (data) => terminal.write(data), clock });
    this.#screen = this.#makeScreen();
    this.#keys = this.#makeKeys(changed);
    this.#composer = this.#makeComposer();
    this.#session = parts.openSession((event) => this.#onEvent(event));
  }

  #makeScreen(): Screen {
    const content: ScreenContent = {
      render: (columns, rows) => frameRows(this.#content, columns, rows),
      renderMain: (columns, rows) => mainFrame(this.#content, this.#scrollback, columns, rows),
      isHidden: () => this.#gate.isClosed,
      onKey: (data) => {
        this.#gate.open();
        this.#keys.feed(data);
      },
      onWheel: (rows) => this.#shown.scroll(rows),
      onClick: (row) => this.#shown.click(row),
      onCopy: (text) => this.#copy(text),
    };
    return new Screen(this.#parts.terminal, content, this.#parts.screen);
  }

  #makeQuestions(changed: () => void): QuestionKeys {
    const { conversation } = this;
    return new QuestionKeys({
      ...this.#parts,
      questions: () => conversation.questions.own,
      remove: (turn) => conversation.questions.remove(turn),
      session: () => this.#session,
      prompt: () => this.#composer.prompt,
      typing: this.#typed,
      type: (data) => this.#keys.type(data),
      tell: (text) => this.notice(text, "warning"),
      openList: () => this.#openers.open("questions"),
      changed,
    });
  }

  #makeKeys(changed: () => void): KeyRouter {
    return new KeyRouter({
      view: this.#view,
      interrupts: this.#interrupts,
      shown: this.#shown,
      openers: this.#openers,
      panels: this.#panels,
      questions: this.#questions,
      composer: () => this.#composer,
      typed: this.#typed,
      hint: this.#hint,
      stop: () => this.#stop(),
      leave: () => void this.#leaveSoon(),
      changed,
      after: this.#parts.after,
    });
  }

  #makeInterrupts(): Interrupts {
    return new Interrupts({
      panels: this.#panels,
      discard: () => this.#composer.discard(),
      copySelection: () => this.#screen.copySelection(),
      stop: () => this.#stop(),
      leave: () => void this.#leaveSoon(),
      say: (text) => this.#hint.say(text),
    });
  }

  #makeComposer(): Composer {
    return new Composer({
      ...this.#parts,
      editor: this.#screen.makeEditor(() => this.#looks.current.theme),
      conversation: this.conversation,
      session: () => this.#session,
      view: this.#view,
      explain: (entered) => this.#questions.explain(entered),
      begin: () => this.#questions.begin(),
      run: (command) => this.#run(command),
      edit: (text) => this.#edit(text),
      say: (text) => this.#hint.say(text),
      changed: () => this.#screen.requestPaint(),
    });
  }

  #makeView(): View {
    return new View({
      conversation: this.conversation,
      terminal: this.#parts.terminal,
      screen: () => this.#screen,
      look: () => this.#looks.current,
      panels: this.#panels,
      say: (text) => this.#hint.say(text),
      copy: (text) => this.#copy(text),
      suspend: this.#parts.suspend,
      state: () => ({
        isDialog: this.#questions.isOpen,
        isEmpty: !this.#questions.asksWhy && this.#composer.prompt.text === "",
      }),
    });
  }

  #makeOpeners(changed: () => void): SessionPanels {
    return new SessionPanels({
      ...this.#parts,
      panels: this.#panels,
      view: this.#view,
      session: () => this.#session,
      conversation: this.conversation,
      questions: this.#questions,
      prompt: () => this.#composer.prompt,
      sayAgain: (said) => this.#composer.sayAgain(said),
      changed,
      say: (text) => this.#hint.say(text),
    });
  }

  /** Resolves when the owner has left. */
  get left(): Promise<void> {
    return this.#left.promise;
  }

  /** The session that is open; null before it is. */
  get session(): string | null {
    return this.#session.session;
  }

  get look(): Look {
    return this.#looks.current;
  }

  start(): void {
    this.#screen.start();
    void this.#looks.complete(this.#screen);
  }

  /** Gives the terminal back until `resume`. */
  hide(): void {
    this.#screen.stop();
  }

  /** Shows the screen again, as after the process was stopped. */
  resume(): void {
    this.#questions.dialog.restartGuard();
    this.#screen.start();
  }

  async #edit(text: string): Promise<EditedText> {
    this.hide();
    const edited = await this.#parts.editText(text);
    this.resume();
    return edited;
  }

  /** Leaves the screen; the last answer can be printed then. */
  leave(): void {
    this.#ticker.runs = false;
    this.#hint.stop();
    this.#questions.stop();
    this.#screen.stop();
    this.#left.resolve();
  }

  /** Takes in what the last key still sends, such as its release, so that no shell gets it. */
  async #leaveSoon(): Promise<void> {
    await this.#parts.terminal.drainInput(150, 30);
    this.leave();
  }

  /** Says something that is not of the session, such as that no daemon could be started. */
  notice(text: string, tone: "warning" | "error"): void {
    this.conversation.notice(text, tone);
    this.#screen.requestPaint();
  }

  get #content(): FrameContent {
    this.#questions.wakeSoon();
    return {
      conversation: this.conversation,
      questions: this.#questions,
      prompt: this.#composer.prompt,
      attached: this.#composer.attached,
      panel: this.#panels.current,
      look: this.#looks.current,
      status: {
        workspace: this.#view.workspace,
        home: this.#parts.home,
        facts: this.#view.facts,
        problem: this.#view.problem,
        waiting: this.conversation.questions.own.size,
        connection: this.connection.state,
      },
      masked: this.#view.masked,
      hint: this.#hint.text || this.#view.loading,
      now: this.#parts.clock(),
    };
  }

  #onEvent(event: SessionEvent): void {
    this.connection.observe(event);
    if (!this.#view.observe(event)) this.conversation.observe(event);
    if (!this.#questions.asksWhy) this.#composer.restore();
    if (this.conversation.work === null) this.#hint.withdraw("stopping …");
    this.#bells.observe(event);
    this.#ticker.runs = this.#gate.works = this.conversation.work !== null;
    this.#screen.requestPaint();
  }

  #run(command: OwnCommand): void {
    if (command === "exit") void this.#leaveSoon();
    else if (command === "clear") this.conversation.transcript.clear();
    else if (command === "sessions" || command === "moments") this.#openers.open(command);
    else if (command === "theme") this.conversation.notice(this.#looks.description);
    else this.#looks.use(command);
  }

  #stop(): void {
    if (this.conversation.work === null) return;
    this.#view.ask({ action: "stop", "keep-questions": true });
    this.#hint.say("stopping …");
  }

  #copy(text: string): void {
    const { copyText } = this.#parts;
    void copyAndTell(text, { copyText, screen: this.#screen, say: (hint) => this.#hint.say(hint) });
  }
}
