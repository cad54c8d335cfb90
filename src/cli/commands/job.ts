import type { JobScreen } from "../../tui/tui.ts";

/** Milliseconds after which a process that asked to be stopped goes on: at once, where no shell can stop it. */
const resumeDelay = 50;

/**
 * The process as a job of a shell: it gives the terminal back before it stops, whoever stops it, and takes it again when it goes on. What nobody can
 * catch (SIGSTOP) is made good when it goes on. `isAway`: another program has the terminal, and the screen is hidden already.
 */
export function openJob(
  screen: JobScreen,
  isAway: () => boolean,
): { readonly suspend: () => void; readonly close: () => void } {
  const hidden = { is: false };
  let timer: NodeJS.Timeout | undefined;
  const hide = (): void => {
    if (hidden.is || isAway()) return;
    hidden.is = true;
    screen.hide();
  };
  const suspend = (): void => {
    hide();
    process.off("SIGTSTP", suspend);
    process.kill(process.pid, "SIGTSTP");
    timer = setTimeout(goOn, resumeDelay);
  };
  const goOn = (): void => {
    clearTimeout(timer);
    process.off("SIGTSTP", suspend).on("SIGTSTP", suspend);
    hide();
    if (!hidden.is) return;
    hidden.is = false;
    screen.show();
  };
  process.on("SIGTSTP", suspend).on("SIGCONT", goOn);
  return {
    suspend,
    close() {
      clearTimeout(timer);
      process.off("SIGTSTP", suspend).off("SIGCONT", goOn);
    },
  };
}
