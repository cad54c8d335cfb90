import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isJsonArray } from "../../text/json.ts";
import { sendFilter, sendVariables } from "../sandbox/bubblewrap.ts";
import { cleanText } from "./clean-text.ts";
import { IncomingMessages } from "./incoming-messages.ts";
import { longestMessage } from "./message-limits.ts";
import { ServerFailure } from "./server-failure.ts";

/** How a server is started: the command line of the sandbox with that of the server, the sandbox's filter of system calls, and the server's variables. */
export type ServerProcess = {
  readonly argv: readonly string[];
  readonly filter: Uint8Array | null;
  readonly variables: ReadonlyMap<string, string>;
};

/** The most bytes between two requests. A server that sends more is ended. */
export const mostBytes = 16_777_216;
/** Characters of its standard error that are kept, to say why it ended. */
const keptErrors = 2000;

/**
 * The connection to a server in the sandbox: a line of JSON for each message. Other lines are ignored. A server that writes too much is ended.
 * `pid` and `stderr` are those of the library's own transport for processes: by them the library knows that a silent server is still there.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #server: ServerProcess;
  readonly #decoder = new StringDecoder("utf8");
  readonly #incoming = new IncomingMessages();
  #child: ChildProcess | null = null;
  #line = "";
  #bytes = 0;
  #errors = "";
  #ended: string | null = null;

  constructor(server: ServerProcess) {
    this.#server = server;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The library only looks whether it exists. */
  get stderr(): null {
    return null;
  }

  /** Why the server ended, in words; null while it runs. */
  get ended(): string | null {
    return this.#ended;
  }

  async start(): Promise<void> {
    const [program = "", ...args] = this.#server.argv;
    const { filter, variables } = this.#server;
    const child = spawn(program, args, {
      stdio: ["pipe", "pipe", "pipe", filter === null ? "ignore" : "pipe", "ignore", "pipe"],
      env: {},
      detached: true,
    });
    this.#child = child;
    sendFilter(child, filter);
    sendVariables(child, variables);
    child.stdin?.on("error", (error) => this.onerror?.(error));
    child.stdout?.on("data", (piece: Buffer) => this.#read(piece));
    child.stderr?.on("data", (piece: Buffer) => this.#keepErrors(piece));
    child.on("close", (code, signal) => this.#close(describeEnd(code ?? signal, this.#errors)));
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (this.#ended !== null || stdin === null || stdin === undefined || !stdin.writable)
      throw new Error(this.#ended ?? "the server is not running");
    // A new request is a new allowance.
    this.#bytes = 0;
    this.#incoming.noteSent(message);
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#end("it was ended");
  }

  #read(piece: Buffer): void {
    if (this.#ended !== null || !this.#allow(piece.length)) return;
    const lines = (this.#line + this.#decoder.write(piece)).split("\n");
    this.#line = lines.pop() ?? "";
    if (this.#line.length > longestMessage) {
      this.#end(`it sent a message of more than ${longestMessage} bytes`);
      return;
    }
    for (const line of lines) this.#take(line);
  }

  #allow(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes <= mostBytes) return true;
    this.#end(`it sent more than ${mostBytes} bytes`);
    return false;
  }

  /** Only a line that begins as JSON is a message: servers print words of their own. */
  #take(line: string): void {
    if (this.#ended !== null || !/^\s*[[{]/.test(line)) return;
    try {
      const said = this.#incoming.read(line);
      for (const message of isJsonArray(said) ? said : [said])
        if (message !== null) this.onmessage?.(message as unknown as JSONRPCMessage);
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      this.#end(error.message);
    }
  }

  #keepErrors(piece: Buffer): void {
    if (!this.#allow(piece.length)) return;
    this.#errors = (this.#errors + piece.toString("latin1")).slice(-keptErrors);
  }

  #end(why: string): void {
    this.#close(why);
    const child = this.#child;
    if (child?.pid === undefined) return;
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    killGroup(child.pid);
  }

  #close(why: string): void {
    if (this.#ended !== null) return;
    this.#ended = why;
    this.onclose?.();
  }
}

function describeEnd(how: number | string | null, errors: string): string {
  const said = cleanText(errors.slice(-500), 300);
  return `it ended (${how === null ? "unknown" : how})${said === "" ? "" : `, and said: ${said}`}`;
}

/** Ends the sandbox, and with it all that runs in it. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (fault) {
    if (!(fault instanceof Error && "code" in fault && fault.code === "ESRCH")) throw fault;
  }
}
