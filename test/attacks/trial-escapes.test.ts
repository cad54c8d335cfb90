import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { absentCalls, deniedCalls } from "../../src/act/sandbox/denied-calls.ts";
import { listenAt, victim } from "../../src/act/tools/shell/sandbox.fixture.ts";
import { court } from "./trial-court.ts";

/** The number of a system call on this machine. */
function numberOf(name: string): number {
  const call = [...deniedCalls, ...absentCalls].find(([known]) => known === name);
  return call?.[process.arch === "arm64" ? 2 : 1] ?? -1;
}

const call = (name: string, ...args: readonly (string | number)[]): string =>
  `syscall(${[numberOf(name), ...args].join(", ")}) >= 0`;
const write = (path: string): string => `sysopen(my $f, "${path}", 1)`;
const read = (path: string): string => `open(my $f, "<", "${path}") && length(<$f> // "") > 0`;
const socket = (family: number, type: number): string => `socket(my $s, ${family}, ${type}, 0)`;

/** What a program of this machine's owner, or of root, could do outside, each as a condition in Perl that holds where it was done. Files outside are opened and never written. */
function escapes({ home, port, pid }: { home: string; port: number; pid: number }) {
  return {
    "trace another process": call("ptrace", 16, pid, 0, 0),
    "read the memory of another process": call("process_vm_readv", pid, 0, 0, 0, 0, 0),
    "take a descriptor of another process": call("pidfd_getfd", 0, 0, 0),
    "open the memory of another process": write(`/proc/${pid}/mem`),
    "signal another process": `kill(0, ${pid})`,
    "see another process": `-e "/proc/${pid}"`,
    "limit another process": `syscall(${process.arch === "arm64" ? 261 : 302}, ${pid}, 7, 0, 0) >= 0`,
    "see the files around the first process": `-e "/proc/1/root${home}"`,
    "read the variables of the first process": read("/proc/1/environ"),
    "queue calls to the kernel": call("io_uring_setup", 8, 0),
    "make a user namespace": call("unshare", "0x10000000"),
    "enter a namespace": call("setns", 0, 0),
    "mount a file system": call("mount", '"none"', '"/tmp"', '"tmpfs"', 0, 0),
    "open a file system": call("fsopen", '"tmpfs"', 0),
    "copy a mount": call("open_tree", -100, '"/"', 1),
    "open a file by its handle": call("open_by_handle_at", -100, 0, 0),
    "read keys of the kernel": call("keyctl", 0, -3, 0),
    "add a key to the kernel": call("add_key", '"user"', '"a"', '"b"', 1, -3),
    "load a program into the kernel": call("bpf", 0, 0, 0),
    "count events of the machine": call("perf_event_open", 0, 0, -1, -1, 0),
    "handle faults of pages": call("userfaultfd", 0),
    "watch all files": call("fanotify_init", 0, 0),
    "reach the hypervisor": socket(40, 1),
    "use the kernel's ciphers": socket(38, 5),
    "listen to packets": socket(17, 3),
    "make raw packets": `socket(my $s, 2, 3, 1)`,
    "reach a server on loopback": `use Socket; socket(my $s, 2, 1, 0) && connect($s, pack_sockaddr_in(${port}, inet_aton("127.0.0.1")))`,
    "reach a socket in the workspace": `use Socket; socket(my $s, 1, 1, 0) && connect($s, pack_sockaddr_un("sock"))`,
    "reach an abstract socket": `use Socket; socket(my $s, 1, 1, 0) && connect($s, pack_sockaddr_un("\\0canary-${port}"))`,
    "reach the system's bus": `use Socket; socket(my $s, 1, 1, 0) && connect($s, pack_sockaddr_un("/run/dbus/system_bus_socket"))`,
    "write into a pipe of another program": `sysopen(my $f, "pipe", 1 | 2048)`,
    "see the home folder": `-e "${home}"`,
    "name a file outside anew": `link("${home}/canary", "linked")`,
    "set what the kernel runs for a crash": write("/proc/sys/kernel/core_pattern"),
    "set how the kernel uses memory": write("/proc/sys/vm/drop_caches"),
    "command the kernel by keys": write("/proc/sysrq-trigger"),
    "open the memory of the machine": `${read("/dev/mem")} || ${read("/proc/kcore")} || ${read("/dev/kmsg")}`,
    "open the maker of file systems": write("/dev/fuse"),
    "change the mode of a device": `chmod(0666, "/dev/null")`,
    // With a mode that a device has, and the present time: where it was done nothing is broken.
    "change the mode of a device by the cover of a secret, a pipe or a socket": `chmod(0666, ".env", "pipe", "sock") > 0`,
    "change the time of a device by the cover of a secret, a pipe or a socket": `utime(undef, undef, ".env", "pipe", "sock") > 0`,
    "make a file beside the devices": `open(my $f, ">", "/dev/made")`,
    "take the memory of the machine for files": `my $n = 0; open(my $f, ">", "/dev/shm/f"); for (1 .. 260) { $n += (syswrite($f, "x" x 1048576) // 0) == 1048576 } $n == 260`,
    "make a block device": `system("mknod disk b 8 0 2>/dev/null") == 0`,
    "make a character device": `system("mknod memory c 1 1 2>/dev/null") == 0`,
    "forge a deletion in the overlay": `system("mknod file2 c 0 0 2>/dev/null") == 0`,
    "give a file to another user": `chown(12345, 12345, "file")`,
    "read a secret": read(".env"),
    "delete a secret": `unlink(".env")`,
    "move a secret": `rename(".env", "moved")`,
    "leave a dump of itself": `(qx(sh -c "ulimit -c") != 0) && (qx(sh -c "ulimit -c") != 1)`,
  };
}

