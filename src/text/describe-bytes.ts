/** A number of bytes for a person, such as `1.4 MB`. */
export function describeBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [unit = "kB", divisor = 1000] = units.find(([, size]) => bytes < size * 1000) ?? units.at(-1) ?? [];
  const value = bytes / divisor;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

const units: readonly (readonly [string, number])[] = [
  ["kB", 1e3],
  ["MB", 1e6],
  ["GB", 1e9],
  ["TB", 1e12],
];
