import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { programFolder } from "../update/own-build.ts";

/** Characters of what the agent said that are kept. */
const longest = 4_000;

/** The installed program; or, while an update replaces it, the build of this process, which stays. */
function programToStart(): readonly [node: string, main: string] {
  const [node = "", main = ""] = process.argv;
  if (existsSync(node) && existsSync(main)) return [node, main];
  return [process.execPath, join(programFolder(), "dist", "main.js")];
}

/** Starts an agent in a process of its own, which serves until nobody uses it. Resolves when it has ended: with what it said if it failed, else with nothing. */
export function startAgentProcess(onWords: (text: string) => void): Promise<string> {
  const [program, main] = programToStart();
  const child = spawn(program, [...process.execArgv, main, "daemon", "--while-used"], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-longest);
    onWords(text);
  });
  // Neither the agent nor what it says keeps this process.
  child.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once("error", reject);
  child.once("close", (code, signal) => {
    const isToldAlready = code === 0 || said.trim() !== "";
    const end = signal === null ? `ended with exit code ${code}` : `was ended from outside (${signal})`;
    resolve(isToldAlready ? "" : `The agent ${end}. Another one is started; what waited goes on with it.`);
  });
  return promise;
}
