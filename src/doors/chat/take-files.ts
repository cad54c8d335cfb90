import type { ChatKernel } from "./chat-kernel.ts";
import type { ChatFile, ChatMessage, ChatService } from "./chat-service.ts";

/** The files of a message as they go with its words: their ids, and what is to be said of those that do not. */
export type TakenFiles = { readonly attachments: readonly string[]; readonly notes: readonly string[] };

/** Bytes of a file at most: services give bots no more. */
const mostBytes = 20_000_000;

/** Takes the files of a message. Throws where the service may give one later. */
export async function takeFiles(
  { kernel, service }: { readonly kernel: ChatKernel; readonly service: ChatService },
  { files }: ChatMessage,
  { session, cancel }: { readonly session: string; readonly cancel: AbortSignal },
): Promise<TakenFiles> {
  const attachments: string[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const taken =
      file.kind === "voice" ? notHeard(file) : await takeFile({ kernel, service }, file, { session, cancel });
    if ("id" in taken) attachments.push(taken.id);
    else notes.push(taken.note);
  }
  return { attachments: [...new Set(attachments)], notes };
}

function notHeard({ seconds }: ChatFile): { readonly note: string } {
  const long = seconds === null ? "" : ` of ${seconds} s`;
  return {
    note: `(A voice note${long} came with this. Nothing here can hear it, so what it says is not known.)`,
  };
}

async function takeFile(
  { kernel, service }: { readonly kernel: ChatKernel; readonly service: ChatService },
  { id, kind, name, bytes }: ChatFile,
  { session, cancel }: { readonly session: string; readonly cancel: AbortSignal },
): Promise<{ readonly id: string } | { readonly note: string }> {
  const not = (why: string) => ({ note: `(A ${kind} came with this. It could not be taken: ${why}.)` });
  if (service.download === undefined) return not("this service gives no files");
  if (bytes !== null && bytes > mostBytes) return not("it is larger than 20 MB");
  const got = await service.download(id, mostBytes, cancel);
  if (!got.ok && got.code !== "refused") throw new Error(`${service.title}: ${got.reason}`);
  if (!got.ok) return not("the service does not give it any more");
  if (got.bytes === null) return not("it is larger than 20 MB");
  const kept = await kernel.attach({ session, name: nameOf(name), bytes: got.bytes });
  return kept.ok ? { id: kept.id } : not(kept.reason.replace(/\.$/, ""));
}

/** The name that somebody gave a file, without folders and with no more than 80 characters that can be printed. */
function nameOf(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1).replaceAll(/\p{C}/gu, "");
  return last.slice(0, 80).toWellFormed() || "file";
}
