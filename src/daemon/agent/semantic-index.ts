import { join } from "node:path";
import { removeIndexFile } from "../../memory/notes/index/open-index-file.ts";
import type { NoteNode } from "../../memory/notes/nodes/note-node.ts";
import type { Notes } from "../../memory/notes/open-notes.ts";
import type { SemanticSearch } from "../../memory/recall/search-memory.ts";
import type { State } from "../../memory/state/state.ts";
import { textToEmbed } from "../../memory/vectors/text-to-embed.ts";
import { type EmbeddableNode, openVectorStore, type VectorStore } from "../../memory/vectors/vector-store.ts";
import type { AppendRecord } from "../../reason/model/attempt-call.ts";
import { type Embedder, type EmbedParts, embed } from "../../reason/model/embed.ts";
import { buildEmbedder } from "../../reason/providers/embedding.ts";
import type { Policy } from "../../settings/policy.ts";
import type { Facts } from "../../signal/facts.ts";
import { isNoMoreSecretThan, type Label } from "../../signal/label.ts";
import { makeEventLoopYield } from "./open-own-notes.ts";

/** The vectors of the notes: filled in the background, asked by searches. Where the embedder fails, nothing is near and all else goes on. */
export type SemanticIndex = AsyncDisposable &
  SemanticSearch & {
    /** Begins to fill what is pending, a bounded share of it, unless that is under way. */
    readonly onHeartbeat: () => void;
    /** Resolves when what was begun has ended. */
    readonly idle: () => Promise<void>;
    /** Why notes are found by their words alone just now; null where they are not. */
    readonly problem: () => string | null;
  };

/** What the vectors are opened with. Milliseconds. */
export type SemanticIndexParts = {
  readonly policy: Policy;
  readonly state: Pick<State, "ledger">;
  readonly notes: Notes;
  readonly journal: AppendRecord;
  readonly clock: () => number;
  readonly report: (message: string) => void;
};

/** Texts in one request, and requests in one beat. */
const batch = 64;
const batchesInBeat = 32;
/** Milliseconds that a search waits for the vector of its words. */
const patience = 5000;
/** Milliseconds until an embedder that failed is asked again: at first, and at most. */
const firstPause = 60_000;
const longestPause = 3_600_000;
/** Vectors of searches that are kept at hand: a search is prepared more than once. */
const rememberedSearches = 32;

/** Opens the vectors where an embedding provider is set up; null where none is, and where it or the vectors' file cannot be used, which is reported. What was kept goes where none is set up. */
export function openSemanticIndex(parts: SemanticIndexParts): SemanticIndex | null {
  const { policy, clock, report } = parts;
  const { embedding, places } = policy.config;
  const file = join(places.state, "vectors.db");
  if (embedding === null) {
    removeIndexFile(file);
    return null;
  }
  const embedder = buildEmbedder(embedding, clock);
  if (typeof embedder === "string") {
    report(`${embedder} Notes are found by their words alone.`);
    return null;
  }
  try {
    const model = `${embedder.name}/${embedder.model}`;
    const store = openVectorStore({ file, model, yieldToEventLoop: makeEventLoopYield() });
    return makeSemanticIndex(parts, { embedder, store, door: doorOf(parts, embedder) });
  } catch (error) {
    report(`The vectors ${file} cannot be opened, so notes are found by their words alone: ${String(error)}`);
    return null;
  }
}

type Opened = { readonly embedder: Embedder; readonly store: VectorStore; readonly door: EmbedParts };

function makeSemanticIndex(parts: SemanticIndexParts, opened: Opened): SemanticIndex {
  const { embedder, store, door } = opened;
  const health = watchHealth(parts, embedder);
  const closing = new AbortController();
  const cell: { filling: Promise<void> | null } = { filling: null };
  const searched = new Map<string, Float32Array>();
  const filling = makeFilling(parts, opened, health, closing.signal);
  const vectorFor = async (text: string, label: Label): Promise<Float32Array | null> => {
    const known = searched.get(text);
    if (known !== undefined) return known;
    if (!health.mayAsk()) return null;
    const request = { origin, texts: [{ text, label }], timeoutMs: patience };
    const outcome = await embed(door, request, closing.signal);
    health.note(outcome.ok ? null : outcome.reason);
    const vector = outcome.ok ? (outcome.vectors[0] ?? null) : null;
    if (vector === null) return null;
    searched.set(text, vector);
    if (searched.size > rememberedSearches)
      for (const first of searched.keys().take(1)) searched.delete(first);
    return vector;
  };
  return {
    onHeartbeat() {
      if (cell.filling !== null || closing.signal.aborted || !health.mayAsk()) return;
      cell.filling = filling()
        .catch((error: unknown) => health.note(String(error)))
        .finally(() => {
          cell.filling = null;
        });
    },
    idle: async () => cell.filling ?? undefined,
    async nearest(text, label, limit) {
      if (closing.signal.aborted || !isNoMoreSecretThan(label, embedder.local ? "private" : "public"))
        return [];
      try {
        if (store.isEmpty()) return [];
        const vector = await vectorFor(text, label);
        return vector === null ? [] : (await store.nearest(vector, limit)).map(({ id }) => id);
      } catch (error) {
        health.note(String(error));
        return [];
      }
    },
    problem: health.problem,
    async [Symbol.asyncDispose]() {
      if (closing.signal.aborted) return;
      closing.abort();
      await cell.filling;
      store.close();
    },
  };
}

