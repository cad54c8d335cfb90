import { firstOf, makeProviders } from "../../daemon/agent/models/connect-providers.ts";
import { makeContextSource } from "../../daemon/agent/prompt/notes-context.ts";
import { whyPrivate } from "../../memory/notes/labels/why-private.ts";
import type { Notes } from "../../memory/notes/open-notes.ts";
import { openNotesReader } from "../../program/open-notes-reader.ts";
import { assembleContext } from "../../reason/prompt/assemble-context.ts";
import type { Context } from "../../reason/prompt/context.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";

/** The words that a person would say, and the note that would be in focus. */
export type ContextQuestion = { readonly words: string; readonly focus: string | null };

/** The notes that a prompt with these words would contain, or that there is no note to focus on. */
export type ContextExplanation =
  | {
      readonly kind: "context";
      /** What the provider would get. Text that is withheld from it stands as `[withheld: …]`. */
      readonly pieces: readonly ShownPiece[];
      readonly omitted: Context["omitted"];
      /** The provider that would be asked first; null where none is set up. */
      readonly provider: { readonly name: string; readonly local: boolean } | null;
      /** Tokens that the context has, and may have. */
      readonly tokens: number;
      readonly budget: number;
    }
  | { readonly kind: "no-focus" };

/** A piece of the context as the provider would get it. `withheld` says what is kept from it: the whole piece, passages, or nothing. */
export type ShownPiece = Context["pieces"][number] & {
  readonly withheld: "all" | "passages" | "nothing";
  /** Why a piece of which all is withheld is not public, as a sentence; null for any other. */
  readonly whyPrivate: string | null;
};

/** Explains which notes the configured provider would get, and what is withheld from it. */
export async function explainContext(
  start: StartContext,
  { words, focus }: ContextQuestion,
): Promise<ContextExplanation> {
  const policy = loadPolicy(start.environment);
  const { config } = policy;
  await using reading = await openNotesReader(start, { progress: () => undefined });
  const { notes, state, meant } = reading;
  const source = makeContextSource({
    notes,
    own: async (id) => (await state?.objects.get("own", id)) ?? null,
    meant,
  });
  if (focus !== null && (await source.node(focus)) === null) return { kind: "no-focus" };
  const limits = { threshold: config.similarityThreshold, budget: config.contextBudget };
  const context = await assembleContext(source, { words, focus, ...limits });
  const providers = makeProviders({
    policy,
    clock: Date.now,
    report: (message) => start.warn?.(message),
  });
  const first = firstOf(config.cascade, providers);
  const provider = first === null ? null : { name: first.name, local: first.local };
  await state?.privateTexts.ready();
  const audience: Audience = {
    local: provider?.local ?? true,
    withhold: (text) => state?.privateTexts.withhold(text) ?? text,
    mask: policy.mask,
  };
  const pieces: ShownPiece[] = [];
  for (const piece of context.pieces) {
    const shown = shownTo(audience, piece);
    const why = shown.withheld === "all" ? await whyWithheld(piece, notes, config.privacyTags) : null;
    pieces.push({ ...shown, whyPrivate: why });
  }
  const tokens = context.pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  return {
    kind: "context",
    pieces,
    omitted: context.omitted,
    provider,
    tokens,
    budget: limits.budget,
  };
}

/** Who would get the context. */
type Audience = {
  readonly local: boolean;
  readonly withhold: (text: string) => string;
  readonly mask: (text: string) => string;
};

type Piece = Context["pieces"][number];

/** Why a piece is not public: by the first note in it that is not. */
async function whyWithheld(
  { nodes }: Piece,
  { index }: Pick<Notes, "index">,
  privacyTags: readonly string[],
): Promise<string | null> {
  for (const id of nodes) {
    const node = await index.node(id);
    if (node === null || node.label.secrecy === "public") continue;
    const problem = (await index.file(node.file))?.problem ?? null;
    return whyPrivate(node, { privacyTags, problem });
  }
  return null;
}

function shownTo({ local, withhold, mask }: Audience, piece: Piece): Omit<ShownPiece, "whyPrivate"> {
  const { secrecy } = piece.label;
  if (local) return { ...piece, text: mask(piece.text), withheld: "nothing" };
  if (secrecy !== "public") return { ...piece, text: `[withheld: ${secrecy}]`, withheld: "all" };
  const shown = withhold(piece.text);
  return { ...piece, text: mask(shown), withheld: shown === piece.text ? "nothing" : "passages" };
}
