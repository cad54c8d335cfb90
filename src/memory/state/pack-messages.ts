import type { Label, LabelSource } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { ToolResult } from "../../signal/tool.ts";
import { packSources, type SourceDelta, unpackSources } from "../storage/source-deltas.ts";

type Sources = Label["sources"];
type PackedLabel = Omit<Label, "sources"> & { readonly sources: Sources | SourceDelta };
type WithPackedLabel<T> = T extends { readonly label: Label }
  ? Omit<T, "label"> & { readonly label: PackedLabel }
  : never;

/** A message as its row holds it: the sources of its label stand there as they differ from those of the last message of its role. */
export type PackedMessage =
  | WithPackedLabel<Exclude<Message, { readonly role: "result" }>>
  | (Omit<Extract<Message, { readonly role: "result" }>, "result"> & {
      readonly result: WithPackedLabel<ToolResult>;
    });

/** A message as its row holds it, after those that came before it in its turn. */
export function packMessage(message: Message, earlier: readonly Message[]): PackedMessage {
  const last = earlier.findLast(({ role }) => role === message.role);
  const before = last === undefined ? [] : labelOf(last).sources;
  if (message.role !== "result") return { ...message, label: packLabel(message.label, before) };
  const { result } = message;
  return { ...message, result: { ...result, label: packLabel(result.label, before) } };
}

/** The messages of a turn from what its rows hold, in order. `share` may give one object for all sources that say the same. */
export function unpackMessages(
  packed: readonly PackedMessage[],
  share: (source: LabelSource) => LabelSource = (source) => source,
): readonly Message[] {
  const last = new Map<Message["role"], Sources>();
  const unpack = (role: Message["role"], label: PackedLabel): Label => {
    const sources = unpackSources(last.get(role) ?? [], label.sources).map(share);
    last.set(role, sources);
    return { ...label, sources };
  };
  return packed.map((message): Message => {
    if (message.role !== "result") return { ...message, label: unpack(message.role, message.label) };
    const { result } = message;
    return { ...message, result: { ...result, label: unpack(message.role, result.label) } };
  });
}

function labelOf(message: Message): Label {
  return message.role === "result" ? message.result.label : message.label;
}

function packLabel(label: Label, before: Sources): PackedLabel {
  return { ...label, sources: packSources(before, label.sources) };
}
