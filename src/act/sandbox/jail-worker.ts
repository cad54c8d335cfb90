import { stripTypeScriptTypes } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import imported from "@jitl/quickjs-wasmfile-release-sync/emscripten-module";
import { QuickJSFFI } from "@jitl/quickjs-wasmfile-release-sync/ffi";
import { type QuickJSContext, type QuickJSHandle, QuickJSWASMModule } from "quickjs-emscripten-core";
import type { JailReply, JailWork, WorkLimits } from "../../signal/jail-work.ts";
import { prelude } from "./jail-prelude.ts";

// The one jail: a thread with one module, one memory and one context. It reports that it is ready, then answers requests in their order.
// It is ended from outside, where it does not answer in time and after an error that can leave the module broken.

/** The part of WebAssembly's own interface that is used here; the types of Node do not have it. */
declare const WebAssembly: {
  readonly Memory: new (pages: {
    readonly initial: number;
    readonly maximum: number;
  }) => { readonly buffer: ArrayBuffer };
  readonly Module: new () => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
  readonly RuntimeError: new () => Error;
};

/** The pages of 64 kB that the module itself needs at least. */
const leastPages = 256;
const { memoryBytes, interpreter } = readStart(workerData);
// QuickJS does not count the buffers of typed arrays. This memory holds all that it allocates, and cannot grow beyond the limit.
const wasmMemory = new WebAssembly.Memory({
  initial: leastPages,
  maximum: Math.max(leastPages, Math.floor(memoryBytes / 65_536)),
});
// Put together here, not by the package's own loader, which would import each part as a file of its own.
// The types of its glue describe the CommonJS build, whose default export lies a level deeper.
const loadGlue = typeof imported === "function" ? imported : imported.default;
const instantiateWasm = (imports: object, take: (instance: { readonly exports: object }) => void): object => {
  const instance = new WebAssembly.Instance(interpreter, imports);
  take(instance);
  return instance.exports;
};
const glue = Object.assign(await loadGlue({ wasmMemory, instantiateWasm }), { type: "sync" as const });
const quickjs = new QuickJSWASMModule(glue, new QuickJSFFI(glue));
const runtime = quickjs.newRuntime();
runtime.setMemoryLimit(memoryBytes);
runtime.setMaxStackSize(512 * 1024);
const vm = runtime.newContext();
const made = vm.unwrapResult(vm.evalCode(prelude, "prelude.js", { type: "global" }));
// Taken before other code can replace them.
const tools = {
  render: vm.getProp(made, "render"),
  encode: vm.getProp(made, "encode"),
  describe: vm.getProp(made, "describe"),
  invoke: vm.getProp(made, "invoke"),
  drive: vm.getProp(made, "drive"),
  harden: vm.getProp(made, "harden"),
  line: vm.getProp(made, "line"),
  start: vm.getProp(made, "start"),
  assert: vm.getProp(made, "assert"),
  equal: vm.getProp(made, "equal"),
};
const renderers = { evaluate: tools.render, load: tools.describe, call: tools.encode, test: tools.encode };
type Evaluation = Exclude<JailWork, { readonly kind: "strip" }>;
/** What the requests share: the output of the present one, the exports of the module that was loaded, and whether an error can have left the interpreter in any condition. */
const shared: { logs: string[]; room: number; exported: QuickJSHandle; broken: boolean } = {
  logs: [],
  room: 0,
  exported: vm.undefined,
  broken: false,
};
/** The handles of the present request. They are released after it, unless the interpreter is broken. */
const used: QuickJSHandle[] = [];
giveConsole();
vm.unwrapResult(vm.callFunction(vm.getProp(made, "survey"), vm.undefined)).dispose();

parentPort?.on("message", ({ work, limits }: { readonly work: JailWork; readonly limits: WorkLimits }) => {
  const deadline = performance.now() + limits.milliseconds;
  let interrupts = 0;
  const isOver = (): boolean =>
    limits.interrupts === undefined ? performance.now() > deadline : interrupts > limits.interrupts;
  runtime.setInterruptHandler(() => {
    interrupts++;
    return isOver();
  });
  shared.logs = [];
  shared.room = limits.maxCharacters;
  const reply = runSafely(work, limits);
  const late = !reply.ok && isOver();
  parentPort?.postMessage({
    reply: late ? { ...reply, code: "time-limit" } : reply,
    broken: late || shared.broken,
  });
});
parentPort?.postMessage({ reply: { ok: true, json: "null", logs: [] }, broken: false });

function runSafely(work: JailWork, limits: WorkLimits): JailReply {
  try {
    if (work.kind === "strip") return strip(work.code, work.file);
    const reply = run(work, hold(vm.newNumber(limits.maxCharacters + 1)));
    if (!shared.broken) for (const handle of used.splice(0)) handle.dispose();
    return reply;
  } catch (error) {
    shared.broken = true;
    // QuickJS can crash where its memory ends.
    if (error instanceof WebAssembly.RuntimeError) return failed("memory-limit", "out of memory");
    return failed("jail-failed", error instanceof Error ? error.message.slice(0, 2000) : "unknown");
  }
}

function strip(code: string, file: string): JailReply {
  try {
    return { ok: true, json: JSON.stringify(stripTypeScriptTypes(code)), logs: [] };
  } catch (error) {
    shared.broken = true;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!(error instanceof Error) || !/^ERR_(?:INVALID|UNSUPPORTED)_TYPESCRIPT_SYNTAX$/.test(code))
      return failed("thrown", `it cannot be parsed (${file})`);
    const line = /^:(\d+)\n/.exec(error.stack ?? "")?.[1];
    return failed("thrown", `${error.message} (${file}${line === undefined ? "" : `:${line}`})`);
  }
}

