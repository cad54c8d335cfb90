import { describeBytes } from "../text/describe-bytes.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { type Label, mostSecret } from "./label.ts";

/** What a file is that can be attached. */
export type MediaType = (typeof pictureTypes)[number] | "application/pdf" | "text/plain";

/** Pictures that models take. */
export const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** What a model may take beside text. */
export type InputKind = (typeof inputKinds)[number];

/** Every kind of input beside text. */
export const inputKinds = ["picture", "pdf"] as const;

/** A file that the owner handed over with their words, as it was then. */
export type AttachedFile = {
  /** The SHA-256 of its bytes, in hex: they are kept under it. */
  readonly digest: string;
  /** Its path as the owner sees it. */
  readonly name: string;
  /** Its real path. */
  readonly path: string;
  readonly media: MediaType;
  readonly bytes: number;
  /** Of a picture, in pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Of a PDF. */
  readonly pages?: number;
};

/** A file with the text that was read from it, which is empty for a picture. */
export type AttachedText = { readonly file: AttachedFile; readonly text: string; readonly label: Label };

/** The file as one entry in the transcript of a turn. */
export type AttachmentMessage = AttachedText & {
  readonly role: "attachment";
  /** The bytes are not given to a model: only the text, which leaves out what may not be shown. */
  readonly textOnly?: true;
  /**
   * The only provider that is not local which may have it, though the words that it came with are private.
   */
  readonly asIsFor?: string;
};

/** A file that is at least as private as what it came with. */
export function asPrivateAs(message: AttachmentMessage, secrecy: Label["secrecy"]): AttachmentMessage {
  const { label } = message;
  return { ...message, label: { ...label, secrecy: mostSecret(label.secrecy, secrecy) } };
}

/** What a model has to take to be given the bytes of a file; null for text. */
export function inputKindOf({ media }: Pick<AttachedFile, "media">): InputKind | null {
  if (media === "text/plain") return null;
  return media === "application/pdf" ? "pdf" : "picture";
}

/** What a file is, in words: `picture, 800 × 600, 120 kB`. */
export function describeFile(file: Omit<AttachedFile, "digest" | "path" | "name">): string {
  const { width, height, pages, bytes } = file;
  const kind = inputKindOf(file);
  const size = describeBytes(bytes);
  if (kind === "picture") return `picture, ${width ?? 0} × ${height ?? 0}, ${size}`;
  if (kind === "pdf") return `PDF, ${pages ?? 0} ${pages === 1 ? "page" : "pages"}, ${size}`;
  return `text, ${size}`;
}

/** An attachment as a prompt says it in words; `isGiven`: its bytes stand beside these words. */
export function textOfAttachment({ file, text }: AttachmentMessage, isGiven: boolean): string {
  const head = `ATTACHED FILE ${JSON.stringify(escapeInvisible(file.name))} (${describeFile(file)})`;
  if (isGiven) return `${head}:`;
  if (text !== "") return `${head}:\n${text}`;
  return `${head}: you are not shown it. Say so where it matters, and do not guess what is in it.`;
}

/** The most tokens that a picture counts for at the providers that say how they count: a token for 750 pixels, and no more than this after they scale it down. */
const mostPictureTokens = 4_800;
/** Tokens of a page of a PDF, which models are shown as a picture beside its text. */
const tokensPerPage = 3_000;

/** An upper estimate of the tokens that the bytes of a file count for. */
export function tokensOfFile(file: AttachedFile): number {
  const { width = 0, height = 0, pages = 0 } = file;
  switch (inputKindOf(file)) {
    case "picture":
      return Math.min(mostPictureTokens, 85 + Math.ceil((width * height) / 750));
    case "pdf":
      return pages * tokensPerPage;
    case null:
      return 0;
  }
}
