import { findSandbox, type Sandbox } from "../src/act/sandbox/bubblewrap.ts";

const found: { sandbox: Promise<Sandbox | null> | null } = { sandbox: null };

/**
 * Finds the sandbox of this process, which is the same for each agent in it: to try it takes several
 * programs.
 */
export function findSandboxOnce(): Promise<Sandbox | null> {
  found.sandbox ??= findSandbox().catch((fault: unknown) => {
    found.sandbox = null;
    throw fault;
  });
  return found.sandbox;
}
