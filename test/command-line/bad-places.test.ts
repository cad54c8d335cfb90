import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type AgentWorld, makeWorld } from "../agent-world.ts";
import { removeFolder } from "../remove-folder.ts";
import { internals } from "./internals.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** A place that is bad: `damage` makes it so, `shell` starts the command there ("$@"), `settings` are added to its environment. */
type Place = {
  readonly damage?: (home: string) => void;
  readonly shell?: string;
  readonly settings?: Readonly<Record<string, string>>;
};

const state = ".local/state/passepartout";
const folder = (path: string): Place => ({
  damage(home) {
    removeFolder(join(home, path));
    mkdirSync(join(home, path, "inside"), { recursive: true });
  },
});
const rubbish = (path: string): Place => ({
  damage: (home) => writeFileSync(join(home, path), "no such contents ".repeat(500)),
});
const file = (path: string): Place => ({
  damage(home) {
    removeFolder(join(home, path));
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), "");
  },
});
const mode = (path: string, bits: number): Place => ({ damage: (home) => chmodSync(join(home, path), bits) });
const start = (shell: string): Place => ({ shell });
const clock = (milliseconds: number): Place => {
  const code = `const now = Date.now; Date.now = () => now() + ${milliseconds};`;
  const address = `data:text/javascript,${encodeURIComponent(code)}`;
  return { settings: { NODE_OPTIONS: `--import=${address}` } };
};

/** Goes into a folder whose name is not UTF-8. */
const badName = `mkdir "$(printf 'b\\377')" && cd b* && exec "$@"`;

const places: ReadonlyMap<string, Place> = new Map([
  ...[
    "state.db",
    "state.db-wal",
    "state.db-shm",
    "index.db",
    "index.db-wal",
    "vectors.db",
    "journal.jsonl",
    "lock",
    "lock.pid",
    "reserve",
    "sealing-key",
    "wire-secret",
    "run/passepartout.sock",
  ].map((name): readonly [string, Place] => [`${name} is a folder`, folder(`${state}/${name}`)]),
  ...[
    "state.db",
    "state.db-wal",
    "index.db",
    "vectors.db",
    "journal.jsonl",
    "lock",
    "sealing-key",
    "wire-secret",
  ].map((name): readonly [string, Place] => [`${name} holds rubbish`, rubbish(`${state}/${name}`)]),
  ...["state.db", "index.db", "journal.jsonl", "sealing-key", "wire-secret"].map(
    (name): readonly [string, Place] => [`${name} cannot be read`, mode(`${state}/${name}`, 0)],
  ),
  ["the state is a file", file(state)],
  ["the state cannot be read", mode(state, 0)],
  ["the state cannot be written", mode(state, 0o500)],
  ["the home cannot be written", mode(".", 0o500)],
  ["the socket's folder is a file", file(`${state}/run`)],
  ["the socket's folder is open to others", mode(`${state}/run`, 0o777)],
  ["the notes are a file", file("memex")],
  ["the notes cannot be read", mode("memex", 0)],
  ["a note is a folder", folder("memex/house.org")],
  ["the settings' folder is a file", file(".config/passepartout")],
  ["the workspace is gone", start('cd "$(mktemp -d)" && rmdir "$PWD" && exec "$@"')],
  ["the workspace has a name that is no text", start(badName)],
  ["standard input is closed", start('exec "$@" <&-')],
  ["standard output is closed", start('exec "$@" >&-')],
  ["standard error is closed", start('exec "$@" 2>&-')],
  ["every stream is closed", start('exec "$@" <&- >&- 2>&-')],
  ["standard output is full", start('exec "$@" >/dev/full')],
  ["standard input is a folder", start('exec "$@" </')],
  ["the clock went back a year", clock(-31_536_000_000)],
  ["the clock is ten years ahead", clock(315_360_000_000)],
  ["the locale is C", { settings: { LC_ALL: "C", LANG: "C" } }],
  ["the time zone is none", { settings: { TZ: "Nowhere/At_All" } }],
  ["there is no PATH", { settings: { PATH: "" } }],
  ["the home is missing", { settings: { HOME: "/nonexistent/home" } }],
  ["the home is a file", { settings: { HOME: "/etc/passwd" } }],
  ["the runtime folder is missing", { settings: { XDG_RUNTIME_DIR: "/nonexistent/run" } }],
  ["the folder for temporary files is missing", { settings: { TMPDIR: "/nonexistent/tmp" } }],
  ["few files may be open", start('ulimit -n 32; exec "$@"')],
]);

