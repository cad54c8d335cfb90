import type { Effect } from "../signal/effect.ts";
import type { Facts, Folders, Permission } from "../signal/facts.ts";
import type { TaughtObjection } from "../signal/skill.ts";
import type { Tool } from "../signal/tool.ts";
import type { ActuatorRegistry, NameRegistry } from "./actuators.ts";
import type { NameLabels } from "./files/private-names.ts";

/** The port to the secret scanner. It returns the rule and the place of each match. */
export type SecretScanner = (
  text: string,
) => readonly { readonly rule: string; readonly start: number; readonly end: number }[];

/** The port to the private-text filter. */
export type PrivateTextPort = {
  /** Resolves when all private text is known. Throws where it cannot be known. */
  readonly ready: () => Promise<void>;
  /** Whether a passage of the text stands in a text that is or was private. */
  readonly holdsPrivate: (text: string) => boolean;
};

/** The parts of an action preparer. */
export type PreparerParts = {
  readonly tools: readonly Tool[];
  /** Tools that come and go while the agent runs, as they are now: the same list as long as nothing changed. A name that is taken is left out. Default: none. */
  readonly addedTools?: () => readonly Tool[];
  /**
   * Takes away added tools whose right to run is gone. Called before one of them is prepared. Default:
   * nothing.
   */
  readonly refreshAdded?: () => Promise<void>;
  /** What the gates of skills object to. Default: nothing. */
  readonly askTaughtGates?: (effects: readonly Effect[], facts: Facts) => Promise<readonly TaughtObjection[]>;
  /** Further tools, by the workspace of the caller. Default: none. */
  readonly externalTools?: (workspace: string | null) => Promise<readonly Tool[]>;
  /** The actuators as they are now. Their tools are declared with the others. */
  readonly actuators: ActuatorRegistry;
  readonly folders: Omit<Folders, "workspace">;
  /** How many files of notes were known in a notes folder, where it is gone or empty; else null. */
  readonly lostNotes: (folder: string) => Promise<number | null>;
  /** Whether the folder of a session is gone, or only an empty mount point. Default: whether it is gone. */
  readonly isPlaceGone?: ((session: string, workspace: string) => Promise<boolean>) | undefined;
  readonly scan: SecretScanner;
  readonly privateText: PrivateTextPort;
  /** The label of what is told of files beside their contents. Default: public. */
  readonly labelOfNames?: NameLabels["labelOfNames"];
  /** Whether this machine has a sandbox. */
  readonly sandbox: boolean;
  /** Whether the folder of a session must be there. Default: yes; where actions are only judged, no. */
  readonly needsFolder?: boolean;
  /** Whether all canaries are blocked. */
  readonly healthy: () => boolean;
  /** The owner's permissions by tool. A tool that is not named keeps its own permission. */
  readonly permissions: ReadonlyMap<string, Permission>;
  /** Whether the owner disabled what brings the tool of this name. Default: none is. */
  readonly isDisabled?: (tool: string) => boolean;
  readonly defaultActuator: string;
  readonly silentActuators: readonly string[];
};

/** What an action is prepared with. */
export type Preparer = {
  readonly parts: PreparerParts;
  /** The tools as they are now. */
  readonly tools: () => NameRegistry<Tool>;
  readonly permissionOf: (tool: Tool) => Permission;
};
