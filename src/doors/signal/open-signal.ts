import { randomUUID } from "node:crypto";
import { z } from "zod";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../text/json.ts";
import { oneLine } from "../../text/visible.ts";
import { chatQuestions } from "../chat/cards/open-chat-questions.ts";
import type { ChatKernel, DoorSettings, QuestionSettings } from "../chat/chat-kernel.ts";
import type {
  ChatFailure,
  ChatService,
  ChatUpdate,
  OutgoingMessage,
  ReceiveResult,
  SendResult,
} from "../chat/chat-service.ts";
import { type ChatDoor, openChatDoor } from "../chat/open-chat-door.ts";
import { askProgram, type ServedAccount } from "./ask-program.ts";
import { describeJava } from "./find-programs.ts";
import { readEnvelope, unreadOf } from "./read-envelope.ts";
import { type DaemonPlace, openSignalDaemon, readPlace, type SignalDaemon } from "./signal-daemon.ts";
import { styledMessage } from "./signal-text.ts";
import { compareNumbers, withWhatToDo } from "./what-to-do.ts";

/**
 * Opens the door to Signal. The place of the daemon is read again whenever the vault was locked or changed.
 */
export function openSignal(kernel: ChatKernel, settings: DoorSettings & QuestionSettings): ChatDoor {
  return openChatDoor(kernel, makeSignal({ ...kernel, ...settings }), chatQuestions(settings));
}

type SignalParts = Pick<ChatKernel, "links" | "readKey" | "report" | "tellOwner" | "wait"> &
  Pick<DoorSettings, "variables">;

/** The daemon as it is reached now. */
type Reached = { readonly key: string; readonly place: DaemonPlace; readonly daemon: SignalDaemon };

/** The vault's value that says where the daemon is and which number it serves. */
const keyName = "signal-daemon";
/** UTF-16 code units that Signal shows without unfolding. */
const longestText = 2000;
/**
 * Seconds that a call for messages waits, and messages that it gives. What a call received when nobody waits
 * for it any more is lost: so it is one message, and a call is waited for as long as it takes. It takes
 * longer
 * where a file is downloaded, or where there is no network.
 */
const longPoll = 10;
const messagesAtOnce = 1;
/** Milliseconds after which such a call is given up where the door closes. */
const closingPatience = (longPoll + 5) * 1000;
/** Milliseconds after which the outcome of a send counts as unknown. */
const sendPatience = 600_000;

/** signal-cli's daemon as a chat service. Version 0.14 was read. */
export function makeSignal(parts: SignalParts): ChatService {
  const client = new SignalClient(parts);
  return {
    name: "signal",
    title: "Signal",
    answers: "reactions",
    givesOnce: true,
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
      if (cancel.aborted && got.mayBeLost === true)
        this.#parts.report(
          "Signal: signal-cli did not end its call before the door was closed. If a message has no answer, say it again.",
        );
      return got;
    }
    if (!isJsonArray(got.result))
      return { ok: false, code: "try-later", reason: "signal-cli gave no messages", after: null };
    const other = otherAccount(got.result, got.number);
    if (other !== null) return other;
    for (const value of got.result) await this.#tellUnread(value, got.number);
    const updates = got.result.flatMap((value) => readEnvelope(value, got.number) ?? []);
    if (updates.length === 0) return { ok: true, updates, cursor: null };
    this.#given = { cursor: randomUUID(), updates };
    return { ok: true, ...this.#given };
  }

  async send(chat: string, message: OutgoingMessage, more: JsonObject): Promise<SendResult> {
    const account = await this.#served();
    // What failed before it was sent was not sent.
    if (!account.ok)
      return account.code === "unknown-outcome" ? { ...account, code: "try-later", after: null } : account;
    const { text, styles } = styledMessage(message);
    const textStyle = styles.map(({ from, length, style }) => `${from}:${length}:${style}`);
    const given = {
      ...account.params,
      ...targetOf(chat, message),
      ...more,
      message: text,
      ...(textStyle.length === 0 ? {} : { textStyle }),
    };
    const sent = await account.daemon.call("send", given, { patience: sendPatience });
    if (!sent.ok) return withWhatToDo(sent, { number: account.number, to: message.onlyFor ?? chat });
    const id = timestampOf(sent.result);
    return id === null
      ? { ok: false, code: "unknown-outcome", reason: "signal-cli gave no time of the message" }
      : { ok: true, message: id };
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
      if (!served.ok) return { ...served, mayBeLost: false };
      const given = { ...served.params, timeout: longPoll, maxMessages: messagesAtOnce };
      using late = afterAbort(cancel, closingPatience);
      const got = await served.daemon.call("receive", given, { patience: null, cancel: late.signal });
      const isBusy = !got.ok && /already being received/i.test(got.reason);
      if (isBusy && (tries > longPoll || cancel.aborted))
        return {
          ok: false,
          code: "try-later",
          reason: busy,
          after: null,
          isConflict: true,
          mayBeLost: false,
        } as const;
      if (!isBusy)
        return got.ok
          ? { ...got, number: served.number }
          : { ...got, mayBeLost: got.code === "unknown-outcome" };
      await this.#parts.wait(1000, cancel);
    }
  }

  /**
   * What signal-cli itself could not read is told: nobody else would know of it. What a linked person said is
   * told to the owner.
   */
  async #tellUnread(value: Json, number: string): Promise<void> {
    const unread = unreadOf(value);
    if (unread === null) return;
    const { exception, sender, isUntrusted } = unread;
    const isLinked = this.#parts.links.all().some((one) => one.service === "signal" && one.sender === sender);
    const said = `A message of ${sender ?? "somebody"} came by Signal that signal-cli could not read (${exception})`;
    if (!isLinked) this.#parts.report(`${said}.`);
    else if (isUntrusted) await this.#parts.tellOwner(compareNumbers(number, sender ?? ""));
    else await this.#parts.tellOwner(`${said}. Say it again.`);
  }
}

const busy =
  "signal-cli receives already: for another program, by itself, or in a call of this one that it goes on with, such as while it has no network. Start its daemon with --receive-mode=manual, for this agent alone";

/** A signal that comes so many milliseconds after another one. */
function afterAbort(
  cancel: AbortSignal,
  milliseconds: number,
): Disposable & { readonly signal: AbortSignal } {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => late.abort(), milliseconds);
  };
  if (cancel.aborted) begin();
  else cancel.addEventListener("abort", begin);
  return {
    signal: late.signal,
    [Symbol.dispose]() {
      cancel.removeEventListener("abort", begin);
      clearTimeout(timer);
    },
  };
}

/** A daemon of one account serves whatever number it was started with, and says that with each message. */
function otherAccount(values: readonly Json[], number: string): ChatFailure | null {
  const accounts = values.flatMap((value) => (isJsonObject(value) ? [value["account"]] : []));
  const other = accounts.find((account) => typeof account === "string" && account !== number);
  if (other === undefined) return null;
  return {
    ok: false,
    code: "no-access",
    reason: `signal-cli serves ${oneLine(String(other))}, and not ${number}: a message to that number is not taken. Start its daemon with -a ${number}, or set the other number: passepartout gateway link signal`,
  };
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
