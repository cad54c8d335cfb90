import { loadOnce } from "../src/act/load-once.ts";
import { findSandbox } from "../src/act/sandbox/bubblewrap.ts";
import { keepInterpreter, locateJailWorker } from "../src/act/sandbox/jail.ts";

/**
 * What is the same for each agent of a process, found once: to try the sandbox takes several programs, and
 * compiling the interpreter of jails takes longer than to start a jail.
 */
export const sharedStart = {
  findSandbox: loadOnce(() => findSandbox()),
  interpreter: keepInterpreter(locateJailWorker()),
};
