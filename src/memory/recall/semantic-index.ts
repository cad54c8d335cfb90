import { describeError } from "../../signal/describe-error.ts";
import { isNoMoreSecretThan, type Label } from "../../signal/label.ts";
import { makeEventLoopYield } from "../notes/nodes/yield-to-event-loop.ts";
import type { Notes } from "../notes/open-notes.ts";
import { openVectorStore, type VectorStore } from "../vectors/vector-store.ts";
import { EmbedderHealth } from "./embedder-health.ts";
import type { EmbeddingPort } from "./embedding-port.ts";
import { VectorFiller } from "./fill-vectors.ts";
import type { SemanticSearch } from "./search-memory.ts";

/** What the semantic index is opened with. Milliseconds. */
export type SemanticIndexParts = {
  /** The file of the vectors. */
  readonly file: string;
  readonly embedder: EmbeddingPort;
  readonly notes: Notes;
  readonly clock: () => number;
  readonly report: (message: string) => void;
};

/** Milliseconds that a search waits for the vector of its query. */
const queryTimeout = 5000;
/** How many query vectors are cached: the same search is prepared more than once. */
const cachedQueries = 32;

/** Opens the semantic index; null, with a report, where the file of the vectors cannot be used. */
export function openSemanticIndex(parts: SemanticIndexParts): SemanticIndex | null {
  const { file, embedder, report } = parts;
  try {
    const store = openVectorStore({ file, model: embedder.model, yieldToEventLoop: makeEventLoopYield() });
    return new SemanticIndex(parts, store);
  } catch (error) {
    report(
      `The vectors ${file} cannot be opened, so notes are found by their words alone: ${describeError(error)}`,
    );
    return null;
  }
}

/** Finds notes by meaning. Vectors are made in the background. Where the embedder fails, a search finds nothing here and everything else goes on. */
export class SemanticIndex implements SemanticSearch, AsyncDisposable {
  readonly #embedder: EmbeddingPort;
  readonly #store: VectorStore;
  readonly #health: EmbedderHealth;
  readonly #filler: VectorFiller;
  readonly #closing = new AbortController();
  readonly #queryVectors = new Map<string, Float32Array>();
  #filling: Promise<void> | null = null;
  #fillAgain = false;

  constructor({ embedder, notes, clock, report }: SemanticIndexParts, store: VectorStore) {
    this.#embedder = embedder;
    this.#store = store;
    this.#health = new EmbedderHealth(embedder.name, clock, report);
    this.#filler = new VectorFiller({
      notes,
      store,
      embedder,
      health: this.#health,
      cancel: this.#closing.signal,
    });
  }

  /** Starts to embed a bounded share of what has no vector yet; where that is under way, once more after it. */
  startFilling(): void {
    this.#fillAgain = this.#filling !== null;
    if (this.#filling !== null || this.#closing.signal.aborted || !this.#health.isAvailable) return;
    this.#filling = this.#filler
      .fill()
      .catch((error: unknown) => this.#health.failed(describeError(error)))
      .finally(() => {
        this.#filling = null;
        if (this.#fillAgain) this.startFilling();
      });
  }

  /** Resolves when the work that was started has ended. */
  async idle(): Promise<void> {
    await this.#filling;
  }

  /** Why notes are found by their words alone just now; null where they are not. */
  problem(): string | null {
    return this.#health.problem;
  }

  async nearest(text: string, label: Label, limit: number): ReturnType<SemanticSearch["nearest"]> {
    const allowed = this.#embedder.local ? "private" : "public";
    if (this.#closing.signal.aborted || !isNoMoreSecretThan(label, allowed)) return [];
    try {
      if (this.#store.isEmpty()) return [];
      const vector = await this.#queryVector(text, label);
      return vector === null ? [] : await this.#store.nearest(vector, limit);
    } catch (error) {
      this.#health.failed(describeError(error));
      return [];
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#filling;
    this.#store.close();
  }

  async #queryVector(text: string, label: Label): Promise<Float32Array | null> {
    const cached = this.#queryVectors.get(text);
    if (cached !== undefined) return cached;
    if (!this.#health.isAvailable) return null;
    const request = { texts: [{ text, label }], timeoutMs: queryTimeout };
    const result = await this.#embedder.embed(request, this.#closing.signal);
    if (result.ok) this.#health.succeeded();
    else this.#health.failed(result.reason);
    const vector = result.ok ? (result.vectors[0] ?? null) : null;
    if (vector === null) return null;
    this.#queryVectors.set(text, vector);
    const [oldest] = this.#queryVectors.keys();
    if (this.#queryVectors.size > cachedQueries && oldest !== undefined) this.#queryVectors.delete(oldest);
    return vector;
  }
}
