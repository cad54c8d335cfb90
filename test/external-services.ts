import { openActuatorRegistry } from "../src/act/actuators.ts";
import { builtInActuators, makeMessageActuator } from "../src/act/built-in-actuators.ts";
import { type DeclaredTool, makeExternalTools } from "../src/act/external/declared-tool.ts";
import { openActionPreparer } from "../src/act/prepare.ts";
import type { PreparerParts } from "../src/act/preparer-parts.ts";
import { builtInGates } from "../src/gate/built-in.ts";
import { judge } from "../src/gate/judge.ts";
import { makeNeedles } from "../src/gate/secrets/needles.ts";
import { scanSecrets } from "../src/gate/secrets/secrets.ts";
import { FingerprintSet } from "../src/memory/private-text/fingerprint-set.ts";
import type { CalledResult, OtherTurn } from "../src/signal/called-result.ts";
import type { Contact } from "../src/signal/contact.ts";
import { bottomLabel, type Label } from "../src/signal/label.ts";
import type { EffectLabel } from "../src/signal/service-effect.ts";
import type { TurnSources } from "../src/signal/tool.ts";
import type { Verdict } from "../src/signal/verdict.ts";
import type { Json, JsonObject } from "../src/text/json.ts";

/** A tool as a test declares it: its effect, its critical arguments and its destinations. */
type Declared = readonly [EffectLabel | null, critical: string, destinations: string];

/** Services of several kinds: mail, calendar, files, chat, a bank, a hotel. */
const services: Readonly<Record<string, Declared>> = {
  search_mail: ["read", "", ""],
  send_mail: ["egress", "to cc attachments", "to cc"],
  other__send_email: ["egress", "recipients", "recipients"],
  delete_mail: ["destructive", "mail_id", "mail_id"],
  list_events: ["read", "", ""],
  create_event: ["write_external_if_participants", "participants", "participants"],
  move_event: ["write", "event_id", ""],
  cancel_event: ["destructive", "event_id", "event_id"],
  change_address: ["write", "street city", ""],
  list_files: ["read", "", ""],
  create_file: ["write", "filename", ""],
  append_to_file: ["write", "file_id", ""],
  delete_file: ["destructive", "file_id", "file_id"],
  share_file: ["egress", "file_id person right", "person"],
  read_channel: ["read", "", ""],
  post_message: ["egress", "channel", "channel"],
  add_member: ["access_control", "member channel", "member"],
  fetch_page: ["egress_read", "url", "url"],
  list_transactions: ["read", "", ""],
  send_money: ["financial", "recipient amount", "recipient"],
  bank__transfer_money: ["financial", "iban sum", "iban"],
  bank__send_money: ["financial", "recipient amount", "recipient"],
  bare__send_money: ["financial", "recipient amount", "recipient"],
  share_document: ["egress", "document_id email", "email"],
  change_password: ["credential", "password", ""],
  confirm_code: ["credential", "code", ""],
  book_flight: ["financial", "city from_day to_day", "city"],
  reserve_hotel: ["financial", "hotel start_day end_day", "hotel"],
  clear_list: ["destructive", "list", "list"],
  read_file: ["read", "", ""],
  list_folder: ["read", "", ""],
  get_account: ["read", "", ""],
  add_ssh_key: ["access_control", "ssh_key", "ssh_key"],
  unstar_repo: ["egress", "repo_name", "repo_name"],
  undeclared_tool: [null, "", ""],
};

/** The arguments that a server describes beside the declared ones. */
const described: Readonly<Record<string, string>> = {
  bank__send_money: "amount currency frequency recurring times unit options note note_date",
  share_document: "role anyone_with_link",
  delete_file: "recursive count",
  send_mail: "subject body text bcc forward_all attachment file",
  create_event: "title start end start_time end_time recurrence description",
  clear_list: "reason",
  bare__send_money: "",
  other__send_email: "recipients subject body html",
  fetch_page: "url urls extra_url format",
};

const names = (text: string): readonly string[] => text.split(" ").filter((name) => name !== "");

