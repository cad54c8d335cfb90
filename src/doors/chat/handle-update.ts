import type { OwnerCommand } from "../../perceive/commands.ts";
import { describeError } from "../../text/describe-error.ts";
import { canonicalJson } from "../../text/json.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";
import { answerOf } from "./answer-of-turn.ts";
import type { ChatAddresses } from "./chat-addresses.ts";
import { type AskedCommand, commandOf } from "./chat-command.ts";
import type { ChatKernel, ChatWords } from "./chat-kernel.ts";
import type { ChatMessage, ChatService, ChatTap, ChatUpdate } from "./chat-service.ts";
import { longestWords } from "./mark-words.ts";
import { offerCode } from "./pair-sender.ts";
import type { ChatQuestions, PostedMessage } from "./question-hook.ts";
import { splitText } from "./split-text.ts";
import type { FileTaker, TakenFiles } from "./take-files.ts";
import { wordsOfProgram } from "./words-of-program.ts";

/** What handling an update needs. */
export type HandleParts = {
  readonly kernel: ChatKernel;
  readonly service: ChatService;
  readonly questions: ChatQuestions | null;
  readonly isOwner: ChatAddresses["isOwner"];
  readonly sessionOf: ChatAddresses["sessionOf"];
  readonly ownerChat: ChatAddresses["ownerChat"];
  /** Whether a draft shows a turn that runs. */
  readonly isDraftShown: (draft: string) => boolean;
  readonly files: Pick<FileTaker, "of">;
  readonly cancel: AbortSignal;
};

/**
 * What became of an update: it has ended, with what is sent for it; or it began a turn, which ends it.
 * `takesBack`: the words of this chat that wait are taken back with it.
 */
export type Handled =
  | { readonly kind: "ended"; readonly outgoing: readonly PostedMessage[]; readonly takesBack?: boolean }
  | { readonly kind: "begun"; readonly turn: string }
  /** Nobody here understands it. */
  | { readonly kind: "unknown" }
  /**
   * Words whose files are being taken, or that stand behind such words in their chat. `why`: what the owner
   * has
   * to do first.
   */
  | { readonly kind: "waits"; readonly why?: string }
  /** The process is closing: it is handled after the next start. */
  | { readonly kind: "later" };

const nothing: Handled = { kind: "ended", outgoing: [] };

/**
 * Handles an update that is on disk. A killed process handles it again, and nothing is done twice.
 * `isBehind`:
 * whether earlier words of its chat wait; commands, taps and answers to questions overtake them.
 */
export async function handleUpdate(
  parts: HandleParts,
  update: ChatUpdate,
  isBehind: boolean,
): Promise<Handled> {
  switch (update.kind) {
    case "unknown": {
      // What strangers send is kept nowhere, and pushes out nothing of the owner's.
      const { from } = update;
      return from === undefined || parts.isOwner(from.chat, from.sender) ? { kind: "unknown" } : nothing;
    }
    case "stop": {
      // Only a person of a private chat can stop a draft there.
      if (parts.isOwner(update.chat.id, update.chat.id) && parts.isDraftShown(update.draft))
        await parts.kernel.stop(await parts.sessionOf(update.chat.id));
      return nothing;
    }
    case "moved":
      await parts.kernel.moveChat(update.from, update.to);
      return nothing;
    case "tap":
      return handleTap(parts, update);
    case "message":
      return handleMessage(parts, update, isBehind);
  }
}

async function handleTap(parts: HandleParts, tap: ChatTap): Promise<Handled> {
  const { kernel, service, questions, cancel } = parts;
  const shown = await questions?.tapped(tap);
  const text = shown ?? "This button is not in use any more.";
  if (service.answerTap === undefined)
    return shown === undefined || shown === ""
      ? nothing
      : { kind: "ended", outgoing: messagesOf(parts, tap, { text, format: "plain" }) };
  // What the tap decided is done. Its answer may take long or fail, and holds up no other tap.
  const unanswered = (why: string): void => kernel.report(`A tap was not answered: ${why}`);
  service.answerTap(tap.tap, text, cancel).then(
    (done) => {
      if (!done.ok && !cancel.aborted) unanswered(done.reason);
    },
    (error: unknown) => unanswered(describeError(error)),
  );
  return nothing;
}

