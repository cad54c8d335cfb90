import type { AskHidden } from "../../signal/hidden-prompt.ts";
import type { KeptGuards } from "../../signal/kept-guard.ts";
import type { Label } from "../../signal/label.ts";
import type { Outcome, OutputView } from "../../signal/tool.ts";
import { isInside } from "../../text/is-inside.ts";
import type { Listing } from "../files/private-names.ts";
import type { Mask, Sandbox } from "../sandbox/bubblewrap.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import type { Covers } from "../sandbox/overlay-view.ts";
import type { CommandOverlays, KeptChanges } from "../trial/command-overlays.ts";
import type { LeftFile, MeantFiles } from "../trial/taken-out.ts";
import type { GitOfOwner } from "./git-of-owner.ts";
import type { CommandOrigin, NetworkPorts } from "./network.ts";
import type { OutsideCopies } from "./outside-copies.ts";
import type { ShellParser } from "./parse.ts";
import type { PlanEnvironment } from "./plan.ts";
import type { ProgramFolders } from "./program-folders.ts";
import type { SandboxStarted } from "./run.ts";
import type { TerminalProcess } from "./terminal-process.ts";
import type { Terminals } from "./terminals.ts";

/** The ports of the shell tool. */
export type ShellPorts = {
  readonly parser: ShellParser;
  /** Null if the machine has none. A command that is not proved harmless then runs unconfined, after approval. */
  readonly sandbox: Sandbox | null;
  readonly isSecretPath: (path: string) => boolean;
  /** State, configuration, rules and runtime folders: no command sees them. */
  readonly hidden: readonly string[];
  /** Folders that commands may read and never write, such as the installation. They win over `hidden`. Default: none. */
  readonly locked?: readonly string[];
  /** What git takes from the owner's settings. Default: nothing. */
  readonly gitOfOwner?: () => Promise<GitOfOwner>;
  /** The owner's home folder; a leading `~` means it. */
  readonly home: string;
  /** The folders in which programs are looked up, as in `PATH`. */
  readonly searchPath: string;
  /** The folders that the owner declares as programs, which commands see. Default: none. */
  readonly programFolders?: ProgramFolders;
  /** Masks keys in text that is shown or stored. */
  readonly mask: (text: string) => string;
  /** Default: 30 seconds. */
  readonly timeoutMilliseconds?: number;
  /** Default: 100,000. */
  readonly outputCharacters?: number;
  /** The label of the files that a command reads; of a folder with more than `maxEntries` (default 20,000), private. Default: public. */
  readonly labelOfRead?: (use: {
    readonly path: string;
    readonly tree: boolean;
    readonly maxEntries?: number;
  }) => Promise<Label>;
  /** The label of what a command tells of files beside their contents. Default: public. */
  readonly labelOfNames?: (listing: Listing) => Promise<Label>;
  /** Remembers the private text in the history of the repositories at or above some folders; the label of what git may print of it. Default: public. */
  readonly labelOfHistory?: (folders: readonly string[]) => Promise<Label>;
  /**
   * What git keeps of secret files in repositories, which commands do not see: also what it has of those that
   * are `present`, by their paths, and that nothing in it names. Of repositories that are not `used`, by
   * where a command works and what it names, no object is seen; null uses all. Default: nothing is covered.
   */
  readonly secretObjects?: (asked: {
    readonly repositories: readonly string[];
    readonly used: { readonly cwd: string; readonly named: readonly string[] } | null;
    readonly present: readonly string[];
    readonly cancel: AbortSignal;
  }) => Promise<readonly Mask[]>;
  /** Whether commands saw something in the place of what a repository has. Default: they did not. */
  readonly isCovered?: (repository: string) => Promise<boolean>;
  /** Whether bytes have what commands see in the place of that. Default: none have. */
  readonly holdsStandIn?: (bytes: Uint8Array) => Promise<boolean>;
  /** Looks at what a line will write; what it gives is called once it ran, and labels that. Default: none. */
  readonly labelWritten?: (writes: CommandWrites) => Promise<() => Promise<void>>;
  /** The proxy to the hosts that are approved. Default: none, and a command that needs one is refused. */
  readonly network?: NetworkPorts;
  /** Default: five minutes, for commands with network. */
  readonly networkMilliseconds?: number;
  /** Overlays of workspaces, by which what a command changes can be undone. Default: none. */
  readonly overlays?: CommandOverlays;
  /** Keeps what a workspace held before a line until it was looked at afterwards, for the case that the agent is killed. Default: nowhere. */
  readonly guards?: KeptGuards;
  /** The programs that run on terminals. Default: none can. */
  readonly terminals?: Terminals;
  /** Asks the owner for what a program on a terminal hides. Default: nobody is there who could answer. */
  readonly askHidden?: AskHidden;
  /** Whether commands that are not known are tried over an overlay before they ask. Default: no. */
  readonly tries?: boolean;
  /** Milliseconds of a trial. Default: five minutes. */
  readonly trialMilliseconds?: number;
  /** False for judging only: no path and no program is looked up, and nothing can run. */
  readonly resolve?: boolean;
};

/** What a command line writes, and the labels of what flows into it. */
export type CommandWrites = {
  /** The files that its output goes to, as real paths. */
  readonly paths: readonly string[];
  readonly workspace: string | null;
  /** The label of its output. */
  readonly label: Label;
  /** The label of what flows into all that it makes and changes. */
  readonly inputs: Label;
  /** When it began, in milliseconds. Default: now. */
  readonly since?: number;
  /** Milliseconds that it may still run. Default: nobody knows. */
  readonly milliseconds?: number;
};

/** One run of a plan. */
export type Execution = {
  readonly ports: ShellPorts;
  readonly given: PlanEnvironment;
  readonly origin: CommandOrigin;
  readonly cancel: AbortSignal;
  /** The overlay that it runs over; null where it changes the workspace itself. */
  readonly overlay: RunOverlay | null;
  /** Told the first process of each sandbox. Default: nobody is told. */
  readonly started?: SandboxStarted;
  /** Shows what it prints while it runs. Default: nothing is shown. */
  readonly view?: OutputView | undefined;
  /** The terminal that its one command runs on. Default: none, and it reads nothing. */
  readonly terminal?: TerminalProcess | undefined;
  /** Told the hosts that it tried to reach without having been approved for them. Default: nobody is told. */
  readonly missed?: (hosts: readonly string[]) => void;
};

/**
 * An overlay of the workspace. `keep` makes the workspace like it, and says what could not be kept; it is
 * told how the line ended.
 */
export type RunOverlay = {
  /** Whether it is a trial: then all of the workspace may be changed, within limits, and nothing is kept. */
  readonly isTrial: boolean;
  readonly overlay: Overlay;
  readonly keep: (outcome: Outcome) => Promise<KeptChanges>;
  /** Which of the files that a line left in folders of the sandbox itself it took out of the workspace. */
  readonly takenOut: (left: readonly LeftFile[], meant: MeantFiles) => Promise<readonly LeftFile[]>;
  /** Told what of the overlay the commands do not see as it is, or cannot change. Default: nobody is told. */
  readonly covered?: (covers: Covers) => void;
  /** The copies of what lies outside of the workspace. Default: there are none. */
  readonly outside?: OutsideCopies;
};

/** Whether a folder, by its real path, is one of the agent itself whose names no command sees. */
export function isOwnFolder(folder: string, { hidden, locked = [] }: ShellPorts): boolean {
  return hidden.some((each) => isInside(each, folder)) && !locked.some((each) => isInside(each, folder));
}
