import { isIP } from "node:net";
import { sha256 } from "../../../machine/digest.ts";
import {
  type Effect,
  type Extent,
  type ReadPath,
  unknownScripts,
  type WritePath,
} from "../../../signal/effect.ts";
import type { Label } from "../../../signal/label.ts";
import { isInside } from "../../../text/is-inside.ts";
import { pushAll } from "../../../text/lists.ts";
import type { CredentialBinding } from "../../egress/credential.ts";
import { describeHosts } from "../../egress/host-port.ts";
import type { OtherNames } from "../../files/later-names.ts";
import { laterByNames, type PathEffect, underTypedNames } from "../../files/typed-names.ts";
import { explainNoSandbox } from "../../sandbox/sandbox-lack.ts";
import { laterWords } from "../../shell/copied-tree.ts";
import type { OutsideRepository } from "../../shell/git-repository.ts";
import { isStampOfCode, isUnknownCode } from "../../shell/loaded-code.ts";
import { outsideWords } from "../../shell/outside-copies.ts";
import { isHeld, type OutsidePlaces } from "../../shell/outside-places.ts";
import type { CommandPlan, PlannedCommand } from "../../shell/plan.ts";
import { uniqueHosts } from "../../shell/planned-network.ts";
import { needsTerminal, untriedBecause } from "../../shell/programs/untried.ts";
import { type ResolvedChange, withReplaced } from "../../shell/said-changes.ts";
import { isLoadedName } from "../../shell/script-names.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";

/** What a command is judged with. */
export type CommandJudging = {
  readonly label: Label;
  readonly ports: ShellPorts;
  /** What executes files later by other names; null where nobody may look. */
  readonly others: OtherNames | null;
  /** Whether it runs over an overlay, so that what it changes in the workspace can be undone. */
  readonly overlaid: boolean;
  readonly workspace: string | null;
  /** What it changes outside of the workspace and has copies of. */
  readonly outside: OutsidePlaces;
  /** Whether its line may be tried. */
  readonly triable: boolean;
  /** How much each command destroys at once. */
  readonly extents: ReadonlyMap<PlannedCommand, Extent>;
  /** Whether the hosts are those that it missed in its trial. */
  readonly missed: boolean;
  /** Why its line runs in the workspace itself, as its trial has shown; null where it runs as any other. */
  readonly inFolder: string | null;
  readonly onTerminal: boolean;
  /** A digest of the scripts of the line; null where its programs treat what they name as data. */
  readonly scripts: string | null;
};

/**
 * A digest of the files that the words of a line with network name, and of all code around, where one of its
 * programs may run or obey them. Data that is as the line itself left it (`outputs`: stamps by paths) does
 * not count.
 */
export function digestOfScripts(
  plan: CommandPlan,
  outputs: ReadonlyMap<string, string> = new Map(),
): string | null {
  const files = plan.flatMap((part) => part.commands).flatMap((command) => command.files);
  if (!files.some(({ stamp }) => isStampOfCode(stamp))) return null;
  if (files.some(({ path, stamp }) => path === "" || isUnknownCode(stamp))) return unknownScripts;
  const counted = files.filter((file) => isLoadedName(file.path) || outputs.get(file.path) !== file.stamp);
  const stamps = counted.map(({ path, stamp }) => `${path} ${stamp}`);
  return sha256(stamps.join("\n"));
}