/** What the other services describe. */
const usual = "text content title subject body start end start_time end_time";
const frequencies = ["once", "every day"];

/** What a service describes inside an argument. */
const nested: Readonly<Record<string, JsonObject>> = {
  amount: { type: "object", properties: { cents_of: { type: "number" } } },
};

const propertiesOf = (text: string): JsonObject =>
  Object.fromEntries(
    names(text).map((name) => [
      name,
      name === "frequency" ? { type: "string", enum: frequencies } : (nested[name] ?? { type: "string" }),
    ]),
  );

const tools: readonly DeclaredTool[] = Object.entries(services).map(
  ([name, [effect, critical, destinations]]) => ({
    name,
    description: name,
    parameters:
      described[name] === ""
        ? { type: "object" }
        : { type: "object", properties: propertiesOf(described[name] ?? usual) },
    effect,
    criticalArguments: effect === null ? null : names(critical),
    destinationArguments: effect === null ? null : names(destinations),
    call: async () => ({ status: "success", content: "done" }),
  }),
);

/** Prepares calls where a text, or none, is known to be private. */
function actingWith(privateText: string) {
  const known = new FingerprintSet(new Uint32Array(8));
  known.add(known.fingerprints(privateText));
  return openActionPreparer({
    ...parts,
    privateText: { ready: async () => {}, holdsPrivate: (text) => known.find(text).length > 0 },
  });
}

const parts: PreparerParts = {
  tools: makeExternalTools(tools),
  actuators: openActuatorRegistry([
    makeMessageActuator({ name: "cli", tell: async () => ({ delivered: true }) }),
    ...builtInActuators,
  ]),
  folders: { notes: "/home/ada/notes", home: "/home/ada", own: [] },
  lostNotes: async () => null,
  scan: (text) => scanSecrets(text, makeNeedles([])),
  privateText: { ready: async () => {}, holdsPrivate: () => false },
  sandbox: false,
  healthy: () => true,
  permissions: new Map(),
  defaultActuator: "cli",
  silentActuators: [],
};

/** A call of the turn with what it returned. */
export type Done = readonly [tool: string, args: JsonObject, content: Json];

/** A turn of the owner in front of external services. */
export type ServiceTurn = {
  readonly words: string;
  readonly done?: readonly Done[];
  readonly others?: readonly OtherTurn[];
  readonly failed?: TurnSources["failed"];
  readonly contacts?: readonly Contact[];
  readonly approved?: TurnSources["approved"];
  readonly reasons?: readonly string[];
  /** The day on which the owner speaks. */
  readonly today?: string;
  /** A text that is known to be private. */
  readonly privateText?: string;
  /** How secret all is that the model was shown; public where it is left out. */
  readonly shown?: Label["secrecy"];
};

/** The verdict on a call of a service, by the real preparer and judge. */
export async function judgeService(tool: string, args: JsonObject, turn: ServiceTurn): Promise<Verdict> {
  const results = (turn.done ?? []).map(
    ([name, given, content], order): CalledResult => ({
      id: `result-${order}`,
      number: order + 1,
      tool: name,
      args: given,
      content,
      label: { ...bottomLabel, integrity: "untrusted" },
    }),
  );
  const prepared = await actingWith(turn.privateText ?? "").prepare(
    { target: "tool", payload: { tool, args }, explanation: "To do what was asked" },
    {
      turn: "turn",
      session: "session",
      person: "owner",
      source: "cli",
      startedBy: "person",
      workspace: null,
      known: new Map([["words", { value: turn.words, label: bottomLabel }]]),
      sources: {
        words: [turn.words],
        reasons: turn.reasons ?? [],
        failed: turn.failed ?? [],
        results,
        otherTurns: async () => turn.others ?? [],
        contacts: async () => turn.contacts ?? [],
        approved: turn.approved ?? [],
        ...(turn.today === undefined ? {} : { today: turn.today }),
      },
      promptLabel: { ...bottomLabel, secrecy: turn.shown ?? "public" },
    },
    [],
  );
  if (!prepared.ok) throw new Error(prepared.message);
  return judge(builtInGates, prepared.effects, prepared.facts);
}
