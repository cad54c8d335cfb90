import type { ChildProcess } from "node:child_process";
import { Readable } from "node:stream";
import { textOfName } from "../files/byte-names.ts";
import { sandboxFolders } from "../sandbox/bubblewrap.ts";
import type { LeftFile } from "../trial/taken-out.ts";
import type { ProcessSpec } from "./streams.ts";

/** Where the words of `tellingLeft` say what was left. */
const leftDescriptor = 6;

/** What a command left: whether programs, and which files. */
type Left = { readonly programs: boolean; readonly files: readonly LeftFile[] };

/**
 * Runs a program in a sandbox and then looks at what else runs there, a tenth of a second long: what ends by
 * itself in that time was not left. The shell catches signals to its group, so that they do not end the look;
 * the program has its usual handling of them, which only ignored signals would change. What the shell would
 * say of a signal goes nowhere. What is left in the folders of the sandbox itself, which lie in memory, is
 * told as well, behind the devices of these folders: a file of another device is bound into one of them.
 */
const script = `exec 8>&2 2>/dev/null
trap : HUP INT QUIT TERM USR1 USR2
known=
for process in /proc/[0-9]*; do known="$known $process "; done
(exec "$@" 2>&8 3>&- 4>&- 5>&- 6>&- 8>&-)
code=$?
for look in 1 2 3 4 5; do
left=
for process in /proc/[0-9]*; do
case $known in *" $process "*) continue ;; esac
status=
read -r status < "$process/stat"
case \${status##*) } in [ZX]* | "") ;; *) left=yes ;; esac
done
[ -n "$left" ] || break
/bin/sleep 0.02
done
[ -z "$left" ] || printf 'left\\0' >&6
/usr/bin/find ${sandboxFolders.join(" ")} -xdev \\( ${sandboxFolders.map((folder) => `-path ${folder}`).join(" -o ")} \\) -printf '%D\\0' -o \\
-fstype tmpfs -type f -size +0c -printf '%D %s %T@ %C@ %A@ %p\\0' >&6
exit "$code"`;

/**
 * The descriptors of a program from 4 on: which process is the first, nothing, and whether others were left.
 */
export function furtherPipes({ informs, left }: ProcessSpec): readonly ("pipe" | "ignore")[] {
  const first = informs ? "pipe" : "ignore";
  if (left === "told") return [first, "ignore", "pipe"];
  return informs ? [first] : [];
}

/** Tells at the end of a process what the words of `tellingLeft` said. */
export function hearLeft(child: ChildProcess, tell: (left: Left) => void): void {
  const pipe = child.stdio.at(leftDescriptor);
  if (!(pipe instanceof Readable)) return;
  const heard: Buffer[] = [];
  pipe.on("data", (bytes: Buffer) => heard.push(bytes));
  child.once("close", () => {
    const said = Buffer.concat(heard).toString("latin1").split("\0");
    const devices = new Set(said);
    const files = said.flatMap((line) => {
      const [, device = "", size, seconds = "", changed, read, path] =
        /^(\d+) (\d+) (\S+) (\S+) (\S+) (.+)$/s.exec(line) ?? [];
      if (path === undefined || !devices.has(device)) return [];
      const times = { seconds, changed: Number(changed), read: Number(read) };
      return [{ size: Number(size), ...times, path: textOfName(Buffer.from(path, "latin1")) }];
    });
    tell({ programs: said.includes("left"), files });
  });
}

/** The words that run a program as the first of a sandbox, and say whether it left others behind. */
export function tellingLeft(words: readonly string[]): readonly string[] {
  return ["/bin/sh", "-c", script, "sh", ...words];
}

/** What is said of programs that were left, to the person and to the model. */
export const endedWithCommand =
  "What the command left running in the background was ended with it: nothing of it runs on. The tool terminal keeps a program running.";
