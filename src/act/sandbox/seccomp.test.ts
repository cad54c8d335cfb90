import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { makeScratchFolder, outputOf, sandboxFor, shellIn } from "../tools/shell/shell.fixture.ts";
import { deniedCalls } from "./denied-calls.ts";
import { assembleFilter } from "./seccomp.ts";

test("there is a filter for x64 and arm64, and none where the numbers of calls are unknown", () => {
  for (const architecture of ["x64", "arm64"]) {
    const filter = assembleFilter(architecture);
    assert.ok(filter !== null && filter.length % 8 === 0 && filter.length / 8 < 4096);
  }
  assert.equal(assembleFilter("riscv64"), null);
});

test("no number stands for two denied calls", () => {
  for (const column of [1, 2] as const) {
    const numbers = deniedCalls.flatMap((call) => call[column] ?? []);
    assert.equal(new Set(numbers).size, numbers.length);
  }
});

/** Makes system calls by number and prints the error numbers; 0 for success. Perl is on every Debian. */
const script = (calls: readonly (readonly number[])[]): string =>
  calls.map((call) => `$! = 0; syscall(${call.join(", ")}); print 0 + $!, " ";`).join(" ");

test("a confined program gets no namespaces, keys, other processes' memory, kernel programs, terminals to type into or unusual sockets", async (context) => {
  const sandbox = await sandboxFor(context);
  if (sandbox?.filter == null || process.arch !== "x64") return context.skip("needs bubblewrap on x64");
  const perl = await promisify(execFile)("perl", ["-e", "print 1"]).catch(() => null);
  if (perl === null) return context.skip("needs perl");
  const workspace = await makeScratchFolder(context);
  const calls = [
    [272, 0x10000000], // unshare a user namespace
    [56, 0x10000000, 0, 0, 0, 0], // clone with one
    [250, 0, -3, 0], // keyctl
    [101, 0, 0, 0, 0], // ptrace
    [321, 0, 0, 0], // bpf
    [16, 0, 0x5412, 0], // TIOCSTI
    [435, 0, 0], // clone3
    [425, 1, 0], // io_uring_setup
    [41, 40, 1, 0], // a socket to the host of a virtual machine
    [0x40000000 + 39], // getpid, called as x32
    [41, 1, 1, 0], // an ordinary socket
    [39], // getpid
  ];
  const outcome = await shellIn(workspace, { sandbox }).run(`perl -e '${script(calls)}'`);
  const printed = /"stdout":"([\d ]+)/.exec(outputOf(outcome))?.[1]?.trim();
  assert.equal(printed, "1 1 1 1 1 1 38 38 97 38 0 0", outputOf(outcome));
});
