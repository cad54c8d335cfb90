import { z } from "zod";
import type { Effect } from "../../../signal/effect.ts";
import { bottomLabel, joinLabels } from "../../../signal/label.ts";
import type { Preparation, Run, Tool } from "../../../signal/tool.ts";
import { canonicalJson, type JsonObject } from "../../../text/json.ts";
import { type FoundProgram, findProgram } from "../../shell/binary.ts";
import { withNotes } from "../../shell/later-guard.ts";
import { findInstallation, type Installation } from "../../steward/package-manager.ts";
import type { ToolCall } from "../define-tool.ts";
import { installPackage } from "./install-package.ts";

/** What installing needs: the shell for the command that comes after it, and where programs are looked up. */
export type InstallPorts = {
  readonly shell: Tool;
  readonly searchPath: string;
  readonly home: string;
  readonly mask: (text: string) => string;
  /** How a program is installed. Default: by the packages of this machine. */
  readonly findInstallation?: (program: string) => Promise<Installation | null>;
  /** False where actions are only judged. */
  readonly resolve: boolean;
};

type Request = ToolCall<InstallPorts>;
type Prepared = Extract<Preparation, { ok: true }>;

/** Prepares to install the package of a program, and to run the command that needs it. Both stand in one question. */
export async function prepareInstall(
  { program, retry }: { readonly program: string; readonly retry?: string | undefined },
  request: Request,
): Promise<Preparation> {
  const { ports, caller, labelOf } = request;
  const installation = await (ports.findInstallation ?? findInstallation)(program);
  if (installation === null) {
    const message = `No package with ${ports.mask(program)} is known for this machine. Use another program, or ask the owner to install it.`;
    return { ok: false, code: "no-package", message };
  }
  const { argv } = installation;
  const found = ports.resolve
    ? await findProgram(argv[0] ?? "", ports.searchPath, "/")
    : ({ binary: null, identity: "absent" } as const);
  if (ports.resolve && found.binary === null) {
    const words = argv.filter((word) => word !== "-n").join(" ");
    const message = `${argv[0]} is not there, so only the owner can install ${program}: \`${words}\` as root.`;
    return { ok: false, code: "needs-rights", message };
  }
  const next = retry === undefined ? null : await ports.shell.prepare({ cmd: retry }, caller, labelOf);
  if (next !== null && !next.ok) return next;
  const label = labelOf(`${program} ${retry ?? ""}`);
  const install: Effect = {
    kind: "run-program",
    target: argv[0] ?? "",
    argv,
    binary: found.binary?.real ?? null,
    identity: found.identity,
    proof: null,
    doubt: doubtOf(installation),
    confined: false,
    label,
    reversal: "final",
  };
  const printed = { integrity: "untrusted", secrecy: "public", sources: [] } as const;
  return {
    ok: true,
    effects: [install, ...(next?.effects ?? [])],
    plan: { install: [...argv], binary: found.binary, retry: next?.plan ?? null },
    changes: [],
    resultLabel: joinLabels(label, next?.resultLabel ?? bottomLabel, printed),
    toldByEffects: next?.toldByEffects ?? bottomLabel,
    run: installAndRetry(installation, { found, next, retry }, request),
  };
}

function doubtOf({ package: name, program, isGuessed }: Installation): string {
  const guessed = isGuessed
    ? `; that it has ${program} is only guessed from its name, so look whether it is what you want`
    : "";
  return `it installs the package ${name} for everybody on this machine, from its package sources, and runs its scripts${guessed}`;
}

type InstallAndRetry = {
  readonly found: FoundProgram;
  readonly next: Prepared | null;
  readonly retry: string | undefined;
};

/** Installs the package, and then runs the command if it still has the effects that the owner said yes to. */
function installAndRetry(
  installation: Installation,
  { found, next, retry }: InstallAndRetry,
  { ports, caller, labelOf }: Request,
): Run {
  return async (cancel, view) => {
    const installed = await installPackage(installation, { found, ports, cancel, view });
    if (!installed.ok) return installed.outcome;
    const { done } = installed;
    if (next === null || retry === undefined)
      return { status: "success", content: { stdout: "", stderr: "", exitCode: 0, note: done } };
    const now = await ports.shell.prepare({ cmd: retry }, caller, labelOf);
    if (!now.ok || !hasSameEffects(next.effects, now.effects)) {
      const note = `${done} The command would do something else than was asked about, so it was not run: propose it again.`;
      return { status: "success", content: { stdout: "", stderr: "", exitCode: 0, note } };
    }
    return withNotes(await now.run(cancel, view), [done]);
  };
}

/** Whether the command has the effects that it was judged by, now that its program is installed. Only the binary of the program may differ. */
function hasSameEffects(judged: readonly Effect[], now: readonly Effect[]): boolean {
  const isSystems = now.every((effect) => effect.kind !== "run-program" || effect.identity !== "shadowed");
  return isSystems && canonicalJson(judged.map(withoutBinary)) === canonicalJson(now.map(withoutBinary));
}

function withoutBinary(effect: Effect): JsonObject {
  const { binary: _, identity: __, ...rest } = { binary: null, identity: null, ...effect };
  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(rest)));
}
