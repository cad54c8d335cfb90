import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { outputInSandbox, type SandboxOutput } from "../../../act/sandbox/output-in-sandbox.ts";
import { explainNoSandbox } from "../../../act/sandbox/sandbox-lack.ts";
import { findProgram } from "../../../act/shell/binary.ts";
import { shortEnvironment } from "../../../act/shell/environment.ts";
import type { LoopResources } from "../resources/loop-resources.ts";

/** What a voice note says, as the owner's program heard it; null where none is set. */
export type Transcript = SandboxOutput | null;

/** A program may take this long for a note, and say so much. */
const limits = { milliseconds: 120_000, bytes: 100_000 };

/**
 * Has the program of `TRANSCRIBE_COMMAND` listen to a voice note: in the sandbox, without network, where it
 * sees the note, itself, and the files that its own words name.
 */
export async function transcribe(
  { policy, sandbox }: Pick<LoopResources, "policy" | "sandbox">,
  bytes: Uint8Array,
  cancel: AbortSignal,
): Promise<Transcript> {
  const { transcribeCommand: command, places } = policy.config;
  const [name = "", ...words] = (command ?? "").trim().split(/\s+/);
  if (name === "") return null;
  if (sandbox === null) {
    const { why, remedy } = explainNoSandbox();
    return no(`there is no sandbox for TRANSCRIBE_COMMAND: ${why}. ${remedy}`);
  }
  const { binary } = await findProgram(name, policy.searchPath, "/");
  if (binary === null) return no(`TRANSCRIBE_COMMAND names ${name}, which is not installed`);
  mkdirSync(places.state, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(realpathSync(places.state), "voice-"));
  try {
    const note = join(folder, "voice.ogg");
    writeFileSync(note, bytes, { mode: 0o600 });
    const given = words.includes("{}")
      ? words.map((word) => (word === "{}" ? note : word))
      : [...words, note];
    const named = given.filter((word) => isAbsolute(word) && existsSync(word));
    const seen = [...named, binary.path, binary.real].map((path) => ({ from: path, to: path }));
    return await outputInSandbox(
      sandbox,
      {
        argv: [binary.path, ...given],
        confinement: {
          cwd: "/",
          workspace: null,
          writable: false,
          readable: seen.filter(({ from }) => !from.startsWith("/usr/") && dirname(from) !== "/bin"),
          locked: [],
          masked: [],
          environment: new Map(shortEnvironment(false)),
        },
      },
      limits,
      cancel,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function no(reason: string): SandboxOutput {
  return { ok: false, reason };
}
