import type { RunBriefly } from "./run-briefly.ts";

/** What tmux says of a pane: clients of its session, clients whose screen shows its window, whether the window shows one pane alone, and whether that is it. */
const format = "#{session_attached} #{window_active_clients} #{window_zoomed_flag} #{pane_active}";

/**
 * Asks tmux whether nobody can see the pane that this program runs in. Focus does not tell: a pane beside the one in use has none, and is in
 * view. A session without clients counts as seen, since programs may look at its screen. Null outside of tmux.
 */
export function makeIsHidden(
  environment: Readonly<Record<string, string | undefined>>,
  run: RunBriefly,
): (() => Promise<boolean>) | null {
  const pane = environment["TMUX_PANE"] ?? "";
  if (pane === "" || (environment["TMUX"] ?? "") === "") return null;
  return async () => {
    const { code, out } = await run(["tmux", "display-message", "-p", "-t", pane, format], { reads: true });
    const [attached = 0, shown = 0, zoomed = 0, active = 0] = out.trim().split(" ").map(Number);
    return code === 0 && attached > 0 && (shown === 0 || (zoomed === 1 && active === 0));
  };
}
