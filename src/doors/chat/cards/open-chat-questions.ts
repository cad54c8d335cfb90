import type { ApprovalQuestion } from "../../../shown/approval-question.ts";
import { sealedChannels } from "../../../signal/actuator.ts";
import type { Effect } from "../../../signal/effect.ts";
import { describeError } from "../../../text/describe-error.ts";
import { type Json, textsIn } from "../../../text/json.ts";
import { parseJson } from "../../../text/parse-json.ts";
import type { ChatKernel, QuestionSettings } from "../chat-kernel.ts";
import type { OpenChatQuestions, QuestionParts } from "../question-hook.ts";
import type { QuestionDesk } from "./cards-parts.ts";
import { type CardPlace, isKeptCard, type OpenCard } from "./open-card.ts";
import { QuestionCards } from "./question-cards.ts";

/** Asks the agent's questions as cards in the chats of a service. */
export function chatQuestions(settings: QuestionSettings): OpenChatQuestions {
  return (parts) => {
    const { kernel, service } = parts;
    const { cards } = kernel.store;
    return new QuestionCards({
      store: {
        all: async () => (await cards.all(service.name)).filter(isKeptCard),
        save: (changed, dropped) => cards.save(service.name, changed.map(keptOf), dropped),
      },
      desk: deskOf(parts),
      service: service.name,
      answers: service.answers,
      placeOf: ({ session, turn, expiresAt }) => placeOf(parts, settings, { session, turn, expiresAt }),
      isPrivate: (question) => isPrivate(kernel, service, question),
      isOwner: parts.isOwner,
      mayStandOnLockScreen: settings.lockScreen,
      assistant: settings.assistant,
      post: parts.post,
      sentAs: parts.sentAs,
      time: () => {
        const now = kernel.clock();
        return { now, zoneMinutes: -new Date(now).getTimezoneOffset() };
      },
      report: kernel.report,
    });
  };
}

/** By the label of what it is about, and by its words. What is not known counts as private. */
async function isPrivate(
  { holdsPrivate, report }: Pick<ChatKernel, "holdsPrivate" | "report">,
  { name, title }: QuestionParts["service"],
  { action, changes = [], effects, reason, workspace }: ApprovalQuestion,
): Promise<boolean> {
  if (sealedChannels.has(name)) return false;
  if (effects.some(isLabelledPrivate)) return true;
  const lines = changes.flatMap(({ path, diff }) => [path, diff.replaceAll(/^[-+ ]/gm, "")]);
  const payload = textsIn(action.payload).map(({ text }) => text);
  const texts: readonly string[] = [...payload, action.explanation, reason, workspace ?? "", ...lines];
  return holdsPrivate(texts.join("\n")).catch((error: unknown) => {
    report(`What is private is not known, so a question is not shown in ${title}: ${describeError(error)}`);
    return true;
  });
}

function isLabelledPrivate(effect: Effect): boolean {
  const steps = effect.kind === "change-memory" ? (effect.plan?.steps ?? []) : [];
  return effect.label.secrecy !== "public" || steps.some((step) => step.effects.some(isLabelledPrivate));
}

function keptOf(card: OpenCard): { readonly id: string; readonly body: Json } {
  return { id: card.id, body: parseJson(JSON.stringify(card)) };
}

/**
 * Questions are answered by the same commands as at any other door, with a token that is asked for when it is
 * needed.
 */
function deskOf({ kernel, service }: QuestionParts): QuestionDesk {
  return {
    async answer({ session, turn, expiresAt }, answer) {
      const token = await kernel.tokenOf({ turn, expiresAt });
      if (token === null) return false;
      const command =
        answer === "yes"
          ? ({ kind: "approve", token } as const)
          : ({ kind: "deny", token, reason: null } as const);
      const result = await kernel.runCommand(command, session, `${service.name}:answer:${turn}:${expiresAt}`);
      return result.kind !== "refused";
    },
    endOf: kernel.endOfQuestion,
  };
}

/**
 * Where a question is asked: in the private chat whose words it came from, and one that came from a group in
 * the owner's private chat;
 * one that came from no chat there, if the owner named this door. Null where there is no such chat: nobody
 * but the owner may read it.
 */
async function placeOf(
  { chatOf, ownerIn, ownerChat, service, post }: QuestionParts,
  { defaultActuator }: Pick<QuestionSettings, "defaultActuator">,
  {
    session,
    turn,
    expiresAt,
  }: { readonly session: string; readonly turn: string; readonly expiresAt: number },
): Promise<CardPlace | null> {
  const chat = await chatOf(session);
  const from = chat === null ? null : ownerIn(chat);
  if (from === null && defaultActuator !== service.name) return null;
  if (chat !== null && from?.kind === "private") return { chat, member: from.sender };
  const own = ownerChat();
  if (own !== null) return { chat: own.chat, member: own.sender };
  if (chat !== null && from !== null)
    await post({
      key: `${service.name}:card-elsewhere:${turn}:${expiresAt}`,
      chat,
      message: { text: elsewhere, format: "plain", onlyFor: from.sender },
    });
  return null;
}

const elsewhere =
  "A question waits for you. It is not asked in a group: answer it at the terminal, or write to me in a private chat and link that.";
