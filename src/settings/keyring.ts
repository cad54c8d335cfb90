import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "./environment.ts";

/** The keyring of the system, by a program of the system. It keeps made-up passphrases of vaults, each under the name of its entry. */
export type Keyring = {
  /** What it is, in words. */
  readonly name: string;
  /** Throws where it does not keep the passphrase. */
  readonly keep: (entry: string, passphrase: string) => Promise<void>;
  /** The passphrase of an entry, or why there is none now. */
  readonly read: (entry: string) => Promise<KeyringResult>;
  readonly forget: (entry: string) => Promise<void>;
  /** Whether it keeps and gives a made-up passphrase: a program and a session alone do not make a keyring. */
  readonly works: () => Promise<boolean>;
};

export type KeyringResult =
  | { readonly ok: true; readonly passphrase: string }
  | { readonly ok: false; readonly reason: string };

/** How one system's program is called. A passphrase goes by standard input alone: other users see the arguments of a process. */
type Calls = {
  readonly name: string;
  readonly keep: (entry: string, passphrase: string) => Call;
  readonly read: (entry: string) => Call;
  readonly forget: (entry: string) => Call;
};
type Call = { readonly args: readonly string[]; readonly input: string };

const service = "passepartout";

/** libsecret's command: `store` reads the secret from standard input. */
const secretTool: Calls = {
  name: "the system's keyring (secret-tool)",
  keep: (entry, passphrase) => ({
    args: ["store", "--label=Passepartout", "service", service, "vault", entry],
    input: passphrase,
  }),
  read: (entry) => ({ args: ["lookup", "service", service, "vault", entry], input: "" }),
  forget: (entry) => ({ args: ["clear", "service", service, "vault", entry], input: "" }),
};

/** The command of macOS would take the secret as an argument; with `-i` it reads whole commands from standard input. */
const security: Calls = {
  name: "the keychain (security)",
  keep: (entry, passphrase) => ({
    args: ["-i"],
    input: `add-generic-password -U -s ${service} -a ${entry} -w ${passphrase}\n`,
  }),
  read: (entry) => ({ args: ["find-generic-password", "-s", service, "-a", entry, "-w"], input: "" }),
  forget: (entry) => ({ args: ["delete-generic-password", "-s", service, "-a", entry], input: "" }),
};

const systems: Readonly<
  Partial<Record<NodeJS.Platform, { readonly program: string; readonly calls: Calls }>>
> = {
  linux: { program: "/usr/bin/secret-tool", calls: secretTool },
  darwin: { program: "/usr/bin/security", calls: security },
};

/** The keyring of this system; null where its program or its session is missing. `program` stands in for the system's own in tests. */
export function findKeyring(
  environment: Environment,
  given: { readonly platform?: NodeJS.Platform; readonly program?: string } = {},
): Keyring | null {
  const { platform = process.platform } = given;
  const calls = systems[platform]?.calls;
  const program = given.program ?? systems[platform]?.program ?? "";
  if (calls === undefined || !existsSync(program)) return null;
  if (platform === "linux" && !hasSessionBus(environment)) return null;
  const run = (call: Call): Promise<Ended> => runProgram(program, call, environment);
  const read = async (entry: string): Promise<KeyringResult> => {
    const { code, output, why } = await run(calls.read(entry));
    const passphrase = output.replace(/\n$/, "");
    if (code === 0 && passphrase !== "") return { ok: true, passphrase };
    const reason = `${calls.name} gave no passphrase of the vault (${why}). Unlock the keyring and try again.`;
    return { ok: false, reason };
  };
  const whyNotKept = async (entry: string, passphrase: string): Promise<string | null> => {
    const { why } = await run(calls.keep(entry, passphrase));
    const kept = await read(entry);
    return kept.ok && kept.passphrase === passphrase ? null : why;
  };
  const forget = async (entry: string): Promise<void> => {
    await run(calls.forget(entry));
  };
  return {
    name: calls.name,
    read,
    forget,
    async keep(entry, passphrase) {
      const why = await whyNotKept(entry, passphrase);
      if (why !== null) throw new Error(`${calls.name} does not keep the passphrase (${why})`);
    },
    async works() {
      const entry = `trial-${randomUUID()}`;
      const why = await whyNotKept(entry, randomUUID());
      await forget(entry);
      return why === null;
    },
  };
}

function hasSessionBus(environment: Environment): boolean {
  const address = environment["DBUS_SESSION_BUS_ADDRESS"] ?? "";
  const folder = environment["XDG_RUNTIME_DIR"] ?? "";
  return address !== "" || (folder !== "" && existsSync(join(folder, "bus")));
}

type Ended = { readonly code: number | null; readonly output: string; readonly why: string };

/** The variables that a keyring needs to find its session and to show a window that asks for its own password. */
const passedOn =
  "HOME USER DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY".split(" ");
/** Time for a person to unlock the keyring in a window of its own, in milliseconds. */
const timeout = 20_000;
const mostOutput = 65_536;

function runProgram(program: string, { args, input }: Call, environment: Environment): Promise<Ended> {
  const variables = passedOn.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8", ...Object.fromEntries(variables) };
  const child = spawn(program, args, { env, cwd: "/", timeout, stdio: "pipe" });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(0, mostOutput);
  });
  child.stderr.resume();
  // A program that ends before it reads its input fails by its exit code.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) => {
    child.on("error", ({ message }) => resolve({ code: null, output: "", why: message }));
    child.on("close", (code, signal) =>
      resolve({ code, output, why: code === null ? `it was ended by ${signal}` : `exit code ${code}` }),
    );
  });
}
