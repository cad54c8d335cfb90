import { sha256 } from "../../machine/digest.ts";
import { makeEventLoopYield } from "../../machine/yield-to-event-loop.ts";
import type { Label } from "../../signal/label.ts";
import type { SessionMemory } from "../state/session-memory.ts";
import { isLineOnCall, type TranscriptEntry } from "../state/transcript.ts";
import { cutToEmbed } from "../vectors/text-to-embed.ts";
import type { EmbeddableSource, EmbeddableText, EmbeddableTexts } from "./embeddable-source.ts";

/** Entries that are read at once. */
const page = 500;

/** What was said in sessions, as a source of vectors. Lines on calls, which repeat what was asked, get none. Entries only come, except where the owner has some forgotten. */
export class SaidTexts implements EmbeddableSource {
  readonly #memory: Pick<SessionMemory, "extent" | "after" | "get">;
  readonly #maySee: (label: Label) => boolean;
  readonly #yieldToEventLoop = makeEventLoopYield();
  /** The entries when they were last compared; null where all have to be. */
  #known: Awaited<ReturnType<SessionMemory["extent"]>> | null = null;

  constructor(memory: Pick<SessionMemory, "extent" | "after" | "get">, maySee: (label: Label) => boolean) {
    this.#memory = memory;
    this.#maySee = maySee;
  }

  async changes(cancel: AbortSignal): Promise<EmbeddableTexts | null> {
    const extent = await this.#memory.extent();
    const known = this.#known?.removals === extent.removals ? this.#known : null;
    const texts = await this.#read(known?.last ?? 0, cancel);
    if (texts === null) return null;
    this.#known = extent;
    return { whole: known === null, texts };
  }

  forget(): void {
    this.#known = null;
  }

  async texts(ids: readonly string[]): Promise<readonly EmbeddableText[]> {
    const entries = await Promise.all(ids.map((id) => this.#memory.get(id)));
    return entries
      .filter((entry) => entry !== null)
      .filter((entry) => this.#mayEmbed(entry))
      .map(({ id, text, label }) => ({ id, words: sha256(text), text: { text: cutToEmbed(text), label } }));
  }

  /** The entries after a number that get vectors; null where that was cancelled. */
  async #read(from: number, cancel: AbortSignal): Promise<ReadonlyMap<string, string> | null> {
    const texts = new Map<string, string>();
    for (let last = from; ; ) {
      const entries = await this.#memory.after(last, page);
      for (const entry of entries) if (this.#mayEmbed(entry)) texts.set(entry.id, sha256(entry.text));
      last = entries.at(-1)?.number ?? last;
      await this.#yieldToEventLoop();
      if (cancel.aborted) return null;
      if (entries.length < page) return texts;
    }
  }

  #mayEmbed(entry: TranscriptEntry): boolean {
    return !isLineOnCall(entry) && this.#maySee(entry.label);
  }
}
