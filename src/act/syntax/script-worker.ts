import { parentPort, workerData } from "node:worker_threads";
import { parseScript } from "./script-parser.ts";

// Parses texts as TypeScript in its own thread, which is ended from outside, and reports what the parser says of each.

const given: readonly unknown[] = Array.isArray(workerData) ? workerData : [];
const markup = given[0] === true;
parentPort?.postMessage(given.slice(1).map((text) => parseScript(String(text), { markup })));
