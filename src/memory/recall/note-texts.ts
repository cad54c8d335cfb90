import { makeEventLoopYield } from "../../machine/yield-to-event-loop.ts";
import type { NoteNode } from "../../notes/note-node.ts";
import type { Label } from "../../signal/label.ts";
import type { Notes } from "../notes/open-notes.ts";
import { textToEmbed } from "../vectors/text-to-embed.ts";
import type { EmbeddableSource, EmbeddableText, EmbeddableTexts } from "./embeddable-source.ts";

/** The texts of the notes, as a source of vectors. */
export class NoteTexts implements EmbeddableSource {
  readonly #notes: Notes;
  readonly #maySee: (label: Label) => boolean;
  readonly #yieldToEventLoop = makeEventLoopYield();
  /** The root of the notes when they were last compared. */
  #root = "";

  constructor(notes: Notes, maySee: (label: Label) => boolean) {
    this.#notes = notes;
    this.#maySee = maySee;
  }

  async changes(cancel: AbortSignal): Promise<EmbeddableTexts | null> {
    const { present, indexing } = this.#notes.status();
    if (!present || indexing !== null) return null;
    await this.#notes.ready();
    const root = await this.#notes.index.root();
    const texts = new Map<string, string>();
    if (root === this.#root) return { whole: false, texts };
    for await (const node of this.#notes.index.all()) {
      if (cancel.aborted) return null;
      if (this.#mayEmbed(node)) texts.set(node.id, node.words);
      await this.#yieldToEventLoop();
    }
    this.#root = root;
    return { whole: true, texts };
  }

  forget(): void {
    this.#root = "";
  }

  async texts(ids: readonly string[]): Promise<readonly EmbeddableText[]> {
    const found = await Promise.all(ids.map((id) => this.#notes.index.node(id)));
    const nodes = found.filter((node) => node !== null).filter((node) => this.#mayEmbed(node));
    const texts = await this.#notes.texts(nodes);
    return nodes.flatMap((node) => {
      const { id, words, label } = node;
      const text = texts.get(id);
      return text === undefined ? [] : [{ id, words, text: { text: textToEmbed(node, text), label } }];
    });
  }

  #mayEmbed({ words, label }: NoteNode): boolean {
    return words !== "" && this.#maySee(label);
  }
}
