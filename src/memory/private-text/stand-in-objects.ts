import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

/** What git gives in the place of a secret file. It looks at no hash where it reads an object. */
const text = Buffer.from(
  "# Passepartout shows no command what git keeps of a secret file. To have this file: git checkout -- FILE\n",
);

const asLoose = deflateSync(Buffer.concat([Buffer.from(`blob ${text.length}\0`), text]));
const asPacked = deflateSync(text);

/** Whether bytes have the stand-in: as a file that was checked out, in an archive, or as an object. */
export function holdsStandIn(bytes: Uint8Array): boolean {
  const held = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [text, asLoose, asPacked].some((form) => held.includes(form));
}

/** Writes the stand-in for an object that is a file of its own (gitformat-loose). Gives its path. */
export async function writeLooseStandIn(place: string): Promise<string> {
  const path = join(place, "loose");
  await writeFile(path, asLoose);
  return path;
}

/** Writes a pack, and its index, with the stand-in under each of these names (gitformat-pack(5)). */
export async function writePackedStandIns(place: string, ids: readonly string[]): Promise<void> {
  const sum = (bytes: Buffer): Buffer =>
    createHash(ids[0]?.length === 64 ? "sha256" : "sha1")
      .update(bytes)
      .digest();
  const entry = Buffer.concat([entryHeader, asPacked]);
  const header = Buffer.concat([Buffer.from("PACK"), words([2, ids.length])]);
  const body = Buffer.concat([header, ...ids.map(() => entry)]);
  const names = ids.toSorted().map((id) => Buffer.from(id, "hex"));
  const upTo = Array.from({ length: 256 }, (_, first) => names.filter(([byte = 0]) => byte <= first).length);
  const index = Buffer.concat([
    Buffer.from("ff744f63", "hex"),
    words([2, ...upTo]),
    ...names,
    words(names.map(() => crc32(entry))),
    words(names.map((_, at) => header.length + at * entry.length)),
    sum(body),
  ]);
  const name = join(place, `pack-${sum(body).toString("hex")}`);
  await writeFile(`${name}.pack`, Buffer.concat([body, sum(body)]));
  await writeFile(`${name}.idx`, Buffer.concat([index, sum(index)]));
}

/** The type and the size of a blob: four bits of the size, and then seven for each byte. */
const entryHeader = Buffer.from([0x80 | (3 << 4) | (text.length & 15), text.length >> 4]);

function words(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, at * 4);
  return bytes;
}