/** Gives back what a place took, so that a home can be removed by an ordinary user. */
function restoreRights(home: string): void {
  for (const path of [".", state, "memex"]) {
    const isFolder = statSync(join(home, path), { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder) chmodSync(join(home, path), 0o700);
  }
}

/** Where `doctor-finds.test.ts` holds what doctor says against the same damage, doctor is not started once more. */
const foundByDoctor =
  /^(state\.db|state\.db-wal|index\.db|vectors\.db|journal\.jsonl|lock|lock\.pid|reserve|sealing-key|wire-secret) is a folder$|^(index|vectors)\.db holds rubbish$|^the socket's folder is a file$/;

/**
 * Beside `ask` and `doctor`, each place is tried with one of these: by `npm run long` with all three, in a
 * short run with the next one of them.
 */
const others: readonly (readonly string[])[] = [
  ["memory", "search", "boiler"],
  ["journal", "tail"],
  ["cli"],
  ["agenda"],
  ["context", "boiler"],
];

type Ended = { readonly code: number | null; readonly signal: string | null; readonly said: string };

/**
 * Damage to files is met by a command in this process, which a signal would end with it: that takes a tenth
 * of a start. What surrounds a process is met by one of its own, and by `npm run long` so is everything.
 */
const isMetHere = ({ shell, settings }: Place): boolean =>
  shell === undefined && settings === undefined && process.env["LONG"] !== "all";

async function runHere(home: string, args: readonly string[]): Promise<Ended> {
  const input = args[0] === "cli" ? "hello\n" : "";
  const { code, out, err } = await world.command(args, {
    input,
    cwd: join(home, "work"),
    settings: { HOME: home },
  });
  return { code, signal: null, said: out + err };
}

function runThere(home: string, args: readonly string[], place: Place): Promise<Ended> {
  const { HOME: _, ...environment } = world.environment;
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      place.shell ?? 'exec "$@"',
      "sh",
      process.execPath,
      "--disable-warning=ExperimentalWarning",
      main,
      ...args,
    ],
    { cwd: join(home, "work"), env: { ...environment, HOME: home, ...place.settings }, timeout: 240_000 },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  child.stdin.on("error", () => child.stdin.destroy());
  child.stdin.end(args[0] === "cli" ? "hello\n" : "");
  return new Promise((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, said }));
  });
}

/** A home in which the agent was used, to be copied. */
async function useWorld(): Promise<AgentWorld> {
  const made = await makeWorld({ after }, [{ text: "Hello.", repeat: true }]);
  mkdirSync(join(made.home, "memex"));
  writeFileSync(join(made.home, "memex", "house.org"), "* Boiler\n");
  assert.equal((await made.command(["ask", "hello"])).code, 0);
  assert.equal((await made.command(["memory", "search", "boiler"])).code, 0);
  return made;
}

const world = await useWorld();

/** Runs a command in a copy of a home that is as bad as the place says. */
async function runInCopy(copy: string, args: readonly string[], place: Place): Promise<Ended> {
  cpSync(world.home, copy, { recursive: true });
  for (const path of [state, `${state}/run`]) chmodSync(join(copy, path), 0o700);
  place.damage?.(copy);
  try {
    return isMetHere(place) ? await runHere(copy, args) : await runThere(copy, args, place);
  } finally {
    restoreRights(copy);
    rmSync(copy, { recursive: true, force: true });
  }
}

