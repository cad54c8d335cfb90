import { writeFileSync } from "node:fs";
import { join } from "node:path";

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfSet = 0x45;
const give = 0x06;
const allow = 0x7fff0000;
const refuse = 0x00050000;
const setIds = 0o6000;
const [notPermitted, noSuchCall] = [1, 38];

/**
 * The calls of x86-64 that set a mode, each with the place of that argument: `chmod`, `mkdir`, `mknod` and
 * theirs.
 */
const calls = [
  [90, 1],
  [91, 1],
  [268, 2],
  [452, 2],
  [83, 1],
  [258, 2],
  [133, 1],
  [259, 2],
] as const;
const openat2 = 437;

/**
 * Writes the filter that systemd makes of RestrictSUIDSGID=yes, for `bwrap --seccomp`. Null on a machine
 * whose numbers of calls are not here.
 */
export function writeSetGroupFilter(folder: string): string | null {
  if (process.arch !== "x64" || process.platform !== "linux") return null;
  const program: readonly Instruction[] = [
    [load, 0, 0, 0],
    [jumpIfEqual, 0, 1, openat2],
    [give, 0, 0, refuse | noSuchCall],
    ...calls.flatMap(([call, mode]): readonly Instruction[] => [
      [load, 0, 0, 0],
      [jumpIfEqual, 0, 3, call],
      [load, 0, 0, 16 + 8 * mode],
      [jumpIfSet, 0, 1, setIds],
      [give, 0, 0, refuse | notPermitted],
    ]),
    [give, 0, 0, allow],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand, index * 8 + 4);
  }
  const file = join(folder, "set-group.bpf");
  writeFileSync(file, bytes);
  return file;
}
