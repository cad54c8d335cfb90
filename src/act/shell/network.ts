import { credentialVariables, issueCredential } from "../egress/credential.ts";
import { type EgressConnection, notApproved } from "../egress/egress-proxy.ts";
import { describeHosts, formatHostPort, readHosts } from "../egress/host-port.ts";
import type { EgressPorts } from "../egress/open-egress.ts";
import { certificatePlaces, type Egress, egressVariables, openEgress } from "../egress/open-egress.ts";
import type { Bind } from "../sandbox/binds.ts";
import { type EndNote, noEndNote } from "./end-note.ts";
import type { PlannedCommand } from "./plan.ts";
import { maxHosts } from "./planned-network.ts";
import { networkUse } from "./programs/network-programs.ts";
import { startedProgram } from "./programs/unwrap-words.ts";

/** The ports of commands that need the network, with what keeps a record of each connection. */
export type NetworkPorts = EgressPorts & {
  readonly record: (where: CommandOrigin, connection: EgressConnection) => void;
};

/** The turn and session that a command belongs to. */
export type CommandOrigin = { readonly turn: string; readonly session: string };

/** The network of a command: what its view shows for it, its variables, and the words that run it. */
export type CommandNetwork = {
  readonly readable: readonly Bind[];
  readonly required: readonly Bind[];
  readonly variables: readonly (readonly [string, string])[];
  readonly wrap: Egress["wrap"];
};

/** The network of the unproved commands of a line. Commands with the same hosts share a proxy; it ends when it is disposed. */
export class LineNetwork implements AsyncDisposable {
  readonly #opened = new AsyncDisposableStack();
  readonly #networks = new Map<PlannedCommand, CommandNetwork>();
  readonly #refused = new Map<string, EgressConnection>();
  /** The hosts that were tried and that nobody was asked about; one more than may be asked for at once. */
  readonly #missing = new Set<string>();
  readonly #commands: readonly PlannedCommand[];
  readonly #toldRefused: (place: string) => void;

  private constructor(commands: readonly PlannedCommand[], toldRefused: (place: string) => void) {
    this.#commands = commands.filter(({ proof }) => proof === null);
    this.#toldRefused = toldRefused;
  }

  /**
   * Opens it, or says why that is not possible. A command without hosts gets a way out that refuses all and
   * remembers what was tried; it runs without one where the bridge cannot be shown. `toldRefused` hears each
   * place that such a command was refused.
   */
  static async open(
    commands: readonly PlannedCommand[],
    ports: NetworkPorts | null,
    origin: CommandOrigin,
    toldRefused: (place: string) => void = () => undefined,
  ): Promise<LineNetwork | string> {
    const line = new LineNetwork(commands, toldRefused);
    const groups = Map.groupBy(line.#commands, ({ network }) => network.map(formatHostPort).sort().join(" "));
    const problem =
      groups.size > maxGroups
        ? `its commands need more than ${maxGroups} different sets of hosts; propose them one by one`
        : await line.#openEach([...groups.values()], ports, origin);
    if (problem === null) return line;
    await line[Symbol.asyncDispose]();
    return `The command needs the network, and its proxy could not be opened: ${problem}. Nothing was run.`;
  }

  of(command: PlannedCommand): CommandNetwork | null {
    return this.#networks.get(command) ?? null;
  }

  /**
   * What the reader of the output must know: which hosts were refused; and for a model what to do then, or,
   * where the run failed, what network it had.
   */
  note(failed: boolean): EndNote {
    if (this.#commands.length === 0) return noEndNote;
    const hosts = describeHosts(this.#commands.flatMap(({ network }) => network));
    const missing = [...this.#refused.values()].filter(({ refused }) => refused === notApproved);
    const had =
      hosts.length === 0
        ? "The command ran without network."
        : `The command had network to ${hosts.join(", ")} only.`;
    if (this.#refused.size === 0) {
      if (!failed) return noEndNote;
      if (this.#commands.some(usesSsh)) return { note: `${had} ${noSsh}`, advice: "" };
      return { note: "", advice: hosts.length === 0 ? `${had} ${howToAsk(["example.org"])}` : had };
    }
    const tried = [...this.#refused].map(([place, { refused }]) => `${place} (${refused})`);
    const wanted = [...new Set([...hosts, ...describeHosts(missing)])];
    return {
      note: `${had} It could not connect to ${tried.join("; ")}.`,
      advice: missing.length === 0 ? "" : howToAsk(wanted),
    };
  }

  /** The public hosts that were tried and that nobody was asked about; none where they are more than may be asked for at once. */
  missing(): readonly string[] {
    if (this.#missing.size > maxHosts) return [];
    return describeHosts([...this.#missing].flatMap((place) => readHosts(place) ?? []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened[Symbol.asyncDispose]();
  }

  async #openEach(
    groups: readonly (readonly PlannedCommand[])[],
    ports: NetworkPorts | null,
    origin: CommandOrigin,
  ): Promise<string | null> {
    for (const commands of groups) {
      const problem =
        ports === null ? "this program was opened without one" : await this.#add(commands, ports, origin);
      if (problem !== null && commands.some(({ network }) => network.length > 0)) return problem;
    }
    return null;
  }

  /** Opens the way out of commands that have the same hosts; says why it cannot. */
  async #add(
    commands: readonly PlannedCommand[],
    ports: NetworkPorts,
    origin: CommandOrigin,
  ): Promise<string | null> {
    const hosts = commands[0]?.network ?? [];
    try {
      const credentials = (commands[0]?.credentials ?? []).map(issueCredential);
      const egress = await openEgress(
        { allowed: hosts, credentials, bridgeWaits: true },
        ports,
        (connection) => {
          if (connection.refused !== null && this.#refused.size < maxRefused)
            this.#refused.set(connection.port === 0 ? "the proxy" : formatHostPort(connection), connection);
          if (connection.refused === notApproved && this.#missing.size <= maxHosts)
            this.#missing.add(describeHosts([connection]).join());
          if (connection.refused === notApproved && hosts.length === 0)
            this.#toldRefused(formatHostPort(connection));
          ports.record(origin, connection);
        },
      );
      this.#opened.use(egress);
      const network: CommandNetwork = {
        readable: hosts.length === 0 ? [] : certificatePlaces.map((path) => ({ from: path, to: path })),
        required: egress.binds,
        variables: [...credentialVariables(credentials), ...egressVariables(hosts)],
        wrap: egress.wrap,
      };
      for (const command of commands) this.#networks.set(command, network);
      return null;
    } catch (fault) {
      if (fault instanceof Error && "code" in fault) return fault.message;
      throw fault;
    }
  }
}

/** Whether a command connects by ssh: a program of ssh, or git with a remote that has no URL of the Web. */
function usesSsh({ argv, network }: PlannedCommand): boolean {
  if (/^(?:ssh|scp|sftp|rsync)$/.test(startedProgram(argv))) return true;
  return (
    network.length === 0 &&
    (networkUse(argv).remotes.length > 0 || argv.some((word) => /^(?:ssh:\/\/|git@)/.test(word)))
  );
}

const noSsh =
  "ssh is not carried, and your keys are not visible to it: use an https remote, or run it yourself.";

/** How many different sets of hosts the commands of a line may have. */
const maxGroups = 20;
/** How many refused places are told. */
const maxRefused = 10;

function howToAsk(hosts: readonly string[]): string {
  return `If it needs the network, propose it again with {"network": ${JSON.stringify(hosts)}}; the owner is asked about these hosts.`;
}
