import { pipeline } from "node:stream";
import { openTextDecoder } from "../../text/utf16-text.ts";
import { openRegularFile } from "./open-file.ts";
import { unpackStream } from "./unpack.ts";

/** How much of a file is read at once, in bytes. A line that is longer is cut. */
const atOnce = 256 * 1024;

/** The text of a file of any size, in pieces that end with lines; that of a compressed file unpacked, as far as it is whole. */
export async function* readPieces(path: string, via = path): AsyncGenerator<string> {
  const opened = await openRegularFile(path, undefined, via);
  if (!opened.ok) return;
  await using handle = opened.value;
  const head = new Uint8Array(4);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  const bytes = handle.createReadStream({ start: 0, highWaterMark: atOnce, autoClose: false });
  const unpacked = unpackStream(head.subarray(0, bytesRead));
  const stream = unpacked === null ? bytes : pipeline(bytes, unpacked, () => undefined);
  const decode = openTextDecoder();
  let rest = "";
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) continue;
      const text = rest + decode(chunk);
      const end = text.length > atOnce ? text.length : text.lastIndexOf("\n") + 1;
      rest = text.slice(end);
      if (end > 0) yield text.slice(0, end);
    }
  } catch (error) {
    // A packed file that is damaged is read up to there, as its program reads it.
    if (unpacked === null || !(error instanceof Error) || !("code" in error)) throw error;
  }
  if (rest !== "") yield rest;
}
