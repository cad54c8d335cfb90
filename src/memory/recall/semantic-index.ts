import { makeEventLoopYield } from "../../machine/yield-to-event-loop.ts";
import { isNoMoreSecretThan, type Label } from "../../signal/label.ts";
import { describeError } from "../../text/describe-error.ts";
import type { Notes } from "../notes/open-notes.ts";
import type { SessionMemory } from "../state/session-memory.ts";
import { openVectorStores, type VectorStores } from "../vectors/vector-store.ts";
import { EmbedderHealth } from "./embedder-health.ts";
import type { EmbeddingPort } from "./embedding-port.ts";
import { VectorFiller } from "./fill-vectors.ts";
import { NoteTexts } from "./note-texts.ts";
import { SaidTexts } from "./said-texts.ts";
import { nothingNear, type SemanticSearch } from "./search-memory.ts";

/** What the semantic index is opened with. Milliseconds. */
export type SemanticIndexParts = {
  /** The file of the vectors. */
  readonly file: string;
  readonly embedder: EmbeddingPort;
  readonly notes: Notes;
  readonly sessionMemory: Pick<SessionMemory, "extent" | "after" | "get">;
  readonly clock: () => number;
  readonly report: (message: string) => void;
};

/** Milliseconds that a search waits for the vector of its query. */
const queryTimeout = 5000;
/** How many query vectors are cached: the same search is prepared more than once. */
const cachedQueries = 32;
/** Milliseconds that closing waits for what was begun: requests are paid for, and a process may live for one turn only. */
const closingPatience = 1000;

/** Opens the semantic index; null, with a report, where the file of the vectors cannot be used. */
export function openSemanticIndex(parts: SemanticIndexParts): SemanticIndex | null {
  const { file, embedder, report } = parts;
  try {
    const stores = openVectorStores({ file, model: embedder.model, yieldToEventLoop: makeEventLoopYield() });
    return new SemanticIndex(parts, stores);
  } catch (error) {
    report(
      `The vectors ${file} cannot be opened, so notes are found by their words alone: ${describeError(error)}`,
    );
    return null;
  }
}

/** Finds notes, and what was said in sessions, by meaning. Vectors are made in the background, while no search waits for the embedder. Where the embedder fails, a search finds nothing here and everything else goes on. */
export class SemanticIndex implements SemanticSearch, AsyncDisposable {
  readonly #embedder: EmbeddingPort;
  readonly #stores: VectorStores;
  readonly #health: EmbedderHealth;
  readonly #fillers: readonly VectorFiller[];
  readonly #closing = new AbortController();
  #isClosing = false;
  #asking: Promise<unknown> | null = null;
  readonly #queryVectors = new Map<string, Float32Array>();
  #filling: Promise<void> | null = null;
  #fillAgain = false;
  #made = 0;

  constructor({ embedder, notes, sessionMemory, clock, report }: SemanticIndexParts, stores: VectorStores) {
    this.#embedder = embedder;
    this.#stores = stores;
    this.#health = new EmbedderHealth(embedder.name, clock, report);
    const maySee = (label: Label): boolean =>
      isNoMoreSecretThan(label, embedder.local ? "private" : "public");
    const shared = {
      embedder,
      health: this.#health,
      whenFree: async () => void (await this.#asking),
      cancel: this.#closing.signal,
    };
    this.#fillers = [
      new VectorFiller({ ...shared, source: new SaidTexts(sessionMemory, maySee), store: stores.said }),
      new VectorFiller({ ...shared, source: new NoteTexts(notes, maySee), store: stores.notes }),
    ];
  }

  /** Deletes the vectors of what is gone, and starts to embed what has none yet; where that is under way, once more after it. */
  startFilling(): void {
    this.#fillAgain = this.#filling !== null;
    if (this.#filling !== null || this.#isClosing) return;
    this.#filling = this.#fillAll()
      .catch((error: unknown) => this.#health.failed(describeError(error)))
      .finally(() => {
        this.#filling = null;
        if (this.#fillAgain) this.startFilling();
      });
  }

  async #fillAll(): Promise<void> {
    do {
      this.#fillAgain = false;
      for (const filler of this.#fillers)
        await filler.fill(
          () => this.#health.isAvailable,
          (count) => {
            this.#made += count;
          },
        );
    } while (this.#fillAgain && !this.#closing.signal.aborted);
  }

  /** Resolves when the work that was started has ended. */
  async idle(): Promise<void> {
    await this.#filling;
  }

  /** How many texts got a vector since this was asked last. */
  takeMade(): number {
    const made = this.#made;
    this.#made = 0;
    return made;
  }

  /** Why notes are found by their words alone just now; null where they are not. */
  problem(): string | null {
    return this.#health.problem;
  }

  async nearest(text: string, label: Label, limit: number): ReturnType<SemanticSearch["nearest"]> {
    const { notes, said } = this.#stores;
    const allowed = this.#embedder.local ? "private" : "public";
    if (this.#isClosing || !isNoMoreSecretThan(label, allowed)) return nothingNear;
    try {
      if (notes.isEmpty() && said.isEmpty()) return nothingNear;
      const vector = await this.#queryVector(text, label);
      if (vector === null) return nothingNear;
      return { notes: await notes.nearest(vector, limit), said: await said.nearest(vector, limit) };
    } catch (error) {
      this.#health.failed(describeError(error));
      return nothingNear;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const patience = setTimeout(() => this.#closing.abort(), closingPatience);
    await this.#filling;
    clearTimeout(patience);
    this.#closing.abort();
    this.#stores[Symbol.dispose]();
  }

  async #queryVector(text: string, label: Label): Promise<Float32Array | null> {
    const cached = this.#queryVectors.get(text);
    if (cached !== undefined) return cached;
    if (!this.#health.isAvailable) return null;
    const request = { texts: [{ text, label }], timeoutMs: queryTimeout };
    const asked = this.#embedder.embed(request, this.#closing.signal);
    this.#asking = asked;
    const result = await asked;
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
