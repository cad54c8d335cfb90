/** The kind of network that an IP address belongs to. A `metadata` service gives out a cloud machine's credentials. */
export type AddressKind = "public" | "loopback" | "private" | "link-local" | "metadata" | "reserved";

/**
 * The kind of an IPv4 or IPv6 address in its usual notation (RFC 4291 for IPv6; brackets and zone allowed), or null for any other text. An IPv4 address
 * inside an IPv6 address counts as itself. What no table names is public in IPv4, and in IPv6 if it is global unicast.
 */
export function addressKind(text: string): AddressKind | null {
  const four = ipv4(text);
  if (four !== null) return kindOf4(four);
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const six = ipv6(bare.replace(/%[A-Za-z0-9._~-]{1,32}$/, ""));
  return six === null ? null : kindOf6(six);
}

function ipv4(text: string): bigint | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return null;
  const parts = match.slice(1);
  if (parts.some((part) => Number(part) > 255 || (part.length > 1 && part.startsWith("0")))) return null;
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function ipv6(text: string): bigint | null {
  if (text.length > 45 || !text.includes(":")) return null;
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const four = tail === null ? null : ipv4(tail[2] ?? "");
  if (tail !== null && four === null) return null;
  const whole =
    four === null ? text : `${tail?.[1]}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
  const halves = whole.split("::");
  if (halves.length > 2) return null;
  const [head = [], rest = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const gap = 8 - head.length - rest.length;
  if (halves.length === 2 ? gap < 1 : gap !== 0) return null;
  const groups = [...head, ...Array.from({ length: gap }, () => "0"), ...rest];
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n)
    : null;
}

type Range = readonly [network: string, bits: number, kind: AddressKind];

/** IANA's special-purpose registries, and the metadata services of clouds. The first range that fits counts. */
const ranges4: readonly Range[] = [
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
  ["192.88.99.0", 24, "reserved"],
  ["198.18.0.0", 15, "reserved"],
  ["198.51.100.0", 24, "reserved"],
  ["203.0.113.0", 24, "reserved"],
  ["224.0.0.0", 3, "reserved"],
];
const ranges6: readonly Range[] = [
  ["fd00:ec2::254", 128, "metadata"],
  ["fe80::", 10, "link-local"],
  ["fec0::", 10, "private"],
  ["fc00::", 7, "private"],
  ["2001::", 23, "reserved"],
  ["2001:db8::", 32, "reserved"],
  ["2002::", 16, "reserved"],
  ["3fff::", 20, "reserved"],
  ["2000::", 3, "public"],
  ["::", 96, "public"],
  ["::ffff:0:0", 96, "public"],
  ["::ffff:0:0:0", 96, "public"],
  ["64:ff9b::", 96, "public"],
];

/** Networks of IPv6 whose addresses hold an IPv4 address, with the bits to its right. In Teredo the last one is inverted. */
const embeddings: readonly (readonly [network: string, bits: number, right: bigint, inverted: bigint])[] = [
  ["::", 96, 0n, 0n],
  ["::ffff:0:0", 96, 0n, 0n],
  ["::ffff:0:0:0", 96, 0n, 0n],
  ["64:ff9b::", 32, 0n, 0n],
  ["2002::", 16, 80n, 0n],
  ["2001::", 32, 64n, 0n],
  ["2001::", 32, 0n, 0xffff_ffffn],
];

function kindOf4(address: bigint): AddressKind {
  return kindIn(ranges4, address, 32) ?? "public";
}

function kindOf6(address: bigint): AddressKind {
  if (address <= 1n) return "loopback";
  for (const [network, bits, right, inverted] of embeddings) {
    if (!isIn(network, bits, address, 128)) continue;
    const kind = kindOf4(((address >> right) & 0xffff_ffffn) ^ inverted);
    if (kind !== "public") return kind;
  }
  return kindIn(ranges6, address, 128) ?? "reserved";
}

function kindIn(ranges: readonly Range[], address: bigint, size: number): AddressKind | null {
  return ranges.find(([network, bits]) => isIn(network, bits, address, size))?.[2] ?? null;
}

function isIn(network: string, bits: number, address: bigint, size: number): boolean {
  const right = BigInt(size - bits);
  return address >> right === (ipv4(network) ?? ipv6(network) ?? 0n) >> right;
}
