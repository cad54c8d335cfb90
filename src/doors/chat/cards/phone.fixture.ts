import type { ApprovalQuestion } from "../../../shown/approval-question.ts";
import { bottomLabel } from "../../../signal/label.ts";
import type { ChatMessage, ChatTap, OutgoingMessage } from "../chat-service.ts";
import type { PostedMessage } from "../question-hook.ts";
import type { QuestionCardsParts, QuestionDesk } from "./cards-parts.ts";
import { buttonData, hashButtonData } from "./handle.ts";
import type { OpenCard, QuestionEnd } from "./open-card.ts";
import { QuestionCards } from "./question-cards.ts";

/** The process under test was killed: nothing that it would do afterwards happens. */
export class Killed extends Error {}

/** A question of the agent about a command that runs in the sandbox and can be undone. */
export function questionOf(turn: string, more: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  return {
    type: "approval-required",
    session: "s",
    turn,
    token: `token-of-${turn}`,
    workspace: "/home/o/house",
    action: {
      target: "shell",
      payload: { tool: "shell", args: { cmd: "make report" } },
      explanation: "The owner asked for the report",
    },
    effects: [
      {
        kind: "run-program",
        target: "make",
        argv: ["make", "report"],
        binary: "/usr/bin/make",
        proof: null,
        doubt: "make may do anything",
        confined: true,
        label: bottomLabel,
        reversal: "undoable",
      },
    ],
    trace: [{ gate: "programs", result: "approval", reason: "cannot be proved harmless", effects: [0] }],
    reason: "`make report` cannot be proved harmless",
    expiresAt: 86_400_000,
    ...more,
  };
}

/** Effects that also want a typed word. */
export const deletes: ApprovalQuestion["effects"] = [
  { kind: "delete-path", target: "/home/o/house/plan.org", label: bottomLabel, reversal: "undoable" },
];

/** Called before and after each step of a process; throws where it is killed there. */
type Step = (name: string) => void;

/** Questions as an agent keeps them: the first answer counts. They outlive a process. */
class FakeDesk {
  readonly ends = new Map<string, QuestionEnd>();
  /** Every answer that counted. */
  readonly counted: string[] = [];

  end(turn: string, kind: QuestionEnd): boolean {
    if (this.ends.has(turn)) return false;
    this.ends.set(turn, kind);
    return true;
  }

  port(step: Step): QuestionDesk {
    return {
      answer: async ({ turn }, answer) => {
        step("before the answer");
        const counted = this.end(turn, answer);
        if (counted) this.counted.push(`${turn} ${answer}`);
        step("after the answer");
        return counted;
      },
      endOf: async ({ turn }) => {
        step("the end");
        return this.ends.get(turn) ?? null;
      },
    };
  }
}

type Posted = PostedMessage & { readonly sent: string | null };

/** What stands on the phone of the owner. */
export type PhoneMessage = { readonly id: string; readonly chat: string; readonly view: OutgoingMessage };

/**
 * The state on disk, a service with the owner's phone, and processes that are opened on it one after the
 * other.
 */
export class PhoneWorld {
  readonly answers: "buttons" | "reactions";
  readonly desk = new FakeDesk();
  readonly outbox = new Map<string, Posted>();
  readonly phone = new Map<string, PhoneMessage>();
  readonly reports: string[] = [];
  /** Whether the service takes a message; one may be taken and its answer lost. */
  fails: () => "no" | "before" | "after" = () => "no";
  onStep: Step = () => {};
  isLinked = true;
  now = 1_000_000;
  readonly #disk = new Map<string, string>();
  #number = 0;

  constructor(answers: "buttons" | "reactions" = "buttons") {
    this.answers = answers;
  }