async function handleMessage(parts: HandleParts, message: ChatMessage, isBehind: boolean): Promise<Handled> {
  const { kernel, service, questions } = parts;
  const { chat, sender } = message;
  if (sender.isBot || chat.kind === "channel") return nothing;
  // As long as nobody knows whose words these are, they wait.
  const fault = kernel.links.fault();
  if (fault !== null) return { kind: "waits", why: fault };
  if (!parts.isOwner(chat.id, sender.id)) {
    if (message.isEdit === true) return nothing;
    const offered = await offerCode({ kernel, service }, message);
    return offered === null ? nothing : { kind: "ended", outgoing: [offered] };
  }
  const unread = whyUnread(message);
  if (unread !== null)
    return message.isAddressed
      ? { kind: "ended", outgoing: messagesOf(parts, message, { text: unread, format: "plain" }) }
      : nothing;
  const isTyped = !message.isForwarded && (message.quotes ?? []).length === 0;
  if (questions !== null && isTyped && (await questions.said(message))) return nothing;
  if (!message.isAddressed) return nothing;
  const session = await parts.sessionOf(chat.id);
  const clientId = `${service.name}:${message.id}`;
  const asked = message.isForwarded ? null : commandOf(message.text);
  const command = asked?.kind === "command" && !isTyped ? null : asked;
  const late = command?.kind === "command" ? whyTooLate(command.command, message, kernel.clock()) : null;
  if (late !== null)
    return { kind: "ended", outgoing: messagesOf(parts, message, { text: late, format: "plain" }) };
  if (command === null) {
    const said = isBehind ? null : await say(parts, message, { session, clientId });
    return said === null ? { kind: "waits" } : handledOf(parts, message, said);
  }
  const handled = await handledOf(parts, message, await runCommand(kernel, { command, session, clientId }));
  const takesBack = command.kind === "command" && ["stop", "clear"].includes(command.command);
  return handled.kind === "ended" ? { ...handled, takesBack } : handled;
}

/**
 * Says the words with the files that came with them; null while these are being taken. What was said before a
 * kill is not said again.
 */
async function say(
  { kernel, service, files }: HandleParts,
  message: ChatMessage,
  { session, clientId }: { readonly session: string; readonly clientId: string },
): Promise<SubmitResult | null> {
  const turn = message.files.length === 0 ? null : await kernel.turnOf(session, clientId);
  if (turn !== null) return { kind: "turn", turn, session, fresh: false };
  const taken = files.of(message, session);
  if (taken === null) return null;
  const payload = payloadOf(message, taken);
  return kernel.say({ session, clientId, source: service.name, person: "owner", payload });
}

function runCommand(
  kernel: ChatKernel,
  {
    command: asked,
    session,
    clientId,
  }: { readonly command: AskedCommand; readonly session: string; readonly clientId: string },
): Promise<SubmitResult> {
  if (asked.kind === "not-here") return Promise.resolve({ kind: "said", code: asked.kind, text: asked.text });
  const { command } = asked;
  if (command === "help") return Promise.resolve({ kind: "said", code: "help", text: helpText });
  // The whole status shows the tokens of open questions, which go to no chat.
  const shown: OwnerCommand = { kind: command === "status" ? "overview" : command };
  const content = canonicalJson({ command });
  return kernel.runOnce(
    { session, client: clientId, content, repeatable: command !== "undo" && command !== "clear" },
    () => kernel.runCommand(shown, session, clientId),
  );
}

async function handledOf(
  { kernel, service, ownerChat }: HandleParts,
  message: ChatMessage,
  result: SubmitResult,
): Promise<Handled> {
  if (result.kind === "turn") return { kind: "begun", turn: result.turn };
  if (result.kind === "refused" && result.code === "closing") return { kind: "later" };
  return {
    kind: "ended",
    outgoing: messagesOf({ service, ownerChat }, message, {
      // What says itself that a command works elsewhere needs no further line.
      text: result.code === "not-here" ? result.text : await wordsOfProgram(kernel, service, result.text),
      format: "plain",
    }),
  };
}

/**
 * A text for the owner, in as many messages as it needs. What is said in a group is answered to the owner
 * alone: in their private chat, or else so that only they see it.
 */
