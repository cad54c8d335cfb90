import type { IncomingMessage } from "node:http";
import { failure, type Outcome, success } from "../../signal/tool.ts";
import { beginOf } from "../../text/cut-text.ts";
import { done, type Fallible, problem } from "../files/fallible.ts";
import { decodeText } from "../web/decode-text.ts";
import { readBody } from "../web/read-body.ts";
import { defaultPageLimits, readPage } from "../web/read-page.ts";

/** How much of an answer is read, in bytes after decompression, and how much text of it is given, in characters. */
export type AnswerLimits = {
  readonly maxBytes: number;
  readonly maxPdfBytes: number;
  readonly maxCharacters: number;
};

/** 5 MB of a page, 20 MB of a PDF, a million characters. */
export const defaultAnswerLimits: AnswerLimits = {
  maxBytes: 5_000_000,
  maxPdfBytes: 20_000_000,
  maxCharacters: 1_000_000,
};

/** The characters of a server's own words that an error quotes. */
const mostErrorText = 1000;

type Request = { readonly url: URL; readonly limits: AnswerLimits };

/** The content of an answer. Text that is null is not shown; the note says why. */
type Content = { readonly title: string; readonly text: string | null; readonly notes: readonly string[] };

/** Reads the answer of a server: a page as Markdown, a PDF as its text, any other text as it is. A status that reports an error is a failure that quotes the server. */
export async function readAnswer(
  answer: IncomingMessage,
  { url, limits }: Request,
  cancel: AbortSignal,
): Promise<Outcome> {
  const status = answer.statusCode ?? 0;
  const content = await contentOf(answer, { url, limits }, cancel);
  if (status < 200 || status > 299)
    return refusedBy(answer, url, content.ok ? (content.value.text ?? "") : "");
  if (!content.ok) return failure(content);
  const { title, text, notes } = content.value;
  const cut = text !== null && text.length > limits.maxCharacters;
  const all = cut ? [...notes, `Only the first ${limits.maxCharacters} characters are shown.`] : notes;
  return success({
    url: url.href,
    status,
    contentType: contentTypeOf(answer).slice(0, 200),
    ...(title === "" ? {} : { title: beginOf(title, 500) }),
    ...(text === null ? {} : { text: beginOf(text, limits.maxCharacters) }),
    ...(all.length === 0 ? {} : { note: all.join(" ") }),
  });
}

function refusedBy(answer: IncomingMessage, url: URL, text: string): Outcome {
  const status = answer.statusCode ?? 0;
  const after = answer.headers["retry-after"];
  const wait = after === undefined ? "" : ` It asks to wait (Retry-After: ${beginOf(after, 50)}).`;
  const words = beginOf(text.replace(/\s+/g, " ").trim(), mostErrorText);
  const said = words === "" ? "" : ` The server said: ${words}`;
  return failure({
    code: "http-error",
    message: `${beginOf(url.href, 500)} was not fetched: the server answered with status ${status}. ${adviceOn(status)}${wait}${said}`,
  });
}

function adviceOn(status: number): string {
  if (status === 404 || status === 410) return "There is no such page: check the URL.";
  if (status === 401 || status === 403) return "It wants a login, or refuses programs.";
  if (status === 429) return "It was asked too often: try again later.";
  return status >= 500 ? "It has a problem of its own: try again later." : "Check the URL.";
}

function contentTypeOf(answer: IncomingMessage): string {
  return answer.headers["content-type"] ?? "";
}

async function contentOf(
  answer: IncomingMessage,
  { url, limits }: Request,
  cancel: AbortSignal,
): Promise<Fallible<Content>> {
  const contentType = contentTypeOf(answer);
  const maybePdf = mayBePdf(contentType, url);
  if (!maybePdf && !isText(contentType)) {
    answer.destroy();
    return done(
      notShown(`This is not a text (${beginOf(contentType, 100)}), so its contents are not shown.`),
    );
  }
  const most = maybePdf ? limits.maxPdfBytes : limits.maxBytes;
  const body = await readBody(answer, most);
  if (!body.ok)
    return done(
      notShown(
        `This is compressed in a way that is not known (${body.encoding}), so its contents are not shown.`,
      ),
    );
  const notes = body.cut ? [`Only the first ${most} bytes were read.`] : [];
  if (maybePdf && !isPdf(body.bytes))
    return done(
      notShown(`This is not a text (${beginOf(contentType, 100)}), so its contents are not shown.`),
    );
  if (isPdf(body.bytes)) return body.cut ? tooLarge(most) : pdfContent(body.bytes, url, cancel);
  if (!isHtml(contentType, body.bytes))
    return done({ title: "", text: decodeText(body.bytes, contentType), notes });
  return pageContent({ bytes: body.bytes, contentType, url, notes }, cancel);
}

function notShown(note: string): Content {
  return { title: "", text: null, notes: [note] };
}

function tooLarge(most: number): Fallible<Content> {
  return problem(
    "too-large",
    `This PDF is larger than ${most} bytes, so it was not read. Find a smaller one, or a page with its text.`,
  );
}

async function pdfContent(bytes: Uint8Array, url: URL, cancel: AbortSignal): Promise<Fallible<Content>> {
  const read = await readPage(
    { kind: "pdf", bytes, contentType: "", url: url.href },
    defaultPageLimits,
    cancel,
  );
  if (!read.ok)
    return problem(
      "unreadable-pdf",
      `The text of this PDF could not be read: ${read.reason}. Look for the same text as a page.`,
    );
  const { text } = read.report;
  return done(
    text === ""
      ? notShown("This PDF has pictures of pages and no text, so there is nothing to show.")
      : { title: "", text, notes: [] },
  );
}

async function pageContent(
  page: {
    readonly bytes: Uint8Array;
    readonly contentType: string;
    readonly url: URL;
    readonly notes: readonly string[];
  },
  cancel: AbortSignal,
): Promise<Fallible<Content>> {
  const { bytes, url, notes } = page;
  const contentType = isMarkup(page.contentType) ? page.contentType : `text/html; ${page.contentType}`;
  const read = await readPage({ kind: "html", bytes, contentType, url: url.href }, defaultPageLimits, cancel);
  if (!read.ok)
    return problem("unreadable-page", `This page could not be read: ${read.reason}. Try another page.`);
  const { form, title, text } = read.report;
  const plain =
    "This page is nested too deeply, or takes too long, to find its main text: this is all its text, without links.";
  return done({ title, text, notes: form === "plain" ? [...notes, plain] : notes });
}

function isText(contentType: string): boolean {
  return (
    contentType.trim() === "" ||
    /^\s*(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|yaml|x-yaml|toml|x-ndjson)\b|message\/)/i.test(
      contentType,
    )
  );
}

function mayBePdf(contentType: string, url: URL): boolean {
  const generic = /^\s*(?:application|binary)\/octet-stream\b/i.test(contentType);
  return /^\s*application\/(?:x-)?pdf\b/i.test(contentType) || (generic && /\.pdf$/i.test(url.pathname));
}

/** The header may follow up to 1,024 other bytes, as readers allow. */
function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1024).includes("%PDF-");
}

function isMarkup(contentType: string): boolean {
  return /html/i.test(contentType);
}

function isHtml(contentType: string, bytes: Buffer): boolean {
  if (contentType.trim() !== "") return isMarkup(contentType);
  return /^\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/is.test(
    bytes.subarray(0, 1024).toString("latin1"),
  );
}