  /** The cards on the disk, oldest first. */
  get disk(): readonly OpenCard[] {
    return [...this.#disk.values()].map((card) => JSON.parse(card));
  }

  /** The card on the disk that is sent under this key. */
  cardOf(key: string): OpenCard | undefined {
    const found = [...this.#disk.values()].find((text) => text.includes(JSON.stringify(key)));
    return found === undefined ? undefined : JSON.parse(found);
  }

  /** Starts a process on what is on the disk. */
  start(more: Partial<QuestionCardsParts> = {}): QuestionCards {
    const life = { isOver: false };
    const step: Step = (name) => {
      if (life.isOver) throw new Killed(name);
      try {
        this.onStep(name);
      } catch (error) {
        life.isOver = true;
        throw error;
      }
    };
    return new QuestionCards({
      store: {
        all: async () => this.disk,
        save: async (cards, dropped) => {
          step("before a write");
          for (const id of dropped) this.#disk.delete(id);
          for (const card of cards) this.#disk.set(card.id, JSON.stringify(card));
          step("after a write");
        },
      },
      desk: this.desk.port(step),
      service: "fake",
      answers: this.answers,
      placeOf: async () => ({ chat: "100", member: "7" }),
      isPrivate: async () => false,
      isOwner: (chat, member) => this.isLinked && chat === "100" && member === "7",
      mayStandOnLockScreen: true,
      assistant: "Passepartout",
      post: async (message) => {
        step("before it is posted");
        if (!this.outbox.has(message.key)) this.outbox.set(message.key, { ...message, sent: null });
        step("after it is posted");
      },
      sentAs: async (key) => this.outbox.get(key)?.sent ?? null,
      time: () => ({ now: this.now, zoneMinutes: 0 }),
      report: (message) => void this.reports.push(message),
      ...more,
    });
  }

  /** Gives the service what waits, one after the other. */
  async deliver(cards: QuestionCards): Promise<void> {
    for (const posted of [...this.outbox.values()].filter(({ sent }) => sent === null)) {
      const view = posted.isCard === true ? await cards.dress(posted.key, posted.message) : posted.message;
      const fails = this.fails();
      if (fails === "before") return;
      const edited = posted.edits === undefined ? undefined : this.outbox.get(posted.edits)?.sent;
      this.#number += 1;
      const id = edited ?? `m${this.#number}`;
      this.phone.set(id, { id, chat: posted.chat, view });
      if (fails === "after") return;
      this.outbox.set(posted.key, { ...posted, sent: id });
    }
  }

  /** Asks a question, and has the phone show it for a while. */
  async ask(cards: QuestionCards, question: ApprovalQuestion): Promise<void> {
    await cards.asked(question);
    await this.deliver(cards);
    this.now += 5000;
  }

  /** The message that stands last on the phone. */
  last(): PhoneMessage {
    const found = [...this.phone.values()].at(-1);
    if (found === undefined) throw new Error("Nothing was sent.");
    return found;
  }

  /** The buttons of the message that stands last. */
  labels(): readonly string[] {
    return (this.last().view.buttons ?? []).flat().map(({ text }) => text);
  }

  /** A tap of this answer on a message, as the service reports it. */
  tap(
    { id, chat, view }: PhoneMessage,
    answer: "once" | "no" | "details" | "none",
    more: Partial<ChatTap> = {},
  ): ChatTap {
    this.#number += 1;
    const held = (view.buttons ?? []).flat().flatMap((button) => button.handle ?? []);
    const emoji = { once: "👍🏽", no: "👎", details: "👀", none: "" } as const;
    const data = answer === "none" ? "" : hashButtonData(buttonData(answer, held[0]?.slice(1) ?? ""));
    return {
      id: `update-${this.#number}`,
      kind: "tap",
      chat: { id: chat, kind: "private", title: "Olga" },
      sender: { id: "7", name: "Olga", isBot: false },
      message: id,
      handle: this.answers === "buttons" ? data : emoji[answer],
      tap: `tap-${this.#number}`,
      ...more,
    };
  }

  /** Words of the owner, as the service reports them. */
  words(text: string, more: Partial<ChatMessage> = {}): ChatMessage {
    this.#number += 1;
    return {
      id: `update-${this.#number}`,
      kind: "message",
      chat: { id: "100", kind: "private", title: "Olga" },
      sender: { id: "7", name: "Olga", isBot: false },
      message: `m${this.#number}`,
      text,
      isForwarded: false,
      isAddressed: true,
      replyTo: null,
      files: [],
      ...more,
    };
  }

  /** What the owner was told for words. */
  replyTo({ id }: ChatMessage): string | undefined {
    return this.outbox.get(`fake:card-word:${id}`)?.message.text;
  }
}
