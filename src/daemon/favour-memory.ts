import { flushCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";

/**
 * A daemon stays for weeks: once all is loaded, a little speed is given for memory. What was compiled until
 * now is kept for the next start as it is.
 */
export function favourMemory(): void {
  flushCompileCache();
  setFlagsFromString("--optimize-for-size");
}