test("no command dies of a signal, hangs or shows its inner parts", { concurrency: 3 }, async (t) => {
  const bad = [...places].map(([name, place], index) =>
    t.test(`where ${name}`, async () => {
      const other = others[index % others.length] ?? [];
      const doctor = foundByDoctor.test(name) ? [] : [["doctor"]];
      const tried = [["ask", "hello"], ...doctor, other];
      const next = tried[Math.floor(index / others.length) % tried.length] ?? other;
      for (const args of process.env["LONG"] === "all" ? tried : [next]) {
        const { code, signal, said } = await runInCopy(`${world.home}-${index}`, args, place);
        assert.equal(signal, null, `${args.join(" ")} ended by a signal: ${said}`);
        assert.ok(code !== null && code >= 0 && code <= 6, `${args.join(" ")} ended with ${code}: ${said}`);
        assert.doesNotMatch(said, internals, args.join(" "));
      }
    }),
  );
  await Promise.all(bad);
});

test("what stands in the place of a file of the state is named by every command, with what to do", async (t) => {
  const other = await makeWorld(t);
  await other.command(["ask", "/note one"]);
  for (const [name, what] of [
    ["state.db-wal", "folder"],
    ["state.db-wal", "link"],
    ["state.db-shm", "folder"],
    ["index.db-wal", "folder"],
    ["index.db-shm", "link"],
    ["journal.jsonl", "folder"],
  ] as const) {
    const path = join(other.home, state, name);
    rmSync(path, { force: true });
    if (what === "folder") mkdirSync(path);
    else symlinkSync("/nowhere", path);
    const is = what === "folder" ? "a folder" : "not a regular file";
    const said = await other.command(["ask", "/note two"]);
    assert.ok(
      said.err.includes(`${path} is ${is}, and a file belongs there. Move it aside, then try again.`),
      said.err,
    );
    rmSync(path, { recursive: true });
  }
});

for (const launcher of ["bin/passepartout", "passepartout"])
  test(`${launcher} says so in words where a program may open too few files for Node`, (t) => {
    const path = fileURLToPath(new URL(`../../${launcher}`, import.meta.url));
    const run = (limit: number) =>
      spawnSync("sh", ["-c", 'ulimit -n "$1"; exec "$2" --version', "sh", `${limit}`, path], {
        encoding: "utf8",
        env: { ...process.env, PASSEPARTOUT_NODE: process.execPath },
      });
    for (const limit of [12, 18, 63]) {
      const { status, stderr } = run(limit);
      assert.equal(status, 1);
      assert.match(stderr, new RegExp(`^passepartout: .* only ${limit} files, .*run ulimit -n 1024 .*\\n$`));
    }
    const enough = run(64);
    assert.equal(enough.status, 0, enough.stderr);
    t.diagnostic(enough.stdout);
  });

for (const launcher of ["bin/passepartout", "passepartout"])
  test(`${launcher} leaves no core file, which could hold a key, whatever its shell allows`, () => {
    const path = fileURLToPath(new URL(`../../${launcher}`, import.meta.url));
    const tells =
      'import{readFileSync}from"node:fs";process.stderr.write(readFileSync("/proc/self/limits","utf8"))';
    const settings = {
      PASSEPARTOUT_NODE: process.execPath,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tells)}`,
    };
    for (const limit of ["$(ulimit -H -c)", "0"]) {
      const { stderr } = spawnSync("sh", ["-c", `ulimit -c ${limit}; exec "$1" --version`, "sh", path], {
        encoding: "utf8",
        env: { ...process.env, ...settings },
      });
      assert.match(stderr, /^Max core file size +0 +0 /m);
    }
  });

test("a folder whose name is no text is not said to be removed", async () => {
  const { code, said } = await runInCopy(`${world.home}-copy`, ["ask", "hello"], start(badName));
  assert.equal(code, 2);
  assert.match(said, /^passepartout: The path of the folder that you are in is not UTF-8 text\. Rename/m);
});
