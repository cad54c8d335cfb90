import { parentPort, workerData } from "node:worker_threads";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";

// Runs in its own thread: evaluates one piece of code, then is ended from outside.
// It reports that it is ready, waits for a message and replies once:
// with {ok: true, json, logs} or {ok: false, name, message, logs}.

type Job = {
  readonly code: string;
  readonly milliseconds: number;
  readonly memoryBytes: number;
  readonly maxCharacters: number;
};

const prelude = `(() => {
  const { stringify } = JSON, text = String, { call } = Function.prototype;
  const cut = call.bind(text.prototype.slice), list = call.bind(Array.prototype.map), glue = call.bind(Array.prototype.join);
  const render = (value, most) => {
    let json;
    try { json = stringify(value); } catch (error) { json = undefined; }
    try { json ??= stringify(value === undefined ? null : text(value)); } catch { json = '"[object that has no text]"'; }
    return cut(json, 0, most);
  };
  const show = (value, most) => typeof value === "string" ? cut(value, 0, most) : render(value, most);
  const line = (values, most) => cut(glue(list(values, (value) => show(value, most)), " "), 0, most);
  const isText = (value) => typeof value !== "object" && typeof value !== "function" && value !== undefined;
  const start = (value, most) => isText(value) ? cut(text(value), 0, most) : "";
  return { render, line, start };
})()`;

const job = jobOf(workerData);
/** The part of WebAssembly's own interface that is used here; the types of Node do not have it. */
declare const WebAssembly: {
  readonly Memory: new (pages: {
    readonly initial: number;
    readonly maximum: number;
  }) => { readonly buffer: ArrayBuffer };
  readonly RuntimeError: new () => Error;
};

/** The pages of 64 kB that the module itself needs at least. */
const leastPages = 256;
// QuickJS does not count the buffers of typed arrays. This memory holds all that it allocates, and cannot grow beyond the limit.
const wasmMemory = new WebAssembly.Memory({
  initial: leastPages,
  maximum: Math.max(leastPages, Math.floor(job.memoryBytes / 65_536)),
});
// Its types describe the CommonJS build, whose default export lies a level deeper.
const imported: QuickJSSyncVariant | { readonly default: QuickJSSyncVariant } = (
  await import("@jitl/quickjs-wasmfile-release-sync")
).default;
const variant = "default" in imported ? imported.default : imported;
const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
const runtime = quickjs.newRuntime();
runtime.setMemoryLimit(job.memoryBytes);
runtime.setMaxStackSize(512 * 1024);
const context = runtime.newContext();
const logs: string[] = [];
parentPort?.once("message", () => {
  const deadline = performance.now() + job.milliseconds;
  runtime.setInterruptHandler(() => performance.now() > deadline);
  const reply = evaluateSafely(context);
  const late = !reply.ok && performance.now() > deadline;
  parentPort?.postMessage({
    ...reply,
    ...(late ? { name: "InternalError", message: "interrupted" } : {}),
    logs,
  });
});
parentPort?.postMessage("ready");

/** QuickJS can crash where its memory ends. */
const outOfMemory = { ok: false, name: "InternalError", message: "out of memory" };

function evaluateSafely(vm: QuickJSContext) {
  try {
    return evaluate(vm);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return outOfMemory;
    return {
      ok: false,
      name: "JailError",
      message: error instanceof Error ? error.message.slice(0, 2000) : "unknown",
    };
  }
}

function evaluate(vm: QuickJSContext) {
  const tools = vm.unwrapResult(vm.evalCode(prelude, "prelude.js", { type: "global" }));
  const most = vm.newNumber(job.maxCharacters + 1);
  const failed = (error: QuickJSHandle) => describeThrown(vm, error, vm.getProp(tools, "start"));
  giveConsole(vm, vm.getProp(tools, "line"), most);
  const evaluated = vm.evalCode(job.code, "eval.js", { type: "global" });
  if (evaluated.error !== undefined) return failed(evaluated.error);
  const jobs = runtime.executePendingJobs();
  if (jobs.error !== undefined) return failed(jobs.error);
  const state = vm.getPromiseState(evaluated.value);
  if (state.type === "pending")
    return {
      ok: false,
      name: "Error",
      message: "the promise never settles: the jail has no timers and no input",
    };
  if (state.type === "rejected") return failed(state.error);
  const rendered = vm.callFunction(vm.getProp(tools, "render"), vm.undefined, state.value, most);
  return rendered.error === undefined
    ? { ok: true, json: vm.getString(rendered.value) }
    : failed(rendered.error);
}

function giveConsole(vm: QuickJSContext, line: QuickJSHandle, most: QuickJSHandle): void {
  let room = job.maxCharacters;
  const log = vm.newFunction("log", (...values) => {
    if (room <= 0) return;
    const list = vm.newArray();
    for (const [index, value] of values.entries()) vm.setProp(list, index, value);
    const shown = vm.callFunction(line, vm.undefined, list, most);
    list.dispose();
    if (shown.error !== undefined) return { error: shown.error };
    const text = vm.getString(shown.value).slice(0, room);
    shown.value.dispose();
    room -= text.length + 1;
    logs.push(text);
    if (room <= 0) logs.push("[cut: too much output]");
    return;
  });
  const console = vm.newObject();
  for (const name of ["log", "info", "warn", "error", "debug"]) vm.setProp(console, name, log);
  vm.setProp(vm.global, "console", console);
}

const mostErrorText = 2000;

/** Describes what was thrown. `start` cuts a string inside the jail, since a whole one would be copied into this process's memory. */
function describeThrown(vm: QuickJSContext, error: QuickJSHandle, start: QuickJSHandle) {
  if (vm.eq(error, vm.null))
    return { ok: false, name: "Thrown", message: "null; this also happens when memory runs out" };
  const startOf = (value: QuickJSHandle): string => {
    const cut = vm.callFunction(start, vm.undefined, value, vm.newNumber(mostErrorText));
    return cut.error === undefined ? vm.getString(cut.value) : "";
  };
  const type = vm.typeof(error);
  if (type !== "object") return { ok: false, name: "Thrown", message: startOf(error) || type };
  return {
    ok: false,
    name: startOf(vm.getProp(error, "name")),
    message: startOf(vm.getProp(error, "message")),
  };
}

function jobOf(given: unknown): Job {
  const fault = new TypeError("The jail was started without a job.");
  if (typeof given !== "object" || given === null) throw fault;
  if (!("code" in given && "milliseconds" in given && "memoryBytes" in given && "maxCharacters" in given))
    throw fault;
  const { code, milliseconds, memoryBytes, maxCharacters } = given;
  if (typeof code !== "string" || typeof milliseconds !== "number") throw fault;
  if (typeof memoryBytes !== "number" || typeof maxCharacters !== "number") throw fault;
  return { code, milliseconds, memoryBytes, maxCharacters };
}
