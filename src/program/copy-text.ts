import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../text/describe-error.ts";
import type { Copied, CopyText } from "../tui/screen/copied.ts";
import type { RunBriefly } from "./run-briefly.ts";

/** Characters of a text that terminals take through OSC 52: xterm reads about 100,000 of base64. */
const longestSent = 74_000;

type Program = readonly [name: string, ...args: string[]];
type Clipboard = { readonly place: string; readonly write: Program; readonly read: Program };

/** What copying needs. */
export type CopyParts = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly stateFolder: string;
  readonly run: RunBriefly;
};

/**
 * Copies texts, and says that one was copied only where it was read back: from tmux's buffer, or from the clipboard of this desktop. On a
 * connection by ssh the desktop is elsewhere, so only the terminal can take it. What no terminal would take is written to a file.
 */
export function makeCopyText(parts: CopyParts): CopyText {
  return async (text) => {
    for (const clipboard of clipboardsOf(parts))
      if (await isTaken(text, clipboard, parts.run)) return { kind: "verified", place: clipboard.place };
    const { environment } = parts;
    // Inside tmux, what programs send to the clipboard is dropped by default.
    const isDeaf = isSet(environment, "TMUX") || environment["TERM"] === "linux";
    return isDeaf || text.length > longestSent ? keepInFile(text, parts) : { kind: "terminal" };
  };
}

function clipboardsOf({ environment, platform }: CopyParts): readonly Clipboard[] {
  if (isSet(environment, "TMUX")) return [tmux];
  if (["SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT"].some((name) => isSet(environment, name))) return [];
  return [
    ...(platform === "darwin" ? [pasteboard] : []),
    ...(isSet(environment, "WAYLAND_DISPLAY") ? [wayland] : []),
    ...(isSet(environment, "DISPLAY") ? [xclip, xsel] : []),
  ];
}

/** With `-w`, tmux sends it on to the terminal that shows it. */
const tmux: Clipboard = {
  place: "tmux's buffer, and sent on to its terminal",
  write: ["tmux", "load-buffer", "-w", "-"],
  read: ["tmux", "show-buffer"],
};
const pasteboard: Clipboard = { place: "the clipboard", write: ["pbcopy"], read: ["pbpaste"] };
const wayland: Clipboard = {
  place: "the clipboard",
  write: ["wl-copy", "--type", "text/plain;charset=utf-8"],
  read: ["wl-paste", "--no-newline"],
};
const xclip: Clipboard = {
  place: "the clipboard",
  write: ["xclip", "-selection", "clipboard", "-in"],
  read: ["xclip", "-selection", "clipboard", "-out"],
};
const xsel: Clipboard = {
  place: "the clipboard",
  write: ["xsel", "--clipboard", "--input"],
  read: ["xsel", "--clipboard", "--output"],
};

async function isTaken(text: string, { write, read }: Clipboard, run: RunBriefly): Promise<boolean> {
  const { code } = await run(write, { input: text });
  if (code !== 0) return false;
  return (await run(read, { reads: true })).out === text;
}

function keepInFile(text: string, { stateFolder, environment }: CopyParts): Copied {
  const path = join(stateFolder, "copied.txt");
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    return { kind: "failed", reason: describeError(error) };
  }
  const home = environment["HOME"] ?? "";
  const isBelow = home !== "" && path.startsWith(`${home}/`);
  return { kind: "file", path: isBelow ? `~${path.slice(home.length)}` : path };
}

function isSet(environment: CopyParts["environment"], name: string): boolean {
  return (environment[name] ?? "") !== "";
}
