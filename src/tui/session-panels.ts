import type { Conversation } from "./conversation/conversation.ts";
import { RewindPanel, type SaidMoment } from "./panels/rewind-panel.ts";
import { SessionPanel } from "./panels/session-panel.ts";
import type { Prompt } from "./prompt/prompt.ts";
import type { QuestionKeys } from "./questions/question-keys.ts";
import { QuestionsPanel } from "./questions/questions-panel.ts";
import type { Panels } from "./screen/panel.ts";
import { isKey } from "./screen/toolkit.ts";
import type { WireSession } from "./session/wire-session.ts";
import type { SessionView } from "./session-view.ts";

/** What the panels about sessions need. */
export type SessionPanelsParts = {
  readonly panels: Panels;
  readonly view: SessionView;
  readonly session: () => WireSession;
  readonly conversation: Conversation;
  readonly questions: QuestionKeys;
  readonly prompt: () => Prompt;
  /** Puts what was taken back to the prompt. */
  readonly sayAgain: (said: SaidMoment) => void;
  readonly home: string;
  readonly clock: () => number;
  readonly changed: () => void;
  readonly say: (hint: string) => void;
};

/** Milliseconds within which Esc counts as pressed twice. */
const twice = 800;

/** Opens the panels about sessions, moments and questions. */
export class SessionPanels {
  readonly #parts: SessionPanelsParts;
  #escapedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: SessionPanelsParts) {
    this.#parts = parts;
  }

  /** A key that opens one of them; false for every other. */
  onKey(data: string): boolean {
    if (isKey(data, "f2")) this.#openSessions();
    else return isKey(data, "escape") && this.#escape();
    return true;
  }

  open(what: "sessions" | "moments" | "questions"): void {
    if (what === "sessions") this.#openSessions();
    else if (what === "moments") this.#openMoments();
    else this.#openQuestions();
  }

  /** Esc where nothing runs and nothing stands at the prompt: the second one goes back to a moment. */
  #escape(): boolean {
    const { conversation, questions, prompt, clock, say } = this.#parts;
    const isIdle = conversation.work === null && !questions.isOpen && !questions.asksWhy;
    if (!isIdle || prompt().text !== "") return false;
    const now = clock();
    if (now - this.#escapedAt < twice) {
      say("");
      this.#openMoments();
    } else say("Esc again goes back to an earlier moment");
    this.#escapedAt = now;
    return true;
  }

  #openMoments(): void {
    const { panels, view, clock, changed, conversation, sayAgain } = this.#parts;
    const panel = new RewindPanel({
      ask: (payload, answered) => view.ask(payload, answered),
      clock,
      changed,
      done: (text, said) => {
        if (said === null) {
          conversation.notice(text);
          return;
        }
        view.showAgain([text, ...said.losses].join("\n"));
        sayAgain(said);
      },
      refused: (text) => conversation.notice(text, "warning"),
      close: () => panels.close(panel),
    });
    panels.open(panel);
  }

  #openSessions(): void {
    const { panels, view, clock, changed, home, session } = this.#parts;
    const panel = new SessionPanel({
      ask: (payload, answered) => view.ask(payload, answered),
      clock,
      home,
      changed,
      current: () => session().session ?? "",
      open: (id) => session().switchTo(id),
      close: () => panels.close(panel),
    });
    panels.open(panel);
  }

  #openQuestions(): void {
    const { panels, clock, home, conversation, questions } = this.#parts;
    const panel = new QuestionsPanel({
      questions: () => conversation.questions.own,
      home,
      clock,
      answer: ({ token }, action) => questions.answer({ action, token }),
      close: () => panels.close(panel),
    });
    panels.open(panel);
  }
}
