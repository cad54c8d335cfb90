import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatFile, ChatMessage, ChatService } from "./chat-service.ts";
import { pauseAfter } from "./pause-after.ts";

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

type TakerParts = Omit<TakeParts, "session"> & {
  /** Called when the files of a message were taken, or not. */
  readonly taken: () => void;
};

/** Bytes of a file at most: services give bots no more. */
const mostBytes = 20_000_000;
/** Milliseconds that a file is waited for which the service does not give yet. */
const patience = 120_000;

/**
 * Takes files beside the queue of updates: what a file waits for holds up nothing but the words it goes with.
 */
export class FileTaker {
  readonly #parts: TakerParts;
  readonly #known = new Map<string, TakenFiles | { readonly fault: unknown } | null>();
  readonly #running = new Set<Promise<void>>();

  constructor(parts: TakerParts) {
    this.#parts = parts;
  }

  /**
   * The files of a message; null while they are being taken. Throws where that failed: the next call begins
   * again.
   */
  of(message: ChatMessage, session: string): TakenFiles | null {
    if (message.files.length === 0) return { attachments: [], heard: [], notes: [] };
    const known = this.#known.get(message.id);
    if (known === undefined) this.#begin(message, session);
    if (known === undefined || known === null) return null;
    if ("attachments" in known) return known;
    this.#known.delete(message.id);
    throw known.fault;
  }

  /** A message was handled: nobody asks for its files any more. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  /** Resolves when none is being taken. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #begin(message: ChatMessage, session: string): void {
    const { taken, ...parts } = this.#parts;
    this.#known.set(message.id, null);
    const end = (result: TakenFiles | { readonly fault: unknown }): void => {
      // It may have been taken back meanwhile.
      if (this.#known.has(message.id)) this.#known.set(message.id, result);
      this.#running.delete(running);
      taken();
    };
    const running = takeFiles({ ...parts, session }, message).then(end, (fault: unknown) => end({ fault }));
    this.#running.add(running);
  }
}

async function takeFiles(parts: TakeParts, { files }: ChatMessage): Promise<TakenFiles> {
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

/**
 * The bytes of a file, or why there are none. What the service does not give yet is asked for again for a
 * while.
 */
async function download(
  { kernel, service, cancel }: TakeParts,
  { id, bytes }: ChatFile,
): Promise<Uint8Array | string> {
  if (service.download === undefined) return "this service gives no files";
  if (bytes !== null && bytes > mostBytes) return "it is larger than 20 MB";
  let left = patience;
  for (let failures = 1; ; failures += 1) {
    const got = await service.download(id, mostBytes, cancel);
    if (got.ok) return got.bytes ?? "it is larger than 20 MB";
    if (got.code === "refused") return "the service does not give it any more";
    if (cancel.aborted) throw new Error("the door closes");
    const pause = pauseAfter(got, failures);
    // Where the owner has to do something first, nothing else works either.
    left -= got.code === "no-access" ? 0 : pause;
    if (left < 0) return `${service.title} does not give it now (${got.reason})`;
    await kernel.wait(pause, cancel);
  }
}

/**
 * The name that somebody gave a file, without folders and with no more than 80 characters that can be
 * printed.
 */
function nameOf(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1).replaceAll(/\p{C}/gu, "");
  return last.slice(0, 80).toWellFormed() || "file";
}
