import type { BellKind } from "./bells.ts";
import type { EditedText } from "./prompt/edited-text.ts";
import type { PromptHistory } from "./prompt/prompt-history.ts";
import type { After } from "./screen/after.ts";
import type { CopyText } from "./screen/copied.ts";
import type { FileFacts, ListNames } from "./screen/list-names.ts";
import type { ScreenKind } from "./screen/screens.ts";
import type { ColourDepth } from "./screen/theme.ts";
import type { Terminal } from "./screen/toolkit.ts";
import type { SessionEvent, WireSession } from "./session/wire-session.ts";

/** What the screen needs. */
export type AppParts = {
  readonly terminal: Terminal;
  readonly history: PromptHistory;
  readonly listNames: ListNames;
  readonly home: string;
  readonly folder: string;
  readonly version: string;
  readonly depth: ColourDepth;
  readonly background: "dark" | "light";
  /** How a person who looks elsewhere is told. */
  readonly bells: BellKind;
  readonly clock: () => number;
  readonly after: After;
  /** Hides the screen and stops the process until the owner brings it back. */
  readonly suspend: () => void;
  /** Has the owner edit a text in an editor of their own, which has the terminal meanwhile. */
  readonly editText: (text: string) => Promise<EditedText>;
  /** What is at a path; null where nothing is. */
  readonly fileAt: (path: string) => FileFacts | null;
  readonly screen: ScreenKind;
  /** Copies a text to where it can be read back from, if there is such a place. */
  readonly copyText: CopyText;
  /** Whether nobody can see the terminal; null where nothing can tell. */
  readonly isHidden: (() => Promise<boolean>) | null;
  readonly openSession: (listener: (event: SessionEvent) => void) => WireSession;
};
