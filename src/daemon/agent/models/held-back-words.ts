import type { Provider } from "../../../reason/model/model-port.ts";
import { isTextRequest } from "../../../signal/signal.ts";
import { shorten } from "../../../signal/text/cut-text.ts";
import type { Turn } from "../../../signal/turn.ts";
import type { KnownPrivateText } from "../resources/private-passages.ts";

/** What asking about the owner's own words needs. */
export type HeldBackParts = {
  readonly privateText: Pick<KnownPrivateText, "ready" | "learnMarked" | "passagesIn">;
  /** The provider that would be asked first; null without one. */
  readonly firstProvider: () => Pick<Provider, "name" | "local"> | null;
};

/** How many passages a question shows, and how many characters of each. */
const mostShown = 3;
const longestShown = 160;

/**
 * The question to an owner whose own words of this turn stand in a private text, before anything is sent to a provider that is not local; null where
 * there is nothing to ask. `/send` answers yes for exactly this message; where the words are in a text that the program wants for itself, only other words help.
 */
export async function askAboutPrivateWords(
  { privateText, firstProvider }: HeldBackParts,
  { messages, signal }: Pick<Turn, "messages" | "signal">,
): Promise<string | null> {
  const provider = firstProvider();
  const [words, ...later] = messages;
  if (provider === null || provider.local || later.some(({ role }) => role !== "attachment")) return null;
  const isOrder = isTextRequest(signal) && signal.payload["ownWords"] === true;
  if ((signal.person !== "owner" && !isOrder) || words?.role !== "user" || words.asIs !== undefined)
    return null;
  await privateText.ready();
  await privateText.learnMarked(words.text);
  const passages = privateText.passagesIn(words.text);
  if (passages.length === 0) return null;
  const shown = passages.slice(0, mostShown).map((passage) => `  ${shortLine(passage)}`);
  const more = passages.length > mostShown ? [`  and ${passages.length - mostShown} more`] : [];
  return [
    `Nothing was sent. Some of your words stand in a private text, and ${provider.name} is not local:`,
    ...shown,
    ...more,
    isOrder
      ? "Three ways on: say it in other words; choose a local model with /model; or make the words public with /public WORDS."
      : "Three ways on: /send sends your message as it is, this once; say it in other words; or choose a local model with /model.\nWords that are not private any more are released by /public WORDS.",
  ].join("\n");
}

function shortLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return shorten(line, longestShown);
}
