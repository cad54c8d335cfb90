import { findLinkingNodes } from "../../../memory/notes/backlinks.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { MemoryObject } from "../../../memory/state/memory-object.ts";
import type { NoteNode } from "../../../notes/note-node.ts";
import { assembleContext } from "../../../reason/prompt/assemble-context.ts";
import {
  type Context,
  type ContextNode,
  type ContextRequest,
  type ContextSource,
  emptyContext,
  type ShownNode,
  type SimilarNode,
} from "../../../reason/prompt/context.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import { describeError } from "../../../text/describe-error.ts";

/** The sources of the context. */
export type NotesContextParts = {
  readonly notes: Pick<Notes, "index" | "shownTexts" | "subtree" | "lastChanged" | "isOfProgram">;
  /** An object of the agent's own memory, which can be the focus too; null if there is none. */
  readonly own: (id: string) => Promise<MemoryObject | null>;
  /** The notes that words mean, with their similarity from 0 to 1, beside those that have the words. */
  readonly meant?: (words: string, limit: number) => Promise<readonly SimilarNode[]>;
};

/** What the context of a turn is assembled for. `label` is that of its words. */
export type PromptContextRequest = Pick<ContextRequest, "words" | "focus" | "namedOnly"> & {
  readonly label: Label;
};

const projectTag = "project";

/** Makes a function that assembles the context for the owner's words. If the notes cannot be read, that is reported and the context is empty. */
export function makeNotesContext({
  parts,
  meant,
  ready,
  limits,
  report,
}: {
  readonly parts: Omit<NotesContextParts, "meant">;
  /** Finds notes by their meaning; `label` is that of the words. */
  readonly meant: (words: string, label: Label, limit: number) => Promise<readonly SimilarNode[]>;
  /** Resolves when the index is up to date. */
  readonly ready: () => Promise<void>;
  readonly limits: Pick<ContextRequest, "threshold" | "budget">;
  readonly report: (message: string) => void;
}): (request: PromptContextRequest) => Promise<Context> {
  return async ({ label, ...request }) => {
    try {
      await ready();
      // A name is a word: no meaning is asked for.
      const byMeaning =
        request.namedOnly === true
          ? {}
          : { meant: (words: string, limit: number) => meant(words, label, limit) };
      return await assembleContext(makeContextSource({ ...parts, ...byMeaning }), { ...request, ...limits });
    } catch (error) {
      report(`The notes could not be read, so they are left out of the prompt: ${describeError(error)}`);
      return emptyContext;
    }
  };
}

/** The notes and the agent's own memory as a source of the context. */
export function makeContextSource({ notes, own, meant }: NotesContextParts): ContextSource {
  const withTexts = async (nodes: readonly NoteNode[]): Promise<readonly ShownNote[]> => {
    const texts = await notes.shownTexts(nodes);
    return nodes.map((node) => ({ node: withSource(node), text: (texts.get(node.id) ?? "").trimEnd() }));
  };
  return {
    async node(id) {
      return (await notes.index.resolveId(id)) ?? asNode(await own(id));
    },
    async subtree(id) {
      const nodes = await notes.subtree(id);
      if (nodes.length > 0) return withTexts(nodes);
      const object = await own(id);
      const node = asNode(object);
      return node === null ? [] : [{ node: withSource(node), text: object?.content.trimEnd() ?? "" }];
    },
    children: (id) => notes.index.children(id),
    async similar(words, limit) {
      const [hits, near] = await Promise.all([notes.index.search(words, limit), meant?.(words, limit) ?? []]);
      const best = hits[0]?.score ?? 0;
      const worded = hits.map(({ id, score, relevance }) => ({
        id,
        similarity: similarityOf(relevance, score / best),
      }));
      return near.length === 0 ? worded : joinSimilar(worded, near).slice(0, limit);
    },
    titledIn: (words, limit) => notes.index.titledIn(words, limit),
    async sections(ids) {
      const nodes = await Promise.all(ids.map((id) => notes.index.node(id)));
      return withTexts(nodes.filter((node) => node !== null));
    },
    async projects() {
      const tagged = await notes.index.openNodesWithTag(projectTag);
      const isActive = ({ localTags, commented, archived }: NoteNode): boolean =>
        localTags.includes(projectTag) && !commented && !archived;
      return tagged.filter(isActive);
    },
    lastEdited: async () => notes.lastChanged(),
    async isOfProgram(id) {
      const node = await notes.index.node(id);
      return node !== null && notes.isOfProgram(node);
    },
    backlinks: (id) => findLinkingNodes(notes, id),
  };
}

type ShownNote = ShownNode & { readonly node: NoteNode };

/** A note that is shown in full is a source of what the model writes then. */
function withSource<Node extends ContextNode>(node: Node): Node {
  const itself = { ...bottomLabel, sources: [{ id: node.id, path: "" }] };
  return { ...node, label: joinLabels(itself, node.label) };
}

/** The similarity of a note to a question, in hundredths: how much of the question it has, less where other notes match far better. */
function similarityOf(relevance: number, shareOfBest: number): number {
  return Math.round(100 * relevance * shareOfBest ** 2) / 100;
}

/** Notes by their words and by their meaning: each once, with the greater similarity, best first. */
function joinSimilar(...lists: readonly (readonly SimilarNode[])[]): readonly SimilarNode[] {
  const all = new Map<string, number>();
  for (const { id, similarity } of lists.flat()) all.set(id, Math.max(similarity, all.get(id) ?? 0));
  return [...all]
    .map(([id, similarity]) => ({ id, similarity: Math.round(100 * similarity) / 100 }))
    .toSorted((one, other) => other.similarity - one.similarity);
}

/** An object of the agent's own memory in the shape of a note. */
function asNode(object: MemoryObject | null): ContextNode | null {
  if (object === null) return null;
  const { id, content, label } = object;
  const [title = ""] = content.split("\n");
  return { id, title, level: 1, todo: null, done: false, label };
}
