/** The kind of network that an IP address belongs to. A `metadata` service gives out a cloud machine's credentials. */
export type AddressKind = "public" | "loopback" | "private" | "link-local" | "metadata" | "reserved";

/** The kind of an IPv4 or IPv6 address in its usual notation (RFC 4291 for IPv6; brackets and zone allowed), or null for any other text. An IPv4 address inside an IPv6 address counts as itself. */
export function addressKind(text: string): AddressKind | null {
  const four = ipv4(text);
  if (four !== null) return kindOf4(four);
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const six = ipv6(bare.replace(/%[A-Za-z0-9._~-]{1,32}$/, ""));
  return six === null ? null : kindOf6(six);
}

function ipv4(text: string): number | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return null;
  const parts = match.slice(1);
  if (parts.some((part) => Number(part) > 255 || (part.length > 1 && part.startsWith("0")))) return null;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

function ipv6(text: string): readonly number[] | null {
  if (text.length > 45 || !text.includes(":")) return null;
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const four = tail === null ? null : ipv4(tail[2] ?? "");
  if (tail !== null && four === null) return null;
  const whole =
    four === null
      ? text
      : `${tail?.[1]}${Math.floor(four / 65536).toString(16)}:${(four % 65536).toString(16)}`;
  const halves = whole.split("::");
  if (halves.length > 2) return null;
  const [head = [], rest = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const gap = 8 - head.length - rest.length;
  if (halves.length === 2 ? gap < 1 : gap !== 0) return null;
  const groups = [...head, ...Array.from({ length: gap }, () => "0"), ...rest];
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null;
}

const ranges4: readonly (readonly [network: string, bits: number, kind: AddressKind])[] = [
  ["169.254.169.254", 32, "metadata"],
  ["169.254.170.2", 32, "metadata"],
  ["100.100.100.200", 32, "metadata"],
  ["192.0.0.192", 32, "metadata"],
  ["168.63.129.16", 32, "metadata"],
  ["169.254.0.0", 16, "link-local"],
  ["127.0.0.0", 8, "loopback"],
  ["0.0.0.0", 8, "loopback"],
  ["10.0.0.0", 8, "private"],
  ["172.16.0.0", 12, "private"],
  ["192.168.0.0", 16, "private"],
  ["100.64.0.0", 10, "private"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "reserved"],
  ["198.18.0.0", 15, "reserved"],
  ["198.51.100.0", 24, "reserved"],
  ["203.0.113.0", 24, "reserved"],
  ["224.0.0.0", 3, "reserved"],
];

function kindOf4(address: number): AddressKind {
  const range = ranges4.find(([network, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor((ipv4(network) ?? 0) / size);
  });
  return range?.[2] ?? "public";
}

function kindOf6(groups: readonly number[]): AddressKind {
  const [a = 0, b = 0, c = 0] = groups;
  const four = (high: number): AddressKind => kindOf4((groups[high] ?? 0) * 65536 + (groups[high + 1] ?? 0));
  const zeros = (count: number): boolean => groups.slice(0, count).every((group) => group === 0);
  if (zeros(7) && (groups[7] ?? 0) <= 1) return "loopback";
  if (zeros(6) || (zeros(5) && groups[5] === 0xffff)) return four(6);
  if (zeros(4) && groups[4] === 0xffff && groups[5] === 0) return four(6);
  if (a === 0x64 && b === 0xff9b) return four(6);
  if (a === 0x2002) return four(1);
  if (a === 0xfd00 && b === 0xec2 && c === 0 && groups[7] === 0x254) return "metadata";
  if ((a & 0xffc0) === 0xfe80) return "link-local";
  if ((a & 0xfe00) === 0xfc00 || (a & 0xffc0) === 0xfec0) return "private";
  return (a & 0xe000) === 0x2000 ? "public" : "reserved";
}
