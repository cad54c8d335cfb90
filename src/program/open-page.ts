import { spawn } from "node:child_process";
import { systemPath } from "../text/system-programs.ts";

/** Opens a page in the browser of the desktop, where there is one. What comes of it is not waited for: the address is printed as well. */
export function openPage(environment: Readonly<Record<string, string | undefined>>, page: URL): void {
  const { DISPLAY = "", WAYLAND_DISPLAY = "" } = environment;
  const isDesktop = process.platform === "darwin" || DISPLAY !== "" || WAYLAND_DISPLAY !== "";
  if (!isDesktop) return;
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [page.href], {
    env: { ...environment, PATH: systemPath },
    stdio: "ignore",
    detached: true,
  });
  // Without the program, the printed address is what there is.
  child.once("error", () => child.unref());
  child.unref();
}
