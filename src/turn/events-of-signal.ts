import type { AttachmentMessage } from "../signal/attachment.ts";
import type { Label } from "../signal/label.ts";
import type { Signal } from "../signal/signal.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { isJsonArray, isJsonObject, type Json } from "../text/json.ts";
import { attachedText } from "./attached-text.ts";

/**
 * What began the run of a job, as data beside its words: names of files and the like are chosen by others, so they order nothing and license nothing. Names of private files
 * stand by themselves, so that a model which may not see them sees the others.
 */
export function eventsOfSignal({ payload }: Pick<Signal, "payload">): readonly AttachmentMessage[] {
  const { events } = payload;
  if (!isJsonObject(events)) return [];
  const [told, held] = [linesOf(events["listed"]), linesOf(events["private"])];
  const more = Number(events["more"] ?? 0);
  const counted = more > 0 ? [`and ${more} more`] : [];
  return [
    ...(told.length === 0 ? [] : [attachmentOf([...told, ...counted], "public")]),
    ...(held.length === 0 ? [] : [attachmentOf(told.length === 0 ? [...held, ...counted] : held, "private")]),
  ];
}

function linesOf(events: Json | undefined): readonly string[] {
  return events !== undefined && isJsonArray(events)
    ? events.map((event) => escapeInvisible(String(event)))
    : [];
}

function attachmentOf(lines: readonly string[], secrecy: Label["secrecy"]): AttachmentMessage {
  const path = secrecy === "public" ? "events" : "private-events";
  return attachedText({ name: "what began this run", path, text: lines.join("\n") }, secrecy);
}
