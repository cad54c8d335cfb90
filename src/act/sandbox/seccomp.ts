import { absentCalls, deniedCalls } from "./denied-calls.ts";

/** One instruction of classic BPF: operation, jumps if true and if false, operand. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

type Architecture = {
  /** The kernel's `AUDIT_ARCH_*`. */
  readonly audit: number;
  readonly column: 1 | 2;
  readonly clone: number;
  readonly ioctl: number;
  readonly socket: number;
  /** Numbers from here on belong to another way of calling (x32), which no program uses. */
  readonly limit: number | null;
};

const architectures: ReadonlyMap<string, Architecture> = new Map([
  ["x64", { audit: 0xc000003e, column: 1, clone: 56, ioctl: 16, socket: 41, limit: 0x40000000 }],
  ["arm64", { audit: 0xc00000b7, column: 2, clone: 220, ioctl: 29, socket: 198, limit: null }],
]);

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfSet = 0x45;
const give = 0x06;

const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refuseWith = (error: number): Instruction => [give, 0, 0, 0x00050000 | error];
const notPermitted = refuseWith(1);
const noSuchCall = refuseWith(38);
const noSuchFamily = refuseWith(97);

const loadNumber: Instruction = [load, 0, 0, 0];
const loadArchitecture: Instruction = [load, 0, 0, 4];
const loadArgument = (index: number): Instruction => [load, 0, 0, 16 + 8 * index];

/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID` and `NEWNET`. */
const newNamespaces = 0x7e020000;
/** `TIOCSTI` and `TIOCLINUX`: they type into a terminal. */
const typing = [0x5412, 0x541c];
/** `AF_UNIX`, `AF_INET`, `AF_INET6` and `AF_NETLINK`. Others, such as `AF_VSOCK`, do not end at the sandbox's own network. */
const families = [1, 2, 10, 16];

/**
 * Assembles the filter of system calls for confined programs, as `bwrap --seccomp` reads it (`seccomp(2)`, classic BPF). Null for an architecture
 * whose numbers are not in the table.
 */
export function assembleFilter(architecture: string): Uint8Array | null {
  const known = architectures.get(architecture);
  if (known === undefined) return null;
  const { audit, column, clone, ioctl, socket, limit } = known;
  const denied = (calls: typeof deniedCalls, answer: Instruction): readonly Instruction[] =>
    calls.flatMap((call) =>
      call[column] === null ? [] : ([[jumpIfEqual, 0, 1, call[column]], answer] as const),
    );
  return bytesOf([
    loadArchitecture,
    [jumpIfEqual, 1, 0, audit],
    [give, 0, 0, killProcess],
    loadNumber,
    ...(limit === null ? [] : [[jumpIfAtLeast, 0, 1, limit] as const, noSuchCall]),
    ...denied(deniedCalls, notPermitted),
    ...denied(absentCalls, noSuchCall),
    ...ofCall(clone, [loadArgument(0), [jumpIfSet, 0, 1, newNamespaces], notPermitted]),
    ...ofCall(ioctl, [
      loadArgument(1),
      ...typing.flatMap((request): readonly Instruction[] => [[jumpIfEqual, 0, 1, request], notPermitted]),
    ]),
    ...ofCall(socket, [
      loadArgument(0),
      ...families.map((family, index): Instruction => [jumpIfEqual, families.length - index, 0, family]),
      noSuchFamily,
    ]),
    [give, 0, 0, allow],
  ]);
}

/** Instructions for one call. They may load other values: the number is loaded again after them. */
function ofCall(number: number, rule: readonly Instruction[]): readonly Instruction[] {
  return [[jumpIfEqual, 0, rule.length + 1, number], ...rule, loadNumber];
}

function bytesOf(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4);
  }
  return bytes;
}
