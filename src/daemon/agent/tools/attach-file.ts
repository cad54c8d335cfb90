import { readStamped, stampFile } from "../../../act/files/attached-bytes.ts";
import { type Media, mediaOf } from "../../../act/files/media-type.ts";
import { shownPath } from "../../../act/files/shown-path.ts";
import { resolveTypedPath } from "../../../act/files/typed-path.ts";
import type { State } from "../../../memory/state/state.ts";
import type { Provider } from "../../../reason/model/model-port.ts";
import type { Policy } from "../../../settings/policy.ts";
import { type AttachedFile, describeFile, inputKindOf } from "../../../signal/attachment.ts";
import type { ChosenModel } from "../../../signal/chosen-model.ts";
import { joinLabels, type Label } from "../../../signal/label.ts";
import { success } from "../../../signal/tool.ts";
import { describeBytes } from "../../../text/describe-bytes.ts";
import { escapeInvisible } from "../../../text/escape-invisible.ts";
import type { CommandReply } from "../../commands/command-reply.ts";
import type { CommandOrigin } from "../../commands/undo-request.ts";
import type { KnownPrivateText } from "../resources/private-passages.ts";
import { type AttachedUse, type AttachingModel, planUse } from "./attached-use.ts";
import {
  type JudgeReadingParts,
  judgeReading,
  type ReadRequest,
  type Refusal,
  refusal,
} from "./judge-reading.ts";

/** What attaching a file needs. */
export type AttachFileParts = JudgeReadingParts & {
  readonly state: Pick<State, "attachments">;
  readonly policy: Pick<Policy, "judge" | "folders" | "maskKeys" | "filter">;
  readonly privateText: Pick<KnownPrivateText, "labelOfOutcome">;
  /** The models that would be asked, in their order. */
  readonly models: () => Promise<readonly AttachingModel[]>;
};

/** Bytes of a file of each kind at most. Providers refuse larger ones. */
const mostBytes = { picture: 5_000_000, pdf: 20_000_000, text: 262_144 } as const;
/** Pixels of each side of a picture, and pages of a PDF, at most. */
const mostPixels = 8_000;
const mostPages = 100;

/**
 * Attaches a file for the next words of a session: the owner's own read of it, judged like any. Its bytes are kept as they are now. What a model would not be given is
 * said now, before anything is sent.
 */
export async function attachFile(
  parts: AttachFileParts,
  path: string,
  { signal: { session, source }, workspace }: CommandOrigin,
): Promise<CommandReply> {
  const request: ReadRequest = { session, source, workspace, path };
  const refuse = ({ message }: Refusal): CommandReply => ({
    code: "not-done",
    text: `Not attached: ${escapeInvisible(parts.policy.filter(message))}`,
  });
  const read = await readFile(parts, request);
  if (!read.ok) return refuse(read);
  const { bytes, file, text, label } = read;
  const use = planUse({ file, text, label }, await parts.models());
  if (!use.ok) return refuse(use);
  if (!(await parts.state.attachments.keep(session, { file, text, label }, bytes)))
    return refuse(refusal(`there is no room for ${describeBytes(bytes.length)} more of attached files.`));
  await parts.journal({
    kind: "note",
    session,
    detail: { event: "file-attached", file: file.digest, media: file.media, bytes: file.bytes },
  });
  return { code: "attached", text: saidOf(file, use), data: { ...dataOf(file), ...use.data } };
}

/** The models that would be asked, in their order: the one that the owner chose for the session, else those of the cascade. */
export async function modelsOf(
  chosen: ChosenModel | null,
  cascade: readonly string[],
  providers: ReadonlyMap<string, Provider>,
): Promise<readonly AttachingModel[]> {
  const named = chosen === null ? cascade : [chosen.provider];
  return Promise.all(
    named
      .flatMap((name) => providers.get(name) ?? [])
      .map(async ({ name, local, model, recordOf }) => ({
        ...(await recordOf(chosen?.model ?? model)),
        provider: name,
        local,
      })),
  );
}

function saidOf(file: AttachedFile, { words }: Extract<AttachedUse, { readonly ok: true }>): string {
  return `${escapeInvisible(file.name)}: ${describeFile(file)}. ${words}`;
}