function hold(handle: QuickJSHandle): QuickJSHandle {
  used.push(handle);
  return handle;
}

function run(work: Evaluation, most: QuickJSHandle): JailReply {
  const result = begin(work);
  // Also after an error: what it left to be done takes none of a later request's time.
  const jobs = runtime.executePendingJobs();
  if (result.error !== undefined) return describeThrown(hold(result.error));
  const given = hold(result.value);
  if (jobs.error !== undefined) return describeThrown(hold(jobs.error));
  const state = vm.getPromiseState(given);
  if (state.type === "pending")
    return failed("thrown", "Error: the promise never settles: the jail has no timers and no input");
  if (state.type === "rejected") return describeThrown(hold(state.error));
  const value = state.notAPromise === true ? given : hold(state.value);
  if (work.kind === "load") shared.exported = value.dup();
  const renderer = renderers[work.kind];
  const rendered = vm.callFunction(renderer, vm.undefined, value, most);
  if (rendered.error !== undefined) return describeThrown(hold(rendered.error));
  return { ok: true, json: vm.getString(hold(rendered.value)), logs: shared.logs };
}

function begin(work: Evaluation): ReturnType<QuickJSContext["evalCode"]> {
  switch (work.kind) {
    case "evaluate":
      return vm.evalCode(work.code, "eval.js", { type: "global" });
    case "load": {
      // No part of a skill changes what another part relies on, such as a gate.
      const hardened = vm.callFunction(tools.harden, vm.undefined);
      if (hardened.error !== undefined) return hardened;
      hold(hardened.value);
      return vm.evalCode(work.code, work.file, { type: "module" });
    }
    case "call": {
      const [path, values] = [hold(vm.newString(JSON.stringify(work.path))), hold(vm.newString(work.values))];
      if (work.replies === undefined)
        return vm.callFunction(tools.invoke, vm.undefined, shared.exported, path, values);
      const replies = hold(vm.newString(work.replies));
      return vm.callFunction(tools.drive, vm.undefined, shared.exported, path, values, replies);
    }
    case "test": {
      const code = `(async (skill, assert, equal) => {${work.code}\n})`;
      const made = vm.evalCode(code, work.file, { type: "global" });
      if (made.error !== undefined) return made;
      const { assert, equal } = tools;
      return vm.callFunction(hold(made.value), vm.undefined, shared.exported, assert, equal);
    }
    default:
      return work satisfies never;
  }
}

function giveConsole(): void {
  const log = vm.newFunction("log", (...values) => {
    if (shared.room <= 0) return;
    const list = vm.newArray();
    for (const [index, value] of values.entries()) vm.setProp(list, index, value);
    const shown = vm
      .newNumber(shared.room)
      .consume((most) => vm.callFunction(tools.line, vm.undefined, list, most));
    list.dispose();
    if (shown.error !== undefined) return { error: shown.error };
    const text = vm.getString(shown.value).slice(0, shared.room);
    shown.value.dispose();
    shared.room -= text.length + 1;
    shared.logs.push(text);
    if (shared.room <= 0) shared.logs.push("[cut: too much output]");
    return;
  });
  const console = vm.newObject();
  for (const name of ["log", "info", "warn", "error", "debug"]) vm.setProp(console, name, log);
  vm.setProp(vm.global, "console", console);
}

const mostErrorText = 2000;

/** Describes what was thrown. It is cut inside the jail, since a whole string would be copied into this process's memory. */
function describeThrown(error: QuickJSHandle): JailReply {
  const textBy = (tool: QuickJSHandle, value: QuickJSHandle): string => {
    const most = hold(vm.newNumber(mostErrorText));
    const cut = vm.callFunction(tool, vm.undefined, hold(value), most);
    const text = hold(cut.error ?? cut.value);
    return cut.error === undefined ? vm.getString(text) : "";
  };
  const startOf = (value: QuickJSHandle): string => textBy(tools.start, value);
  const type: string = vm.typeof(error);
  const shown = type === "object" ? "" : startOf(error.dup());
  // Where memory is left for no error, null is thrown, or a value without a type.
  if (vm.eq(error, vm.null) || (type !== "string" && shown === "[unsupported type]")) {
    shared.broken = true;
    return failed("thrown", "Thrown: null; this also happens when memory runs out");
  }
  if (type !== "object") return failed("thrown", `Thrown: ${shown || type}`);
  const name = startOf(vm.getProp(error, "name"));
  const message = startOf(vm.getProp(error, "message"));
  if (name === "" && message === "") return failed("thrown", `Thrown: ${textBy(tools.render, error.dup())}`);
  if (name !== "InternalError")
    return failed("thrown", `${name}: ${message}${placeIn(startOf(vm.getProp(error, "stack")))}`);
  shared.broken = true;
  if (message === "interrupted") return failed("time-limit", message);
  if (message === "out of memory") return failed("memory-limit", message);
  return failed("thrown", `${name}: ${message}`);
}

/** The first place of a stack that lies in a file, with its line. */
function placeIn(stack: string): string {
  const [, place] = /(\S+\.org:\d+)/.exec(stack.replaceAll("(", " ")) ?? [];
  return place === undefined ? "" : ` (${place})`;
}

function failed(code: (JailReply & { readonly ok: false })["code"], message: string): JailReply {
  return { ok: false, code, message, logs: shared.logs };
}

function readStart(given: unknown): { readonly memoryBytes: number; readonly interpreter: object } {
  if (typeof given === "object" && given !== null && "memoryBytes" in given && "interpreter" in given) {
    const { memoryBytes: bytes, interpreter: module } = given;
    if (typeof bytes === "number" && module instanceof WebAssembly.Module)
      return { memoryBytes: bytes, interpreter: module };
  }
  throw new TypeError("The jail was started without a memory limit or an interpreter.");
}
