import type { Sandbox } from "../../../act/sandbox/bubblewrap.ts";
import type { JailThreads } from "../../../act/sandbox/jail-threads.ts";
import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { SemanticIndex } from "../../../memory/recall/semantic-index.ts";
import type { State } from "../../../memory/state/state.ts";
import type { OwnCommand } from "../../../notes/own-commands.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { Clock } from "../../../text/clock.ts";
import type { FolderOrders } from "../../commands/folder-orders.ts";
import type { RecordPolicy } from "../../commands/record-policy.ts";
import type { UpkeepJob } from "../../jobs/upkeep-jobs.ts";
import type { DoorChannels } from "./door-channels.ts";
import type { FolderSkills } from "./folder-skills.ts";
import type { HiddenPrompts } from "./hidden-prompts.ts";
import type { OpenEditors } from "./open-editors.ts";
import type { OwnSkills } from "./open-own-skills.ts";
import type { KnownPrivateText } from "./private-passages.ts";
import type { SessionPrograms } from "./session-programs.ts";
import type { Untold } from "./untold.ts";

/** What the loop is built from. */
export type LoopResources = {
  readonly policy: Policy;
  readonly state: State;
  readonly notes: Notes;
  readonly privateText: KnownPrivateText;
  /** Null where no embedding provider is set up. */
  readonly semanticIndex: SemanticIndex | null;
  readonly sandbox: Sandbox | null;
  readonly jails: JailThreads;
  readonly programs: SessionPrograms;
  readonly hiddenPrompts: HiddenPrompts;
  readonly editors: OpenEditors;
  readonly skills: OwnSkills;
  readonly folderSkills: FolderSkills;
  /** The commands that the owner wrote, as they are now. */
  readonly ownCommands: () => Promise<readonly OwnCommand[]>;
  /** What the last prompt of each session showed of the notes. */
  readonly shownNotes: Map<string, { readonly notes: number; readonly tokens: number }>;
  readonly clock: Clock;
  readonly orders: FolderOrders;
  readonly recordPolicy: RecordPolicy;
  readonly version: string;
  /** The work of the job that checks the health of the agent. */
  readonly pollHealth: UpkeepJob["work"];
  readonly report: (message: string) => void;
  readonly doors: DoorChannels;
  /** What the owner is told in whatever session. */
  readonly untold: Untold;
};