function dataOf({ digest, name, media, bytes, width, height, pages }: AttachedFile) {
  return {
    id: digest,
    name: escapeInvisible(name),
    media,
    bytes,
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(pages === undefined ? {} : { pages }),
  };
}

type Read = {
  readonly ok: true;
  readonly bytes: Uint8Array;
  readonly file: AttachedFile;
  readonly text: string;
  readonly label: Label;
};

async function readFile(parts: AttachFileParts, request: ReadRequest): Promise<Read | Refusal> {
  const { folders, maskKeys } = parts.policy;
  const { workspace } = request;
  const located = await resolveTypedPath(request.path, { workspace, home: folders.home });
  if (!located.ok) return located;
  const path = located.value;
  const stamp = await stampFile(path);
  if (!stamp.ok) return stamp.code === "not-found" ? refusal(`there is no file ${path}.`) : stamp;
  if (stamp.value.size > mostBytes.pdf) return tooLarge(path, Number(stamp.value.size), mostBytes.pdf);
  const judged = await judgeReading(parts, { ...request, path }, "attach");
  if (!judged.ok) return judged;
  const read = await readStamped(path, stamp.value);
  if (!read.ok) return read;
  const { bytes, digest } = read.value;
  const contents = await contentsOf(path, bytes);
  if (!contents.ok) return contents;
  const text = maskKeys(contents.text);
  const label = joinLabels(judged.label, await parts.privateText.labelOfOutcome(success({ text }), false));
  if (label.secrecy === "secret") return refusal(`${path} holds secret text, which is given to no model.`);
  const shown = shownPath(path, workspace);
  const name = shown.startsWith(`${folders.home}/`) ? `~${shown.slice(folders.home.length)}` : shown;
  return {
    ok: true,
    bytes,
    text,
    label,
    file: { digest, name, path, bytes: bytes.length, ...contents.about },
  };
}

/** What a file is, with the text that stands in it. */
type Contents = {
  readonly ok: true;
  readonly text: string;
  readonly about: Media & { readonly pages?: number };
};

/** Looks what a file is. Refuses what no model takes, and what is too large. `path` names it in words. */
export async function contentsOf(path: string, bytes: Uint8Array): Promise<Contents | Refusal> {
  const about = bytes.length === 0 ? null : mediaOf(bytes);
  if (about === null) {
    const what =
      bytes.length === 0
        ? "is empty"
        : "is no picture (PNG, JPEG, GIF, WebP), no PDF and no text in UTF-8 (iconv -f LATIN1 -t UTF-8 makes one of a text in Latin-1)";
    return refusal(`${path} ${what}.`);
  }
  const most = mostBytes[inputKindOf(about) ?? "text"];
  if (bytes.length > most) return tooLarge(path, bytes.length, most);
  if ("width" in about) {
    const { width, height } = about;
    if (Math.min(width, height) < 1) return refusal(`${path} is a picture without a size.`);
    if (Math.max(width, height) > mostPixels)
      return refusal(
        `${path} has ${width} × ${height} pixels, and models take at most ${mostPixels} a side. Make it smaller.`,
      );
    return { ok: true, text: "", about };
  }
  if (about.media === "application/pdf") return readPdf(path, bytes);
  return { ok: true, text: new TextDecoder().decode(bytes), about };
}

/** The reader of PDF files has a thread of its own, with limits of time and memory. */
async function readPdf(path: string, bytes: Uint8Array): Promise<Contents | Refusal> {
  const { defaultPageLimits, readPage } = await import("../../../act/web/read-page.ts");
  const job = { kind: "pdf", bytes, contentType: "", url: "" } as const;
  const page = await readPage(job, defaultPageLimits, new AbortController().signal);
  if (!page.ok) return refusal(`${path} cannot be read as a PDF: ${page.reason}.`);
  const { text, pages = 0 } = page.report;
  if (pages > mostPages)
    return refusal(`${path} has ${pages} pages, and models take at most ${mostPages}. Attach a part of it.`);
  return { ok: true, text, about: { media: "application/pdf", pages } };
}

function tooLarge(path: string, bytes: number, most: number): Refusal {
  return refusal(
    `${path} has ${describeBytes(bytes)}, and at most ${describeBytes(most)} of such a file can be attached. Name it with @, and I read what I need of it.`,
  );
}