/** A program that tries each of these, and prints the names of those that it did. */
function programOf(tries: Readonly<Record<string, string>>): string {
  const lines = Object.entries(tries).map(
    ([name, condition]) => `print "DID ${name}\\n" if eval { ${condition} }; print "TRIED\\n";`,
  );
  return `$SIG{PIPE} = "IGNORE"; $| = 1;\n${lines.join("\n")}\n`;
}

async function canaries(context: TestContext, made: NonNullable<Awaited<ReturnType<typeof court>>>) {
  const { home, path } = made;
  writeFileSync(path("file"), "mine");
  writeFileSync(path(".env"), "KEY=canary-key");
  linkSync(`${home}/canary`, path("hard"));
  execFileSync("mkfifo", [path("pipe")]);
  const server = await listenAt(context, { port: 0, host: "127.0.0.1" });
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  await listenAt(context, { path: path("sock") });
  await listenAt(context, { path: `\0canary-${address.port}` });
  const other = await victim(context);
  return { home, port: address.port, pid: other.pid };
}

test("no way out of a trial that we know leads out, as root neither: processes, namespaces, mounts, keys, sockets, pipes, devices, settings of the kernel, memory", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { path, home, attempt } = made;
  const tries = escapes(await canaries(context, made));
  writeFileSync(path("attack.pl"), programOf(tries));
  const mode = statSync("/dev/null").mode;
  const { said } = await attempt("perl attack.pl");
  assert.equal([...said.matchAll(/TRIED/g)].length, Object.keys(tries).length, said);
  assert.deepEqual(
    [...said.matchAll(/DID ([^\\]+)/g)].map(([, what]) => what),
    [],
  );
  assert.equal(statSync("/dev/null").mode, mode);
  assert.equal(readFileSync(path(".env"), "utf8"), "KEY=canary-key");
  assert.equal(readFileSync(`${home}/canary`, "utf8"), "alive");
});

test("a file with a second name outside stays as it is there when a trial that changed it is kept", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { path, home, attempt } = made;
  linkSync(`${home}/canary`, path("hard"));
  const { kept } = await attempt(
    `perl -e 'open F, ">>", "hard"; print F "dead"; chmod 0600, "hard"; utime 1, 1, "hard"'`,
  );
  const before = lstatSync(`${home}/canary`);
  await kept.run(new AbortController().signal);
  assert.equal(readFileSync(path("hard"), "utf8"), "alivedead");
  const after = lstatSync(`${home}/canary`);
  assert.deepEqual(
    [after.mode, after.mtimeMs, readFileSync(`${home}/canary`, "utf8")],
    [before.mode, before.mtimeMs, "alive"],
  );
});
