import { clientCodec, daemonCodec } from "../src/wire/codec/codec.ts";
import { frame, longestFrame, makeFrameReader } from "../src/wire/codec/frame.ts";
import { readForm } from "../src/wire/codec/reader.ts";

// A typical message through the wire's words, in batches. Targets: print 3 µs, read 4 µs (the Lisp ancestor: 2.4 and 4.2).
const batches = 400;
const batch = 250;
const message = {
  type: "event",
  id: "c-17",
  meta: { source: "tui", "session-id": "s1" },
  payload: { sensor: "user-input", text: "What is on my agenda for tomorrow, and who wrote to me?" },
};
const text = clientCodec.encode(message);
const bytes = Buffer.from(frame(text));
const reader = makeFrameReader({ codePoints: longestFrame });

/** Times one thing done over and over; its median and 95th percentile in microseconds. */
function time(name: string, target: string, once: () => unknown): void {
  const times: number[] = [];
  for (let run = 0; run < batches; run++) {
    const before = process.hrtime.bigint();
    for (let round = 0; round < batch; round++) once();
    times.push(Number(process.hrtime.bigint() - before) / 1000 / batch);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(share * (batches - 1))] ?? 0).toFixed(2);
  process.stdout.write(`${name}: median ${at(0.5)} µs, p95 ${at(0.95)} µs${target}\n`);
}

const readWhole = (): void => {
  for (const event of reader.push(bytes)) {
    if (event.kind === "frame") daemonCodec.decode(event.text);
  }
};
time("print a message: schema, form and frame", " (target 3 µs)", () => frame(clientCodec.encode(message)));
time("read a message: bytes, frame, form and schema", " (target 4 µs)", readWhole);
time("  of that the reader alone", "", () => readForm(text));

const million = Buffer.from(frame(`"${"é".repeat(1_000_000)}"`));
const before = process.hrtime.bigint();
for (let at = 0; at < million.length; at += 65_536) reader.push(million.subarray(at, at + 65_536));
const milliseconds = Number(process.hrtime.bigint() - before) / 1e6;
process.stdout.write(`a frame of a million code points in pieces of 64 KiB: ${milliseconds.toFixed(1)} ms\n`);