function messagesOf(
  { service: { name, limits }, ownerChat }: Pick<HandleParts, "service" | "ownerChat">,
  { id, chat, sender }: Pick<ChatMessage, "id" | "chat" | "sender">,
  { text, format }: { readonly text: string; readonly format: "markdown" | "plain" },
): readonly PostedMessage[] {
  const own = chat.kind === "group" ? ownerChat() : null;
  const isMoved = own !== null && own.sender === sender.id;
  const onlyFor = chat.kind === "group" && !isMoved ? { onlyFor: sender.id } : {};
  const whole = isMoved ? `(You asked in a group.)\n\n${text}` : text;
  return splitText(whole, limits.characters).map((part, index) => ({
    key: `${name}:${id}:${index}`,
    chat: isMoved ? own.chat : chat.id,
    message: { text: part, format, ...onlyFor },
  }));
}

/** What is sent for the turn that a message began, once it has ended; null while it goes on. */
export async function endOfTurn(
  { kernel, service, ownerChat }: Pick<HandleParts, "kernel" | "service" | "ownerChat">,
  message: ChatMessage,
  turn: string,
): Promise<readonly (PostedMessage & { readonly turn: string })[] | null> {
  const status = await kernel.turnStatus(turn);
  if (status === null && (await kernel.isTurnKept(turn))) return null;
  const answer = answerOf(status);
  if (answer === "goes-on") return null;
  if (answer === null) return [];
  const { format } = answer;
  const text = format === "plain" ? await wordsOfProgram(kernel, service, answer.text) : answer.text;
  return messagesOf({ service, ownerChat }, message, { text, format }).map((one) => ({ ...one, turn }));
}

const helpText = [
  "You can talk to your agent here.",
  "/status says what runs and waits, /stop stops it, /undo takes back what the last turn changed, /clear begins anew.",
].join("\n");

/** Milliseconds after which a command counts no more: it was meant for what stood there then. */
const longestCommand = 3_600_000;

/** Why a command that changes something is not obeyed any more; null where it is. */
function whyTooLate(command: string, { saidAt }: ChatMessage, now: number): string | null {
  const age = saidAt === undefined ? 0 : now - saidAt;
  if (age < longestCommand || !["undo", "stop", "clear"].includes(command)) return null;
  const hours = Math.floor(age / 3_600_000);
  return `/${command} reached me only now, ${hours} h after you said it, and did nothing. Say it again if it still counts.`;
}

/** Why nothing is done about a message of the owner; null where it is read. */
function whyUnread({ isUnreadable, isEdit, isCut, isWordless }: ChatMessage): string | null {
  if (isEdit === true)
    return "I took what you said first, and do nothing about the change. Say it again as a message of its own if it counts.";
  if (isUnreadable === true)
    return "I cannot read a message of this kind, and did nothing about it. I read text, photos, files and voice notes.";
  if (isCut === true)
    return `Only the beginning of your message came, so I did nothing about it. I read up to ${longestWords} characters at once: send several messages, or a file.`;
  return isWordless === true
    ? "This came before the chat was linked, when its words were not kept. Say it again."
    : null;
}

/** Characters of words of others that go with a message. */
const longestOthers = longestWords;

/** The owner's words, or what they forwarded: words of others, which license nothing. */
function payloadOf(
  { text, quotes = [], quoted = "", isForwarded, chat, sender }: ChatMessage,
  { attachments, heard, notes }: TakenFiles,
): ChatWords["payload"] {
  const said = isForwarded ? "(I forward this message.)" : text;
  const words = [...(said === "" ? [] : [said]), ...notes].join("\n");
  const replied = quoted === "" ? [] : [`(I reply to these words of somebody else.)\n${quoted}`];
  const others = [...replied, ...(isForwarded && text !== "" ? [text] : []), ...heard].join("\n\n");
  return {
    text: words === "" ? "(I send you this.)" : words,
    ...(others === "" ? {} : { piped: others.slice(0, longestOthers) }),
    ...(quotes.length === 0 || isForwarded ? {} : { pastes: quotes }),
    ...(attachments.length === 0 ? {} : { attachments }),
    chat: chat.id,
    sender: sender.id,
  };
}
