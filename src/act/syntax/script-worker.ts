import { stripTypeScriptTypes } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

// Parses texts as TypeScript in its own thread, which is ended from outside, and reports the problem of each.

const texts: readonly unknown[] = Array.isArray(workerData) ? workerData : [];
parentPort?.postMessage(texts.map((text) => problemOf(String(text))));

function problemOf(text: string): string | null {
  try {
    stripTypeScriptTypes(text);
    return null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    // TypeScript that Node does not run, such as an enum, is TypeScript.
    if (code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") return null;
    if (!(error instanceof Error) || code !== "ERR_INVALID_TYPESCRIPT_SYNTAX") return "unknown";
    const line = /^:(\d+)\n/.exec(error.stack ?? "")?.[1];
    return line === undefined ? "it is no TypeScript" : `it is no TypeScript at line ${line}`;
  }
}
