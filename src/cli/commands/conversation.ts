import type { Agent } from "../../daemon/agent/resources/agent.ts";
import type { Io } from "../../kernel/io.ts";
import { askForHidden } from "../../program/answer-hidden.ts";
import { TurnFollower } from "../../program/follow-turn.ts";
import { Screen } from "../../program/screen.ts";
import { tellSizeOf } from "../../program/tell-size.ts";
import { WaitingQuestions } from "../../shown/waiting-questions.ts";
import type { LoopEvent } from "../../signal/loop-event.ts";
import { describeError } from "../../text/describe-error.ts";
import { pushAll } from "../../text/lists.ts";
import { attachedIn, type Reply } from "./attach-files.ts";
import { type EnteredMessage, LineEditor } from "./line-editor.ts";

/** Milliseconds that running turns get after SIGTERM. */
const terminationPatience = 5000;

/** Reads messages, sends each to the agent, and shows all that happens in the session, until the person leaves. */
export class Conversation {
  readonly #agent: Agent;
  readonly #session: string;
  readonly #editor: LineEditor;
  readonly #screen: Screen;
  readonly #follower: TurnFollower;
  readonly #questions: WaitingQuestions;
  readonly #end = Promise.withResolvers<void>();
  /** The messages whose turns have not ended yet. */
  readonly #pending = new Set<Promise<void>>();
  readonly #unsubscribe: () => void;
  readonly #endAsking: () => Promise<void>;
  readonly #endTelling: () => void;
  readonly #ignoreInterrupts: () => void;
  /** The ids of files that go with the next words, and the attaching that they wait for. */
  readonly #attached: string[];
  #attaching: Promise<unknown> = Promise.resolve();
  #interrupts = 0;
  /** True after `/exit`: later lines are ignored. */
  #exiting = false;
  #leaving = false;

  /** `attached`: the ids of files that go with the first words. */
  constructor(
    io: Io,
    agent: Agent,
    { session, attached }: { readonly session: string; readonly attached: readonly string[] },
  ) {
    this.#agent = agent;
    this.#session = session;
    this.#attached = [...attached];
    this.#editor = new LineEditor(io, {
      onMessage: (message) => this.#readMessage(message),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => this.#endOfInput(),
    });
    const above: Io = {
      ...io,
      out: (text) => this.#editor.print(() => io.out(text)),
      err: (text) => this.#editor.print(() => io.err(text)),
    };
    this.#screen = new Screen(above);
    this.#follower = new TurnFollower(above, () => null, {
      json: false,
      quiet: false,
      inConversation: true,
      answersByWord: this.#editor.isTerminal,
    });
    this.#questions = new WaitingQuestions(session);
    this.#endAsking = this.#editor.isTerminal
      ? askForHidden(agent, {
          screen: this.#screen,
          sees: (prompt) => prompt.session === session,
          read: () => this.#editor.readHidden(),
        })
      : async () => undefined;
    this.#endTelling = tellSizeOf(io, agent, session);
    this.#unsubscribe = agent.subscribe((event) => this.#show(event));
    this.#ignoreInterrupts = io.onInterrupt((signal) => {
      if (signal === "SIGTERM") this.#leaveAfter(terminationPatience);
      else this.#interrupt();
    });
  }

  /** Resolves when the person has left. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Shows the questions that wait since before this conversation. */
  async showWaiting(): Promise<void> {
    for (const question of await this.#agent.unsentQuestions())
      if (!this.#questions.has(question.turn)) this.#show(question);
  }

  #show(event: LoopEvent): void {
    const now = Date.now();
    this.#questions.observe(event, now);
    if (event.session === this.#session) this.#follower.listen(event);
    else if (event.type === "approval-required")
      this.#screen.program(this.#questions.format(event, now), "out");
  }

  #readMessage(message: EnteredMessage): void {
    if (this.#exiting) return;
    this.#exiting = this.#isExit(message);
    this.#interrupts = 0;
    const earlier = [...this.#pending];
    const work = this.#handleMessage(message, earlier)
      .catch((error: unknown) => this.#reportError(error))
      .finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  /** Without a terminal, `/exit` waits for the messages before it: a pipe ends before its answers come. */
  async #handleMessage(message: EnteredMessage, earlier: readonly Promise<void>[]): Promise<void> {
    if (message.text.trim() === "") return;
    if (this.#isExit(message)) {
      if (!this.#editor.isTerminal) await Promise.allSettled(earlier);
      this.#leave();
      return;
    }
    const answer = message.typed
      ? this.#questions.resolve(message.text, message.begun)
      : { submit: message.text };
    if ("show" in answer) {
      this.#screen.program(answer.show, "out");
      return;
    }
    const reply = await this.#say(answer.submit, !message.typed, message.pastes);
    if (reply.kind !== "turn") {
      this.#screen.program(reply.text, "out");
      return;
    }
    await this.#agent.whenSettled(reply.turn);
    await this.#agent.markDelivered(reply.turn);
  }

  /** Says words, with the files that were attached before them; a file that is attached goes with the next ones. */
  async #say(text: string, pasted: boolean, pastes: readonly string[]): Promise<Reply> {
    const words = { session: this.#session, text, pasted, pastes, source: "tui" } as const;
    if (!pasted && /^\s*\/attach\s/i.test(text)) {
      const attaching = this.#agent.say(words);
      this.#attaching = Promise.allSettled([this.#attaching, attaching]);
      const reply = await attaching;
      pushAll(this.#attached, attachedIn(reply));
      return reply;
    }
    await this.#attaching;
    const attachments = !pasted && /^\s*[/!]/.test(text) ? [] : this.#attached.splice(0);
    return this.#agent.say({ ...words, attachments });
  }

  /** The only command that a pipe may hold: it changes nothing. */
  #isExit({ text, typed }: EnteredMessage): boolean {
    return /^\s*\/exit\s*$/i.test(text) && (typed || !this.#editor.isTerminal);
  }

  #endOfInput(): void {
    if (this.#leaving) return;
    Promise.allSettled([...this.#pending]).then(
      () => this.#leave(),
      (error: unknown) => this.#reportError(error),
    );
  }

  #interrupt(): void {
    this.#interrupts += 1;
    if (this.#interrupts > 1) {
      this.#leaveAfter(0);
      return;
    }
    this.#screen.program("(Press Ctrl-C again to leave.)", "out");
    this.#agent.stop(this.#session).catch((error: unknown) => this.#reportError(error));
  }

  /** Leaves; running turns go on in this process until they have ended. */
  #leave(): void {
    if (this.#leaving) return;
    this.#stopReading();
    this.#finish();
  }

  /** Leaves, and gives running turns at most `patience` milliseconds; they continue at the next start. */
  #leaveAfter(patience: number): void {
    if (this.#leaving) return;
    this.#stopReading();
    this.#agent.drain(patience).then(
      () => this.#finish(),
      (error: unknown) => this.#end.reject(error),
    );
  }

  #stopReading(): void {
    this.#leaving = true;
    this.#ignoreInterrupts();
    this.#editor.stop();
  }

  #finish(): void {
    this.#unsubscribe();
    this.#endTelling();
    this.#endAsking().catch((error: unknown) => this.#reportError(error));
    this.#end.resolve();
  }

  #reportError(error: unknown): void {
    this.#screen.line(`passepartout: ${describeError(error)}`);
  }
}