/** The effects of one command. What was typed counts beside the path that it leads to. */
export async function effectsOf(
  command: PlannedCommand,
  judging: CommandJudging,
): Promise<readonly Effect[]> {
  const { label, ports, others } = judging;
  const confined = ports.sandbox !== null;
  const judged = command.reads.filter(
    ({ path }) =>
      command.proof !== null ||
      !confined ||
      !ports.isSecretPath(path) ||
      command.redirects.some(({ target }) => target === path),
  );
  const read = judged.map(({ path: target, written, access, tree }): Named<ReadPath> => {
    return [{ kind: "read-path", target, label, reversal: "undoable", access, tree }, written];
  });
  const output = command.writes.map(({ path: target, written, exists }): Named<WritePath> => {
    const change = exists ? "replace" : "create";
    return [{ kind: "write-path", target, label, reversal: reversalAt(target, judging), change }, written];
  });
  const worded = command.worded
    .flatMap(withReplaced)
    .map(
      (change): Named<PathEffect> => [
        effectOfWords(change, { label, reversal: reversalAt(change.path, judging) }),
        change.written,
      ],
    );
  const named: Effect[] = [];
  for (const [effect, written] of [...read, ...output, ...worded])
    pushAll(named, others === null ? [effect] : await byNames(effect, written, { ports, others }));
  const changed = command.changes.map(
    ({ target, tree, exists, why }): Effect => ({
      kind: "write-path",
      target,
      label,
      reversal: reversalAt(target, judging),
      change: exists ? "replace" : "create",
      executedLater: why,
      ...(tree ? { tree } : {}),
    }),
  );
  const kept =
    command.repository === null
      ? []
      : [
          effectOnRepository(command.repository, {
            label,
            reversal: judging.overlaid ? "undoable" : "final",
          }),
        ];
  return [runEffect(command, judging), ...named, ...changed, ...kept];
}

/** An effect with what was typed of its target. */
type Named<Kind extends PathEffect> = readonly [effect: Kind, written: string];

/** An effect with what other names of its target make of it. What is kept of an overlay parts hard links. */
async function byNames(
  effect: PathEffect,
  written: string,
  { ports, others }: { readonly ports: ShellPorts; readonly others: OtherNames },
): Promise<readonly PathEffect[]> {
  const { kind, target, reversal } = effect;
  const byInode = reversal === "final";
  const why = kind === "write-path" ? await laterByNames(target, { written, others, byInode }) : null;
  const judged = why === null ? effect : { ...effect, executedLater: why };
  return underTypedNames(judged, written, ports.isSecretPath);
}

/**
 * What becomes of a change at a path: it is kept, and can be undone, in the workspace and in copies of what
 * lies outside.
 */
function reversalAt(
  path: string,
  { overlaid, workspace, outside }: Pick<CommandJudging, "overlaid" | "workspace" | "outside">,
): Effect["reversal"] {
  const isKept = workspace !== null && (isInside(workspace, path) || isHeld(path, outside));
  return overlaid && isKept ? "undoable" : "final";
}

/** Whether all that a command is known to change can be undone. */
function staysInside(command: PlannedCommand, judging: CommandJudging): boolean {
  const paths = [
    ...command.writes.map(({ path }) => path),
    ...command.changes.map(({ target }) => target),
    ...command.worded.flatMap(({ how, path }) => (how === "read" ? [] : [path])),
  ];
  return judging.overlaid && paths.every((path) => reversalAt(path, judging) === "undoable");
}

/** The effect of running the program itself. */
function runEffect(command: PlannedCommand, judging: CommandJudging): Effect {
  const { label, ports, triable, extents, missed, scripts, inFolder } = judging;
  const confined = ports.sandbox !== null;
  const aside =
    confined || command.proof !== null
      ? ""
      : `; it would run without a sandbox, because ${explainNoSandbox().why}`;
  const lack = command.unfollowed === null ? "" : `; ${command.unfollowed}`;
  return {
    kind: "run-program",
    target: ports.mask(command.argv[0] ?? ""),
    label,
    reversal:
      command.proof !== null || (command.network.length === 0 && staysInside(command, judging))
        ? "undoable"
        : "final",
    argv: command.argv.map((word) => ports.mask(word)),
    binary: command.binary?.real ?? null,
    identity: command.identity,
    proof: command.proof,
    doubt: ports.mask(
      `${command.doubt}${aside}${lack}${inFolder === null ? "" : `; it would run in the folder itself: ${inFolder}`}`,
    ),
    confined,
    ...untriedWords(command, judging),
    ...(triable ? { triable } : {}),
    ...extentWords(extents.get(command), ports),
    ...(command.network.length === 0 ? {} : { network: describeHosts(command.network) }),
    ...(command.network.length > 0 && scripts !== null ? { scripts } : {}),
    ...(command.network.length > 0 && missed ? { missed: true as const } : {}),
    ...(command.credentials.length === 0 ? {} : { credentials: command.credentials.map(describeCredential) }),
  };
}

