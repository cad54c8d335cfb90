/** Names that every provider accepts: at most 40 letters, digits, `_` and `-`, all different. */
export function shortNames(kind: string, known: readonly string[]) {
  const shorts = new Map<string, string>();
  const longs = new Map<string, string>();
  const short = (long: string): string => {
    const given = shorts.get(long);
    if (given !== undefined) return given;
    const plain = long.replaceAll(/[^A-Za-z0-9_-]/g, "_").replace(/^(?=[^A-Za-z_])/, `${kind}_`);
    let name = plain.slice(0, 40);
    for (let count = 2; longs.has(name); count += 1) name = `${plain.slice(0, 36)}_${count}`;
    shorts.set(long, name);
    longs.set(name, long);
    return name;
  };
  for (const long of known) short(long);
  return { short, long: (name: string): string => longs.get(name) ?? name };
}
