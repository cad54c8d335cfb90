import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatFile, ChatMessage, ChatService } from "./chat-service.ts";

/**
 * The files of a message as they go with its words: their ids, what voice notes say, and what is to be said
 * of those that do not go.
 */
export type TakenFiles = {
  readonly attachments: readonly string[];
  readonly heard: readonly string[];
  readonly notes: readonly string[];
};

/** What became of one file. */
type Taken = { readonly id: string } | { readonly heard: string } | { readonly note: string };

type TakeParts = {
  readonly kernel: ChatKernel;
  readonly service: ChatService;
  readonly session: string;
  readonly cancel: AbortSignal;
};

/** Bytes of a file at most: services give bots no more. */
const mostBytes = 20_000_000;

/** Takes the files of a message. Throws where the service may give one later. */
export async function takeFiles(parts: TakeParts, { files }: ChatMessage): Promise<TakenFiles> {
  const attachments = new Set<string>();
  const heard: string[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const taken = file.kind === "voice" ? await listen(parts, file) : await takeFile(parts, file);
    if ("id" in taken) attachments.add(taken.id);
    else if ("heard" in taken) heard.push(taken.heard);
    else notes.push(taken.note);
  }
  return { attachments: [...attachments], heard, notes };
}

/** What a voice note says is no order, whoever speaks: a program guessed it. */
async function listen(parts: TakeParts, file: ChatFile): Promise<Taken> {
  const { kernel, cancel } = parts;
  const long = file.seconds === null ? "" : ` of ${file.seconds} s`;
  const unheard = (why: string): Taken => ({
    note: `(A voice note${long} came with this. ${why}, so what it says is not known.)`,
  });
  if (!kernel.hasTranscriber) return unheard("Nothing here can hear it");
  const got = await download(parts, file);
  if (typeof got === "string") return unheard(`It could not be taken: ${got}`);
  const transcript = await kernel.transcribe(got, cancel);
  if (transcript === null) return unheard("Nothing here can hear it");
  if (!transcript.ok) return unheard(`It could not be heard: ${transcript.reason}`);
  const text = transcript.text.trim();
  return text === "" ? unheard("No words were heard in it") : { heard: `A voice note${long} says:\n${text}` };
}

async function takeFile(parts: TakeParts, file: ChatFile): Promise<Taken> {
  const not = (why: string): Taken => ({
    note: `(A ${file.kind} came with this. It could not be taken: ${why}.)`,
  });
  const got = await download(parts, file);
  if (typeof got === "string") return not(got);
  const { kernel, session } = parts;
  const kept = await kernel.attach({ session, name: nameOf(file.name), bytes: got });
  return kept.ok ? { id: kept.id } : not(kept.reason.replace(/\.$/, ""));
}

/** The bytes of a file, or why there are none. */
async function download(
  { service, cancel }: TakeParts,
  { id, bytes }: ChatFile,
): Promise<Uint8Array | string> {
  if (service.download === undefined) return "this service gives no files";
  if (bytes !== null && bytes > mostBytes) return "it is larger than 20 MB";
  const got = await service.download(id, mostBytes, cancel);
  if (!got.ok && got.code !== "refused") throw new Error(`${service.title}: ${got.reason}`);
  if (!got.ok) return "the service does not give it any more";
  return got.bytes ?? "it is larger than 20 MB";
}

/**
 * The name that somebody gave a file, without folders and with no more than 80 characters that can be
 * printed.
 */
function nameOf(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1).replaceAll(/\p{C}/gu, "");
  return last.slice(0, 80).toWellFormed() || "file";
}
