import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A real Emacs with unsaved changes in a buffer, which locks the file. */
export type OpenEmacs = AsyncDisposable & {
  readonly pid: number;
  /** Saves the buffer, which gives the lock up. */
  readonly save: () => Promise<void>;
  /** Reads the file anew, which gives the lock up and drops the changes. */
  readonly revert: () => Promise<void>;
};

const program = `(let ((create-lockfiles t))
  (find-file (getenv "NOTES_FILE"))
  (goto-char (point-max))
  (insert (getenv "NOTES_TEXT"))
  (message "changed")
  (while t
    (pcase (read-from-minibuffer "")
      ("save" (let ((save-silently t)) (save-buffer)))
      ("revert" (revert-buffer t t t)))
    (message "done")))`;

/** Opens a file in Emacs and inserts a text at its end; resolves when the file is locked. */
export async function openInEmacs(path: string, text: string): Promise<OpenEmacs> {
  const child = spawn("emacs", ["-Q", "--batch", "--eval", program], {
    env: { ...process.env, NOTES_FILE: path, NOTES_TEXT: text },
    stdio: ["pipe", "ignore", "pipe"],
  });
  const said = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  const until = async (word: string): Promise<void> => {
    for (;;) {
      const line = await said.next();
      if (line.done === true) throw new Error(`Emacs ended before it said "${word}"`);
      if (line.value.includes(word)) return;
    }
  };
  const tell = async (word: string): Promise<void> => {
    child.stdin.write(`${word}\n`);
    await until("done");
  };
  await until("changed");
  return {
    pid: child.pid ?? 0,
    save: () => tell("save"),
    revert: () => tell("revert"),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