/**
 * Whether a line may be tried: as a whole, or not at all. Nobody was asked before a trial: it needs the
 * filter of system calls as well.
 */
export function isTriable(
  plan: CommandPlan,
  { overlaid, ...judging }: Pick<CommandJudging, "ports" | "overlaid" | "onTerminal" | "workspace">,
): boolean {
  return overlaid && isTriableOverOverlay(plan, judging);
}

/** The same where an overlay can be had: for a label, which must not be lower because none could. */
export function isTriableOverOverlay(
  plan: CommandPlan,
  {
    ports: { tries, sandbox, overlays },
    ...given
  }: Pick<CommandJudging, "ports" | "onTerminal" | "workspace">,
): boolean {
  const commands = plan.flatMap((part) => part.commands);
  return (
    overlays !== undefined &&
    tries === true &&
    sandbox?.filter != null &&
    commands.some(({ proof }) => proof === null) &&
    commands.every((command) => command.network.length === 0 && untriedReason(command, given) === null)
  );
}

function describeCredential({ name, host, port }: CredentialBinding): string {
  return `${name} at ${describeHosts([{ host, port }]).join()}`;
}

/** What a command may change in a repository outside of the workspace. */
function effectOnRepository(
  { folder }: OutsideRepository,
  common: { readonly label: Label; readonly reversal: Effect["reversal"] },
): Effect {
  return {
    ...common,
    kind: "write-path",
    target: folder,
    change: "replace",
    tree: true,
    repositoryData: true,
  };
}

/** What a command says of its files, so that it is judged like a tool that does the same. */
function effectOfWords(
  { path, how, tree, exists, copied }: ResolvedChange,
  common: { readonly label: Label; readonly reversal: Effect["reversal"] },
): PathEffect {
  const change = { ...common, target: path };
  if (how === "read") return { ...change, kind: "read-path", reversal: "undoable", access: "contents", tree };
  if (how === "delete") return { ...change, kind: "delete-path" };
  const later = copied === undefined ? null : laterWords(copied);
  const below = { ...(tree ? { tree } : {}), ...(later === null ? {} : { executedLater: later }) };
  return { ...change, kind: "write-path", change: exists ? "replace" : "create", ...below };
}

/** The extent of a command, with keys masked. */
function extentWords(extent: Extent | undefined, { mask }: ShellPorts): { readonly extent?: Extent } {
  if (extent === undefined) return {};
  return { extent: { ...extent, shown: extent.shown.map(mask), others: extent.others.map(mask) } };
}

function untriedWords(
  command: PlannedCommand,
  { ports, onTerminal, workspace }: CommandJudging,
): { readonly untried?: string } {
  const reason = untriedReason(command, { onTerminal, workspace });
  return reason === null ? {} : { untried: ports.mask(reason) };
}

/** Why nobody learns anything from a trial of an unproved command; null where it may be tried. */
function untriedReason(
  command: PlannedCommand,
  { onTerminal, workspace }: Pick<CommandJudging, "onTerminal" | "workspace">,
): string | null {
  const { proof, argv, repository } = command;
  if (proof !== null) return null;
  const reason = untriedBecause(argv);
  if (reason !== null && !(onTerminal && reason.endsWith(needsTerminal))) return reason;
  if (repository !== null) return `its repository ${repository.folder} is outside the workspace`;
  return outsideWords(command, workspace);
}

/** The hosts that the commands may reach, each place once. What they send there is not known: it may be all that they can read. */
export function reachEffects(plan: CommandPlan, label: Label): readonly Effect[] {
  const places = plan.flatMap(({ commands }) => commands.flatMap(({ network }) => network));
  return uniqueHosts(places).map(({ host, port }) => ({
    kind: "reach-host",
    target: host,
    scheme: port === 80 ? "http" : "https",
    port,
    addresses: isIP(host) === 0 ? [] : [host],
    label,
    reversal: "final",
  }));
}
