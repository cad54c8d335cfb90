import { randomUUID } from "node:crypto";
import { z } from "zod";
import { isJsonArray, type Json, type JsonObject } from "../../signal/json.ts";
import { unknownTap } from "../chat/cards/open-card.ts";
import { chatQuestions } from "../chat/cards/open-chat-questions.ts";
import type { ChatKernel, DoorSettings, QuestionSettings } from "../chat/chat-kernel.ts";
import type {
  ChatService,
  ChatUpdate,
  DoneResult,
  OutgoingMessage,
  ReceiveResult,
  SendResult,
} from "../chat/chat-service.ts";
import { type ChatDoor, openChatDoor } from "../chat/open-chat-door.ts";
import { askProgram, type ServedAccount } from "./ask-program.ts";
import { describeJava } from "./find-programs.ts";
import { exceptionOf, readEnvelope } from "./read-envelope.ts";
import { type DaemonPlace, openSignalDaemon, readPlace, type SignalDaemon } from "./signal-daemon.ts";
import { styledMessage } from "./signal-text.ts";

/**
 * Opens the door to Signal. The place of the daemon is read again whenever the vault was locked or changed.
 */
export function openSignal(kernel: ChatKernel, settings: DoorSettings & QuestionSettings): ChatDoor {
  return openChatDoor(kernel, makeSignal({ ...kernel, ...settings }), chatQuestions(settings));
}

type SignalParts = Pick<ChatKernel, "readKey" | "report" | "wait"> & Pick<DoorSettings, "variables">;

/** The daemon as it is reached now. */
type Reached = { readonly key: string; readonly place: DaemonPlace; readonly daemon: SignalDaemon };

/** The vault's value that says where the daemon is and which number it serves. */
const keyName = "signal-daemon";
/** UTF-16 code units that Signal shows without unfolding. */
const longestText = 2000;
/**
 * Seconds that a call for messages waits, and messages that it gives. What a call received when nobody waits
 * for it any more is lost: so it is one message, within this time.
 */
const longPoll = 10;
const messagesAtOnce = 1;

/** signal-cli's daemon as a chat service. Version 0.14 was read. */
export function makeSignal(parts: SignalParts): ChatService {
  const client = new SignalClient(parts);
  return {
    name: "signal",
    title: "Signal",
    answers: "reactions",
    limits: { characters: longestText, draftEvery: null },
    // A message is known by its author and the time at which it was sent.
    counterOf: (chat) => chat,
    newer: (one, other) => (Number(one) >= Number(other) ? one : other),
    receive: (cursor, cancel) => client.receive(cursor, cancel),
    send: (chat, message) => client.send(chat, message, {}),
    async edit({ chat, message: id }, message) {
      const sent = await client.send(chat, message, { editTimestamp: Number(id) });
      return sent.ok ? { ok: true } : sent;
    },
    answerTap: (chat, text) => client.answerTap(chat, text),
    download: (file, most) => client.download(file, most),
    program: () => client.program(),
  };
}

class SignalClient {
  readonly #parts: SignalParts;
  #reached: Reached | null = null;
  #account: ServedAccount | null = null;
  /** What was received and is not known to be on disk, with the cursor that says that it is. */
  #given: { readonly cursor: string; readonly updates: readonly ChatUpdate[] } | null = null;

  constructor(parts: SignalParts) {
    this.#parts = parts;
  }

