import { crc32, deflateRawSync, gzipSync } from "node:zlib";

/** An entry of an archive that a test makes; what is left out is as it is in a plain file. */
export type MadeEntry = {
  readonly name: string;
  readonly text?: string | Buffer;
  /** Of a tar: the letter of its kind, and where a link leads. */
  readonly type?: string;
  readonly link?: string;
  /** Of a zip: its mode, flags, the size that it claims, and its name in the place where it lies. */
  readonly mode?: number;
  readonly flags?: number;
  readonly claims?: number;
  readonly localName?: string;
};

/** A tar.gz of these entries. */
export function makeTarball(entries: readonly MadeEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, text = "", type = "0", link = "" }) => {
    const data = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write("0000644\0", 100);
    header.write(`${data.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write(type, 156);
    header.write(link, 157, 100);
    header.write("ustar\0" + "00", 257);
    header.fill(" ", 148, 156);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** A zip of these entries. */
export function makeZip(entries: readonly MadeEntry[]): Buffer {
  const parts: Buffer[] = [];
  const listed: Buffer[] = [];
  let at = 0;
  for (const { name, text = "", mode = 0o100644, flags = 0, claims, localName = name } of entries) {
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(Buffer.byteLength(localName), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc32(data), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(claims ?? data.length, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE((mode << 16) >>> 0, 38);
    entry.writeUInt32LE(at, 42);
    const whole = Buffer.concat([local, Buffer.from(localName), packed]);
    parts.push(whole);
    listed.push(entry, Buffer.from(name));
    at += whole.length;
  }
  const directory = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}
