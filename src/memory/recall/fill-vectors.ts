import { isNoMoreSecretThan } from "../../signal/label.ts";
import type { NoteNode } from "../notes/nodes/note-node.ts";
import { makeEventLoopYield } from "../notes/nodes/yield-to-event-loop.ts";
import type { Notes } from "../notes/open-notes.ts";
import { textToEmbed } from "../vectors/text-to-embed.ts";
import type { EmbeddableNode, VectorStore } from "../vectors/vector-store.ts";
import type { EmbedderHealth } from "./embedder-health.ts";
import type { EmbeddingPort, LabelledText } from "./embedding-port.ts";

/** What filling the vector store needs. */
export type VectorFillerParts = {
  readonly notes: Notes;
  readonly store: VectorStore;
  readonly embedder: EmbeddingPort;
  readonly health: EmbedderHealth;
  readonly cancel: AbortSignal;
};

/** Texts in one request, requests in one fill, and milliseconds that a request may take. */
const batchSize = 64;
const batchesPerFill = 32;
const requestTimeout = 60_000;

/** Makes the vectors of the notes, a bounded number of requests at a time. */
export class VectorFiller {
  readonly #parts: VectorFillerParts;
  readonly #yieldToEventLoop = makeEventLoopYield();
  /** The root of the notes whose nodes the store has; empty where they must be compared again. */
  #root = "";
  /** The words hash after which the next batch begins. */
  #after = "";

  constructor(parts: VectorFillerParts) {
    this.#parts = parts;
  }

  /** Tells the store about changed notes, then embeds what has no vector yet. */
  async fill(): Promise<void> {
    const { notes, cancel } = this.#parts;
    const { present, indexing } = notes.status();
    if (!present || indexing !== null) return;
    await notes.ready();
    const root = await notes.index.root();
    if (root !== this.#root && !(await this.#updateNodes(root))) return;
    for (let count = 0; count < batchesPerFill && !cancel.aborted; count += 1) {
      if (!(await this.#embedBatch())) return;
    }
  }

  /** Gives the store all nodes that the embedder may see; false where it was cancelled. */
  async #updateNodes(root: string): Promise<boolean> {
    const { notes, store, cancel } = this.#parts;
    const nodes = new Map<string, string>();
    for await (const node of notes.index.all()) {
      if (cancel.aborted) return false;
      if (this.#maySee(node)) nodes.set(node.id, node.words);
      await this.#yieldToEventLoop();
    }
    await store.setNodes(nodes);
    this.#root = root;
    this.#after = "";
    return true;
  }

  /** Embeds the next batch; false where nothing is left to do now. */
  async #embedBatch(): Promise<boolean> {
    const { store, embedder, health, cancel } = this.#parts;
    const pending = store.pending(batchSize, this.#after);
    if (pending.length === 0) return false;
    const texts = await this.#currentTexts(pending);
    const request = { texts: texts.map(({ text }) => text), timeoutMs: requestTimeout };
    const result = await embedder.embed(request, cancel);
    if (cancel.aborted) return false;
    if (!result.ok) {
      health.failed(result.reason);
      return false;
    }
    health.succeeded();
    const replacedAll = store.put(
      result.vectors.map((vector, at) => ({ words: texts[at]?.words ?? "", vector })),
    );
    this.#after = replacedAll ? "" : (pending.at(-1)?.words ?? "");
    const embedded = new Set(texts.map(({ words }) => words));
    const changed = pending.filter(({ words }) => !embedded.has(words));
    if (changed.length > 0) {
      store.removeNodes(changed.map(({ id }) => id));
      this.#root = "";
    }
    return true;
  }

  /** The current texts of nodes; none for a node that changed since, or that the embedder may no longer see. */
  async #currentTexts(
    pending: readonly EmbeddableNode[],
  ): Promise<readonly { readonly words: string; readonly text: LabelledText }[]> {
    const { notes } = this.#parts;
    const words = new Map(pending.map((node) => [node.id, node.words]));
    const found = await Promise.all(pending.map(({ id }) => notes.index.node(id)));
    const nodes = found
      .filter((node) => node !== null)
      .filter((node) => node.words === words.get(node.id) && this.#maySee(node));
    const texts = await notes.texts(nodes);
    return nodes.flatMap((node) => {
      const text = texts.get(node.id);
      return text === undefined
        ? []
        : [{ words: node.words, text: { text: textToEmbed(node, text), label: node.label } }];
    });
  }

  #maySee(node: NoteNode): boolean {
    const allowed = this.#parts.embedder.local ? "private" : "public";
    return node.words !== "" && isNoMoreSecretThan(node.label, allowed);
  }
}
