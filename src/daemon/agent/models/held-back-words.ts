import type { HeldBack } from "../../../reason/held-back.ts";
import type { Provider } from "../../../reason/model/model-port.ts";
import { isJobSignal, isTextRequest, type Signal } from "../../../signal/signal.ts";
import type { Turn } from "../../../signal/turn.ts";
import { shorten } from "../../../text/cut-text.ts";
import type { KnownPrivateText } from "../resources/private-passages.ts";

/** What asking about the owner's own words needs. */
export type HeldBackParts = {
  readonly privateText: Pick<KnownPrivateText, "ready" | "learnMarked" | "passagesIn">;
  /** The providers that may be asked, in order. */
  readonly providers: readonly Pick<Provider, "name" | "local">[];
};

/** How many passages a question shows, and how many characters of each. */
const mostShown = 3;
const longestShown = 160;

/**
 * The question to an owner whose own words of this turn stand in a private text, or are tagged as private,
 * before anything is sent to a provider that is not local; null where there is nothing to ask. `/send`
 * answers yes for exactly this message and this provider; a text that the program wants for itself, and a
 * job, go on with other words or a local model alone.
 */
export async function askAboutPrivateWords(
  { privateText, providers }: HeldBackParts,
  { messages, signal }: Pick<Turn, "messages" | "signal">,
): Promise<HeldBack | null> {
  const [provider] = providers;
  const [words, ...later] = messages;
  if (provider === undefined || provider.local || later.some(({ role }) => role !== "attachment"))
    return null;
  if (words?.role !== "user") return null;
  if (providers.some(({ name }) => name === words.asIsFor)) return null;
  const isTagged = words.label.secrecy !== "public";
  const isMessage = signal.person === "owner";
  if (!isMessage && !isOrder(signal) && !(isTagged && isJob(signal))) return null;
  await privateText.ready();
  await privateText.learnMarked(words.text);
  const passages = privateText.passagesIn(words.text);
  if (!isTagged && passages.length === 0) return null;
  const why = isTagged ? "Your words are tagged as private" : "Some of your words stand in a private text";
  const question = [
    `Nothing was sent. ${why}, and ${provider.name} is not local:`,
    ...shownOf(isTagged && isMessage ? [words.text] : passages),
    ways[isTagged ? "tagged" : "known"][isMessage ? "message" : "order"],
  ].join("\n");
  return { question, provider: provider.name };
}

/**
 * What the owner may do about words that they tagged, and about words that are known from a private text:
 * in a message, and in what the program or a job says for them.
 */
const ways = {
  tagged: {
    message:
      "Four ways on: /send sends your message as it is, this once; /note keeps it without a model; say it without the tag; or choose a local model with /model.",
    order: "Two ways on: say it without the tag, or choose a local model.",
  },
  known: {
    message:
      "Three ways on: /send sends your message as it is, this once; say it in other words; or choose a local model with /model.\nWords that are not private any more are released by /public WORDS.",
    order:
      "Three ways on: say it in other words; choose a local model with /model; or make the words public with /public WORDS.",
  },
} as const;

/** Whether a turn asks a model for a text that words of the owner are a part of. */
function isOrder(signal: Signal): boolean {
  return isTextRequest(signal) && signal.payload["ownWords"] === true;
}

/** Whether a turn is a run of a job of the owner. */
function isJob(signal: Signal): boolean {
  return isJobSignal(signal) && !isTextRequest(signal);
}

function shownOf(passages: readonly string[]): readonly string[] {
  const shown = passages.slice(0, mostShown).map((passage) => `  ${shortLine(passage)}`);
  const more = passages.length > mostShown ? [`  and ${passages.length - mostShown} more`] : [];
  return [...shown, ...more];
}

function shortLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return shorten(line, longestShown);
}
