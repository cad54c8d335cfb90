/** What mutations put in: what begins, ends, escapes or breaks something. */
const tokens = [
  "(",
  ")",
  '"',
  "\\",
  "|",
  "'",
  "`",
  ",",
  ";",
  "#",
  "#.",
  "#\\",
  "#(",
  ".",
  " . ",
  ":",
  "::",
  " ",
  "\n",
  "\0",
  "NIL",
  "T",
  ":FALSE",
  ":NULL",
  "1/0",
  "1e999",
  "-0",
  "9".repeat(40),
  "cl-user::x",
  ":GATE-TRACE T",
  ":TYPE",
  ":PAYLOAD",
  ":META",
  ":SESSION",
  ":STATUS :OK",
  ":LEVEL 1",
  ":DEPTH 3",
  ":__PROTO__",
  ":LABEL T",
  "000000",
  "FFFFFF",
  "00010000",
  "😀",
  "\ufeff",
  "((((((((",
  "))))))))",
].map((token) => Buffer.from(token));
const broken = [[0x80], [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf0, 0x9f]].map(
  (bytes) => Buffer.from(bytes),
);

/** Mutates the bytes of a frame: one to three changes of any sort, then, as a rule, a header that fits again so that the body is looked at. */
export function mutate(frame: Buffer, others: readonly Buffer[], random: () => number): Buffer {
  const below = (bound: number): number => Math.floor(random() * bound);
  const pick = (list: readonly Buffer[]): Buffer => list[below(list.length)] ?? Buffer.alloc(0);
  const changeOnce = (bytes: Buffer): Buffer => {
    const at = below(bytes.length + 1);
    const to = Math.min(bytes.length, at + below(12));
    const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
    switch (below(8)) {
      case 0:
        return Buffer.concat([head, tail]);
      case 1:
        return Buffer.concat([head, pick(tokens), middle, tail]);
      case 2:
        return Buffer.concat([head, pick(tokens), tail]);
      case 3:
        return Buffer.concat([head, middle, middle, middle, tail]);
      case 4:
        return Buffer.concat([head, pick(others).subarray(below(40)), tail]);
      case 5:
        return Buffer.concat([head, pick(broken), tail]);
      case 6:
        return head;
      default: {
        const flipped = Buffer.from(bytes);
        if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << below(8));
        return flipped;
      }
    }
  };
  let body: Buffer = frame.subarray(6);
  for (let changes = 1 + Math.floor(random() * below(4)); changes > 0; changes--) body = changeOnce(body);
  if (below(20) === 0) body = Buffer.from("(".repeat(below(5000)));
  if (below(10) === 0) return changeOnce(Buffer.concat([frame.subarray(0, 6), body]));
  const header = [...body.toString("utf8")].length.toString(16).padStart(6, "0");
  return Buffer.concat([Buffer.from(header), body]);
}