/** Whom texts are embedded for: no session, no person. */
const origin: Facts["origin"] = {
  person: "nobody",
  source: "system",
  session: "vectors",
  startedBy: "nobody",
};

function doorOf({ policy, state, journal, clock }: SemanticIndexParts, embedder: Embedder): EmbedParts {
  const limits = { perDay: policy.config.budgetPerDay * 1e6, perSession: null };
  const action = { kind: "model-call", target: "model", tool: null, explanation: "", problems: [] } as const;
  return {
    embedder,
    judge: policy.judge,
    facts: (from) => policy.makeFacts({ action, origin: from, workspace: null }),
    ledger: { ...state.ledger, reserve: (wanted) => state.ledger.reserve({ ...wanted, limits }) },
    journal,
    secrets: { scan: policy.scan, mask: policy.mask },
    clock,
  };
}

type Health = ReturnType<typeof watchHealth>;

/** Tells a failure once, and leaves an embedder that failed alone for a while that doubles. */
function watchHealth({ clock, report }: SemanticIndexParts, { name }: Embedder) {
  const failing = { why: null as string | null, pause: firstPause, until: 0 };
  return {
    mayAsk: () => failing.why === null || clock() >= failing.until,
    problem: () =>
      failing.why === null
        ? null
        : `Notes were searched by their words alone: the embedding provider ${name} failed (${failing.why}).`,
    note(why: string | null): void {
      if (why === null) {
        failing.why = null;
        failing.pause = firstPause;
        return;
      }
      if (failing.why === null) {
        report(`Notes are found by their words alone until ${name} embeds again: ${why}`);
      } else failing.pause = Math.min(failing.pause * 2, longestPause);
      failing.why = why;
      failing.until = clock() + failing.pause;
    },
  };
}

/** One beat's work: the places of the nodes where the notes changed, then a bounded number of requests for what is pending. */
function makeFilling(
  parts: SemanticIndexParts,
  { embedder, store, door }: Opened,
  health: Health,
  cancel: AbortSignal,
): () => Promise<void> {
  const { notes } = parts;
  const yieldToEventLoop = makeEventLoopYield();
  const placed = { root: "", after: "" };
  const most = embedder.local ? "private" : "public";
  const maySee = (node: NoteNode): boolean => node.words !== "" && isNoMoreSecretThan(node.label, most);
  return async () => {
    const { present, indexing } = notes.status();
    if (!present || indexing !== null) return;
    await notes.ready();
    const root = await notes.index.root();
    if (root !== placed.root) {
      const nodes = new Map<string, string>();
      for await (const node of notes.index.all()) {
        if (cancel.aborted) return;
        if (maySee(node)) nodes.set(node.id, node.words);
        await yieldToEventLoop();
      }
      await store.setNodes(nodes);
      placed.root = root;
      placed.after = "";
    }
    for (let count = 0; count < batchesInBeat && !cancel.aborted; count += 1) {
      const pending = store.pending(batch, placed.after);
      if (pending.length === 0) return;
      const texts = await textsOf(notes, pending, maySee);
      const request = { origin, texts: texts.map(({ text }) => text), timeoutMs: 60_000 };
      const outcome = await embed(door, request, cancel);
      if (cancel.aborted) return;
      health.note(outcome.ok ? null : outcome.reason);
      if (!outcome.ok) return;
      const others = store.put(
        outcome.vectors.map((vector, at) => ({ words: texts[at]?.words ?? "", vector })),
      );
      placed.after = others ? "" : (pending.at(-1)?.words ?? "");
      const known = new Set(texts.map(({ words }) => words));
      const changed = pending.filter(({ words }) => !known.has(words));
      if (changed.length === 0) continue;
      store.removeNodes(changed.map(({ id }) => id));
      placed.root = "";
    }
  };
}

/** The texts of nodes as they are now; none for one that changed since, or that may not be seen any more. */
async function textsOf(
  notes: Notes,
  pending: readonly EmbeddableNode[],
  maySee: (node: NoteNode) => boolean,
) {
  const words = new Map(pending.map((one) => [one.id, one.words]));
  const found = await Promise.all(pending.map(({ id }) => notes.index.node(id)));
  const nodes = found.filter((node) => node !== null && node.words === words.get(node.id) && maySee(node));
  const shown = nodes.filter((node) => node !== null);
  const texts = await notes.texts(shown);
  return shown.flatMap((node) => {
    const text = texts.get(node.id);
    return text === undefined
      ? []
      : [{ words: node.words, text: { text: textToEmbed(node, text), label: node.label } }];
  });
}
