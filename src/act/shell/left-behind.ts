import type { ProcessSpec } from "./streams.ts";

/** Where the words of `tellingLeft` say that programs were left. */
export const leftDescriptor = 6;

/**
 * Runs a program in a sandbox and then looks at what else runs there, a tenth of a second long: what ends by
 * itself in that time was not left. The shell catches signals to its group, so that they do not end the look;
 * the program has its usual handling of them, which only ignored signals would change. What the shell would
 * say of a signal goes nowhere.
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
[ -z "$left" ] || echo left >&6
exit "$code"`;

/**
 * The descriptors of a program from 4 on: which process is the first, nothing, and whether others were left.
 */
export function furtherPipes({ informs, left }: ProcessSpec): readonly ("pipe" | "ignore")[] {
  const first = informs ? "pipe" : "ignore";
  if (left === "told") return [first, "ignore", "pipe"];
  return informs ? [first] : [];
}

/** The words that run a program as the first of a sandbox, and say whether it left others behind. */
export function tellingLeft(words: readonly string[]): readonly string[] {
  return ["/bin/sh", "-c", script, "sh", ...words];
}

/** What is said of programs that were left, to the person and to the model. */
export const endedWithCommand =
  "What the command left running in the background was ended with it: nothing of it runs on. The tool terminal keeps a program running.";
