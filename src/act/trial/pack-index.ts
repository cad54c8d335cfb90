/** Bytes. How many objects there are up to each first byte of a name. */
const counts = 1024;

/** The names of the objects in a pack, by its index (gitformat-pack(5)), each of so many bytes. */
export function packIndexIds(index: Buffer, idBytes: number): readonly string[] {
  const isNew = index.toString("hex", 0, 4) === "ff744f63";
  const [start, before] = [isNew ? 8 : 0, isNew ? 0 : 4];
  const names = start + counts;
  if (index.length < names) return [];
  const count = index.readUInt32BE(names - 4);
  const ids: string[] = [];
  for (let at = names + before; ids.length < count && at + idBytes <= index.length; at += before + idBytes)
    ids.push(index.toString("hex", at, at + idBytes));
  return ids;
}
