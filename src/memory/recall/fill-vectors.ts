import type { VectorStore } from "../vectors/vector-store.ts";
import type { EmbeddableSource } from "./embeddable-source.ts";
import type { EmbedderHealth } from "./embedder-health.ts";
import type { EmbeddingPort } from "./embedding-port.ts";

/** What filling the vector store needs. */
export type VectorFillerParts = {
  readonly source: EmbeddableSource;
  readonly store: VectorStore;
  readonly embedder: EmbeddingPort;
  readonly health: EmbedderHealth;
  /** Resolves when no search waits for the embedder. */
  readonly whenFree: () => Promise<void>;
  readonly cancel: AbortSignal;
};

/** Texts in one request, and milliseconds that a request may take. */
const batchSize = 64;
const requestTimeout = 60_000;

/** Makes the vectors of a source's texts, a request at a time. */
export class VectorFiller {
  readonly #parts: VectorFillerParts;
  /** The words hash after which the next batch begins. */
  #after = "";

  constructor(parts: VectorFillerParts) {
    this.#parts = parts;
  }

  /** Tells the store about changed texts, then embeds what has no vector yet, until nothing is left, the embedder fails, or `goOn` says no. `made` hears of each batch how many got one. */
  async fill(goOn: () => boolean, made: (count: number) => void): Promise<void> {
    const { source, cancel } = this.#parts;
    const changes = await source.changes(cancel);
    if (changes === null) return;
    try {
      await this.#place(changes);
      while (goOn() && (await this.#embedBatch(made))) await this.#parts.whenFree();
    } catch (error) {
      source.forget();
      throw error;
    }
  }

  async #place({
    whole,
    texts,
  }: NonNullable<Awaited<ReturnType<EmbeddableSource["changes"]>>>): Promise<void> {
    const { store } = this.#parts;
    if (!whole && texts.size === 0) return;
    await (whole ? store.setTexts(texts) : store.addTexts(texts));
    this.#after = "";
  }

  /** Embeds the next batch; false where nothing is left to do now. */
  async #embedBatch(made: (count: number) => void): Promise<boolean> {
    const { source, store, embedder, health, cancel } = this.#parts;
    const pending = store.pending(batchSize, this.#after);
    if (pending.length === 0 || cancel.aborted) return false;
    const wanted = new Map(pending.map(({ id, words }) => [id, words]));
    const texts = (await source.texts([...wanted.keys()])).filter(
      ({ id, words }) => wanted.get(id) === words,
    );
    const request = { texts: texts.map(({ text }) => text), timeoutMs: requestTimeout };
    const result = await embedder.embed(request, cancel);
    if (cancel.aborted) return false;
    if (!result.ok) {
      health.failed(result.reason);
      return false;
    }
    health.succeeded();
    made(result.vectors.length);
    const replacedAll = store.put(
      result.vectors.map((vector, at) => ({ words: texts[at]?.words ?? "", vector })),
    );
    this.#after = replacedAll ? "" : (pending.at(-1)?.words ?? "");
    const current = new Set(texts.map(({ id }) => id));
    const changed = pending.filter(({ id }) => !current.has(id));
    if (changed.length > 0) {
      store.removeTexts(changed.map(({ id }) => id));
      source.forget();
    }
    return true;
  }
}