  /**
   * Signal's servers and the daemon forget a message once it was given. So it is given again until the cursor
   * says that it is on disk, and a call that was begun is waited for, also while the door closes.
   */
  async receive(cursor: string | null, cancel: AbortSignal): Promise<ReceiveResult> {
    if (this.#given !== null && this.#given.cursor !== cursor) return { ok: true, ...this.#given };
    this.#given = null;
    if (cancel.aborted) return { ok: true, updates: [], cursor: null };
    const got = await this.#receiveSoon(cancel);
    if (!got.ok) {
      // Another program, or another version of this one, may listen there after a failure.
      this.#account = null;
      return got;
    }
    if (!isJsonArray(got.result))
      return { ok: false, code: "try-later", reason: "signal-cli gave no messages", after: null };
    for (const value of got.result) this.#tellUnread(value);
    const updates = got.result.flatMap((value) => readEnvelope(value, got.number) ?? []);
    if (updates.length === 0) return { ok: true, updates, cursor: null };
    this.#given = { cursor: randomUUID(), updates };
    return { ok: true, ...this.#given };
  }

  async send(chat: string, message: OutgoingMessage, more: JsonObject): Promise<SendResult> {
    const account = await this.#served();
    if (!account.ok) return account;
    const { text, styles } = styledMessage(message);
    const textStyle = styles.map(({ from, length, style }) => `${from}:${length}:${style}`);
    const sent = await account.daemon.call("send", {
      ...account.params,
      ...targetOf(chat, message),
      ...more,
      message: text,
      ...(textStyle.length === 0 ? {} : { textStyle }),
    });
    if (!sent.ok) return sent;
    const id = timestampOf(sent.result);
    return id === null
      ? { ok: false, code: "unknown-outcome", reason: "signal-cli gave no time of the message" }
      : { ok: true, message: id };
  }

  /**
   * Signal shows no word at a reaction: what is to be said is a message. Nothing is said of a reaction to
   * something else.
   */
  async answerTap(chat: string, text: string): Promise<DoneResult> {
    if (text === "" || text === unknownTap) return { ok: true };
    const sent = await this.send(chat, { text, format: "plain" }, {});
    return sent.ok ? { ok: true } : sent;
  }

  /** signal-cli took the file from Signal when it received the message. */
  async download(file: string, most: number): ReturnType<NonNullable<ChatService["download"]>> {
    const account = await this.#served();
    if (!account.ok) return account;
    const got = await account.daemon.call("getAttachment", { ...account.params, id: file });
    if (!got.ok) return got;
    const read = z.looseObject({ data: z.base64() }).safeParse(got.result);
    if (!read.success) return { ok: false, code: "refused", reason: "signal-cli gave no file" };
    const bytes = Buffer.from(read.data.data, "base64");
    return { ok: true, bytes: bytes.length > most ? null : bytes };
  }

  program(): string | null {
    if (this.#account === null) return null;
    return `signal-cli ${this.#account.version}, ${describeJava(this.#parts.variables)}`;
  }

  #reach(): ({ readonly ok: true } & Reached) | (ReceiveResult & { readonly ok: false }) {
    const key = this.#parts.readKey(keyName);
    if (!key.ok) return { ok: false, code: "no-access", reason: key.reason };
    const place = readPlace(key.value);
    if (place === null)
      return {
        ok: false,
        code: "no-access",
        reason: "the vault has no address of signal-cli. Set it: passepartout gateway link signal --token",
      };
    if (this.#reached?.key !== key.value) {
      this.#reached?.daemon.close();
      this.#reached = { key: key.value, place, daemon: openSignalDaemon(place) };
      this.#account = null;
    }
    return { ok: true, ...this.#reached };
  }

  /** The daemon and the parameters that name the account. */
  async #served() {
    const reached = this.#reach();
    if (!reached.ok) return reached;
    if (this.#account === null) {
      const asked = await askProgram(reached.daemon, reached.place);
      if (!asked.ok) return asked;
      this.#account = asked.account;
    }
    const { daemon, place } = reached;
    return { ok: true, daemon, number: place.number, params: this.#account.params } as const;
  }

  /** A former process may have left a call that still waits: then it is asked again until that has ended. */
  async #receiveSoon(cancel: AbortSignal) {
    for (let tries = 0; ; tries += 1) {
      const served = await this.#served();
      if (!served.ok) return served;
      const given = { ...served.params, timeout: longPoll, maxMessages: messagesAtOnce };
      const got = await served.daemon.call("receive", given, { wait: longPoll * 1000 });
      const isBusy = !got.ok && /already being received/i.test(got.reason);
      if (isBusy && (tries > longPoll || cancel.aborted))
        return {
          ok: false,
          code: "try-later",
          reason:
            "another program receives for this number, or signal-cli does by itself. Start its daemon with --receive-mode=manual, for this agent alone",
          after: null,
          isConflict: true,
        } as const;
      if (!isBusy) return got.ok ? { ...got, number: served.number } : got;
      await this.#parts.wait(1000, cancel);
    }
  }

  /** What signal-cli itself could not read is told: nobody else would know of it. */
  #tellUnread(value: Json): void {
    const exception = exceptionOf(value);
    if (exception === null) return;
    this.#parts.report(
      `A message came by Signal that signal-cli could not read (${exception}). Where it speaks of an untrusted identity: signal-cli trust. Else say it again.`,
    );
  }
}

const uuid = z.uuid();

/** In a group nobody can be shown a message alone: it goes to that member's own chat. */
function targetOf(chat: string, { onlyFor }: OutgoingMessage): JsonObject {
  const to = onlyFor ?? chat;
  return uuid.safeParse(to).success ? { recipient: [to] } : { groupId: to };
}

function timestampOf(value: Json): string | null {
  const read = z.looseObject({ timestamp: z.int().positive() }).safeParse(value);
  return read.success ? String(read.data.timestamp) : null;
}
