import { StringDecoder } from "node:string_decoder";
import type { Io } from "./io.ts";

/** Asks for a line on the terminal and shows nothing of it. Throws on Ctrl-C. */
export async function readHiddenLine(io: Io, prompt: string): Promise<string> {
  const { input } = io;
  const decoder = new StringDecoder("utf8");
  const typed: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const take = (key: string): void => {
    if (key === "\r" || key === "\n" || key === "\u0004") resolve(typed.join(""));
    else if (key === "\u0003") reject(new Error("Stopped by Ctrl-C. Nothing was done."));
    else if (key === "\u007f" || key === "\b") typed.pop();
    else if (key === "\u0015") typed.splice(0);
    else if (key >= " ") typed.push(key);
  };
  const onData = (chunk: Buffer | string): void => {
    for (const key of decoder.write(Buffer.from(chunk))) take(key);
  };
  const onEnd = (): void => resolve(typed.join(""));
  io.err(prompt);
  input.setRawMode?.(true);
  input.on("data", onData).on("end", onEnd);
  input.resume();
  try {
    return await promise;
  } finally {
    input.off("data", onData).off("end", onEnd);
    input.pause();
    input.setRawMode?.(false);
    io.err("\n");
  }
}
