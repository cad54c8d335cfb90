import { createHash } from "node:crypto";
import type { AttachmentMessage } from "../signal/attachment.ts";
import { escapeInvisible } from "../signal/escape-invisible.ts";
import { isJsonArray, isJsonObject } from "../signal/json.ts";
import { bottomLabel } from "../signal/label.ts";
import type { Signal } from "../signal/signal.ts";

/** What began the run of a job, as data beside its words: names of files and the like are chosen by others, so they order nothing and license nothing. */
export function eventsOfSignal({ payload }: Pick<Signal, "payload">): readonly AttachmentMessage[] {
  const { events } = payload;
  if (!isJsonObject(events) || !isJsonArray(events["listed"]) || events["listed"].length === 0) return [];
  const more = Number(events["more"] ?? 0);
  const text = [
    ...events["listed"].map((event) => escapeInvisible(String(event))),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n");
  const digest = createHash("sha256").update(text).digest("hex");
  const file = {
    digest,
    name: "what began this run",
    path: "events",
    media: "text/plain",
    bytes: Buffer.byteLength(text),
  } as const;
  const label = { ...bottomLabel, integrity: "untrusted", sources: [{ id: digest, path: "/text" }] } as const;
  return [{ role: "attachment", file, text, label }];
}
