import type { Label } from "../../signal/label.ts";
import type { Turn } from "../../signal/turn.ts";
import { isJsonObject, type JsonObject } from "../../text/json.ts";
import type { State } from "../state/state.ts";
import { isCut } from "./names-source.ts";

/** One source of a text, explained. */
export type ExplainedSource =
  | { readonly kind: "address" | "file" | "skill" | "other"; readonly id: string }
  | { readonly kind: "note" | "memory"; readonly id: string; readonly title: string }
  /** What was said in a turn, by the signal that began it. */
  | { readonly kind: "words"; readonly id: string; readonly turn: ExplainedTurn }
  | { readonly kind: "turn"; readonly id: string; readonly turn: ExplainedTurn }
  | {
      readonly kind: "result";
      readonly id: string;
      readonly tool: string;
      readonly arguments: JsonObject;
      /** The place in the result, as a JSON pointer. */
      readonly path: string;
      readonly turn: ExplainedTurn | null;
    };

/** A turn in short. `forgotten` where its texts are gone. */
export type ExplainedTurn = {
  readonly id: string;
  readonly session: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly person: Turn["signal"]["person"];
  readonly words: string;
  readonly models: readonly string[];
};

/** What explaining needs. */
export type ExplainParts = {
  readonly state: Pick<State, "turns" | "objects" | "results" | "ledger"> | null;
  readonly titleOf: (id: string) => Promise<string | null>;
};

/** Where a text came from, as far as its label says. */
export type Origin = {
  /** The turn in which it was written; null where it is not known. */
  readonly writtenIn: ExplainedTurn | null;
  readonly sources: readonly ExplainedSource[];
  /** There were more sources than a label keeps. */
  readonly isCut: boolean;
};

/** Explains the sources of a label, in its order: what is nearest comes first. `turn` is the turn that wrote the text, where that is known otherwise. */
export async function explainOrigin(parts: ExplainParts, label: Label, turn: string | null): Promise<Origin> {
  const sources: ExplainedSource[] = [];
  const turns = new Set<string>();
  for (const { id, path } of label.sources) {
    const source = await explain(parts, id, path);
    const said = source.kind === "turn" || source.kind === "words" ? source.turn.id : null;
    if (said !== null && turns.has(said)) continue;
    if (said !== null) turns.add(said);
    sources.push(source);
  }
  const writer = turn === null ? null : ((await parts.state?.turns.get(turn)) ?? null);
  const named =
    sources.find((source) => source.kind === "turn") ?? sources.find((source) => source.kind === "words");
  const writtenIn = writer === null ? null : await inShort(parts, writer);
  return {
    writtenIn: writtenIn ?? (named !== undefined && "turn" in named ? named.turn : null),
    sources,
    isCut: isCut(label),
  };
}

async function explain(parts: ExplainParts, id: string, path: string): Promise<ExplainedSource> {
  const { state, titleOf } = parts;
  if (/^https?:/i.test(id)) return { kind: "address", id };
  if (id.startsWith("skill:")) return { kind: "skill", id };
  const turn = (await state?.turns.get(id)) ?? null;
  if (turn !== null) return { kind: "turn", id, turn: await inShort(parts, turn) };
  // The owner's words are named by the signal that they came in, or by their place in the transcript.
  const [, entryOf = ""] = /^(\S+):\d+$/.exec(id) ?? [];
  const spoken = (await state?.turns.bySignal(id)) ?? null;
  const said = spoken ?? (entryOf === "" ? null : ((await state?.turns.get(entryOf)) ?? null));
  if (said !== null) return { kind: "words", id, turn: await inShort(parts, said) };
  const result = (await state?.results.get(id)) ?? null;
  if (result !== null) {
    const [holder] = (await state?.turns.withText([id])) ?? [];
    const given = holder === undefined ? {} : argumentsOf(holder, id);
    const within = holder === undefined ? null : await inShort(parts, holder);
    return { kind: "result", id, path, tool: result.tool, arguments: given, turn: within };
  }
  if (id.startsWith("/")) return { kind: "file", id };
  const title = await titleOf(id);
  if (title !== null) return { kind: "note", id, title };
  const object = (await state?.objects.get("own", id)) ?? null;
  if (object !== null) return { kind: "memory", id, title: object.content.split("\n", 1)[0] ?? "" };
  return { kind: "other", id };
}

async function inShort(
  { state }: ExplainParts,
  { id, session, startedAt, signal }: Turn,
): Promise<ExplainedTurn> {
  const models = (await state?.ledger.modelsOf({ id, session })) ?? [];
  return { id, session, at: startedAt, person: signal.person, words: signal.text, models };
}

/** The arguments of the call that gave a result. */
function argumentsOf({ messages }: Turn, result: string): JsonObject {
  const given = messages.find((message) => message.role === "result" && message.result.id === result);
  const callId = given?.role === "result" ? given.callId : "";
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.calls : []));
  const args = calls.find(({ id }) => id === callId)?.action.payload["args"];
  return isJsonObject(args) ? args : {};
}
