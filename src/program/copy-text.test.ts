import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { isMissing } from "../../test/agent-world.ts";
import { makeCopyText } from "./copy-text.ts";
import { makeRunBriefly } from "./run-briefly.ts";

const text = "Water the roses.\n  ünïcode 🌹 'quoted' \\n\n";

/** A desktop whose programs are shell scripts: `taken` is what they keep, `called` that one ran. */
function desktop(t: TestContext, scripts: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "copy-text-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(folder, name), `#!/bin/sh\necho ran >> "${folder}/called"\n${script}\n`, {
      mode: 0o755,
    });
  const path = `${folder}${delimiter}/usr/bin${delimiter}/bin`;
  return {
    folder,
    wasCalled: () => existsSync(join(folder, "called")),
    copy: (
      environment: Readonly<Record<string, string>>,
      given = text,
      platform: NodeJS.Platform = "linux",
    ) => {
      const all = { PATH: path, HOME: folder, TERM: "xterm-256color", ...environment };
      const run = makeRunBriefly(all, path);
      return makeCopyText({ environment: all, platform, stateFolder: folder, run })(given);
    },
  };
}

const keeps = (place: string): string =>
  `case "$*" in *out*|*no-newline*) cat ${place};; *) cat > ${place};; esac`;

test("a text is copied where a program of the desktop gives it back", async (t) => {
  for (const [name, environment, read, platform] of [
    ["xclip", { DISPLAY: ":7" }, "xclip", "linux"],
    ["xsel", { DISPLAY: ":7" }, "xsel", "linux"],
    ["wl-copy", { WAYLAND_DISPLAY: "wayland-7" }, "wl-paste", "linux"],
    ["pbcopy", {}, "pbpaste", "darwin"],
  ] as const) {
    const writes = name === "pbcopy" || name === "wl-copy" ? 'cat > "$HOME/taken"' : keeps('"$HOME/taken"');
    const { copy, folder } = desktop(t, {
      [name]: writes,
      ...(read === name ? {} : { [read]: 'cat "$HOME/taken"' }),
    });
    assert.deepEqual(
      await copy(environment, text, platform),
      { kind: "verified", place: "the clipboard" },
      name,
    );
    assert.equal(readFileSync(join(folder, "taken"), "utf8"), text);
  }
});

test("a clipboard that goes on in the background is not waited for, and holds nothing open", async (t) => {
  const { copy, folder } = desktop(t, {
    xclip: `case "$*" in *out*) cat "$HOME/taken";; *) cat > "$HOME/taken"; sleep 600 & echo $! > "$HOME/pid" ;; esac`,
  });
  assert.deepEqual(await copy({ DISPLAY: ":7" }), { kind: "verified", place: "the clipboard" });
  const background = Number(readFileSync(join(folder, "pid"), "utf8"));
  // It would have been waited for until now.
  assert.ok(process.kill(background, "SIGKILL"));
});

test("a program that fails, keeps something else or is missing copies nothing: the terminal gets the text", async (t) => {
  const broken = { xclip: "exit 1", xsel: `case "$*" in *output*) echo other;; *) cat > /dev/null;; esac` };
  for (const scripts of [broken, { xclip: "exec 0<&-; exit 0" }, {}])
    assert.deepEqual(await desktop(t, scripts).copy({ DISPLAY: ":7" }), { kind: "terminal" });
});

test("over ssh no program of that machine is asked, whatever its desktop is: the terminal gets the text", async (t) => {
  for (const name of ["SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT"]) {
    const { copy, wasCalled } = desktop(t, {
      xclip: keeps('"$HOME/taken"'),
      "wl-copy": "cat >/dev/null",
      pbcopy: "cat >/dev/null",
    });
    const environment = { DISPLAY: ":7", WAYLAND_DISPLAY: "wayland-7", [name]: "10.0.0.1 22" };
    assert.deepEqual(await copy(environment, text, "darwin"), { kind: "terminal" }, name);
    assert.equal(wasCalled(), false, name);
  }
});

test("what no terminal takes is in a file that only the owner reads", async (t) => {
  const { copy, folder } = desktop(t, {});
  for (const [environment, given] of [
    [{ TERM: "linux" }, text],
    [{}, "x".repeat(100_000)],
    [{ TMUX: "/nowhere,1,0", TMUX_PANE: "%1" }, text],
  ] as const) {
    assert.deepEqual(await copy(environment, given), { kind: "file", path: "~/copied.txt" });
    assert.equal(readFileSync(join(folder, "copied.txt"), "utf8"), given);
    assert.equal(statSync(join(folder, "copied.txt")).mode & 0o777, 0o600);
    rmSync(join(folder, "copied.txt"));
  }
  rmSync(folder, { recursive: true });
  assert.equal((await copy({ TERM: "linux" })).kind, "failed");
});

test("inside tmux its buffer holds the text, byte for byte, and no program of the desktop is asked", async (t) => {
  if (isMissing(t, "tmux", "tmux")) return;
  const { copy, folder, wasCalled } = desktop(t, { xclip: keeps('"$HOME/taken"') });
  const socket = join(folder, "s");
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  tmux("new-session", "-d", "sleep 60");
  try {
    const server = `${socket},${tmux("display-message", "-p", "#{pid}").trim()},0`;
    const inside = { TMUX: server, DISPLAY: ":7", SSH_TTY: "/dev/pts/9" };
    for (const given of [text, "x".repeat(1_000_000), "\u001b[31mred\u0007"]) {
      assert.equal((await copy(inside, given)).kind, "verified");
      assert.equal(tmux("show-buffer"), given);
    }
    assert.equal(wasCalled(), false);
  } finally {
    tmux("kill-server");
  }
});
