import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { errorCode } from "../files/fallible.ts";

/** Bytes of a program in which its loader is named. */
const headBytes = 4096;

/** The program that starts another one: the interpreter of a script, or the dynamic linker. */
export type Loader = { readonly path: string; readonly kind: "interpreter" | "linker" };

/** What starts a program, by the program's own first bytes; null where these name no absolute path, or cannot be read. */
export async function loaderOf(program: string): Promise<Loader | null> {
  const head = await readHead(program);
  if (head === null) return null;
  const script = /^#!\s*([^\s\0]+)/.exec(head.toString("latin1", 0, 512))?.[1];
  const path = script === undefined ? linkerIn(head) : Buffer.from(script, "latin1").toString();
  if (path === null || !isAbsolute(path)) return null;
  return { path, kind: script === undefined ? "linker" : "interpreter" };
}

async function readHead(path: string): Promise<Buffer | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch (fault) {
    if (["ENOENT", "EACCES", "EPERM", "EISDIR", "ENXIO", "ELOOP", "EINVAL"].includes(errorCode(fault)))
      return null;
    throw fault;
  }
}

/** The path in the segment PT_INTERP of an ELF file of 64 bits in little endian. */
function linkerIn(head: Buffer): string | null {
  if (head.length < 64 || head.toString("latin1", 0, 6) !== "\x7fELF\x02\x01") return null;
  const [first, size, count] = [
    Number(head.readBigUInt64LE(32)),
    head.readUInt16LE(54),
    head.readUInt16LE(56),
  ];
  for (let at = first; at < first + size * count && at + 40 <= head.length; at += size) {
    if (size < 56) return null;
    if (head.readUInt32LE(at) !== 3) continue;
    const [from, length] = [Number(head.readBigUInt64LE(at + 8)), Number(head.readBigUInt64LE(at + 32))];
    return from + length > head.length
      ? null
      : head.toString("utf8", from, from + length).replace(/\0.*$/s, "");
  }
  return null;
}
