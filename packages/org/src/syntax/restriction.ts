import type { NodeType } from "./node.ts";

/** A set of types of objects, one bit each. */
export type ObjectSet = number;

/** The bit of each type of object that can be looked for. */
export const objectBits = {
  bold: 1,
  code: 2,
  entity: 4,
  italic: 8,
  latex: 16,
  strike: 32,
  subscript: 64,
  superscript: 128,
  underline: 256,
  verbatim: 512,
  citation: 1024,
  snippet: 2048,
  footnote: 4096,
  call: 8192,
  source: 16_384,
  lineBreak: 32_768,
  link: 65_536,
  macro: 131_072,
  radioTarget: 262_144,
  cookie: 524_288,
  target: 1_048_576,
  timestamp: 2_097_152,
  cell: 4_194_304,
  reference: 8_388_608,
} as const;

const bit = objectBits;
const minimal = 1023;
const standard = 0x3f_ffff;
const withoutLineBreak = standard & ~bit.lineBreak;

/** What may stand in each place where objects stand. */
export const restrictions = {
  standard,
  withoutLineBreak,
  citation: bit.reference,
  reference: withoutLineBreak & ~(bit.citation | bit.footnote | bit.link),
  link: minimal | bit.snippet | bit.call | bit.source | bit.macro | bit.cookie,
  radioTarget: minimal,
  cell:
    minimal |
    bit.citation |
    bit.snippet |
    bit.footnote |
    bit.link |
    bit.macro |
    bit.radioTarget |
    bit.target |
    bit.timestamp,
  row: bit.cell,
} as const;

const inside: ReadonlyMap<NodeType, ObjectSet> = new Map([
  ["citation", restrictions.citation],
  ["link", restrictions.link],
  ["radio-target", restrictions.radioTarget],
]);

/** What may stand inside an object of a type that has objects inside. */
export function restrictionOf(type: NodeType): ObjectSet {
  return inside.get(type) ?? standard;
}
