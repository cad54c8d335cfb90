import { connectToDaemon } from "../../daemon/remote/connect-to-daemon.ts";
import { describeDoor } from "../../doors/chat/door-status.ts";
import type { Io } from "../../kernel/io.ts";
import { askLine, confirm } from "../../program/confirm.ts";
import { exitCodes, readStandardInput } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { readHiddenLine } from "../../program/read-hidden-line.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { tellUnrecorded } from "../../program/tell-unrecorded.ts";
import { keepInVault, withPassphrase } from "../../program/vault-passphrase.ts";
import { windowMinutes } from "../../settings/pairing-windows.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import { doorKeys } from "../../signal/actuator.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { askedOf, type ChatGateway, findPairing, listGateways, tryGateway } from "./chat-gateways.ts";
import { gatewaySpec } from "./command-specs.ts";

type Values = ReturnType<
  typeof parseVerb<typeof gatewaySpec.options, (typeof gatewaySpec.verbs)[number]>
>["values"];

/** What a verb came to: `facts` for programs, `text` for people. */
type Done = { readonly ok: boolean; readonly text: string; readonly facts?: object };

/** Opens doors for chat services: keys, links, and how they stand. */
export async function gatewayCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, gatewaySpec);
  const [service = "", what = null] = words;
  const policy = loadPolicy(io.environment);
  const done = await run(io, { verb, service, what, values, policy });
  if (values.json) io.out(`${JSON.stringify({ ok: done.ok, text: done.text, ...done.facts })}\n`);
  else if (done.ok) io.out(escapeForTerminal(`${done.text}\n`));
  else io.err(escapeForTerminal(`${done.text}\n`));
  return done.ok ? exitCodes.done : exitCodes.failed;
}

type Asked = {
  readonly verb: (typeof gatewaySpec.verbs)[number]["name"];
  readonly service: string;
  /** The code or the chat. */
  readonly what: string | null;
  readonly values: Values;
  readonly policy: Policy;
};

async function run(io: Io, asked: Asked): Promise<Done> {
  if (asked.verb !== "list" && !doorKeys.has(asked.service))
    return {
      ok: false,
      text: `There is no service ${asked.service}. There are: ${[...doorKeys.keys()].join(", ")}.`,
    };
  switch (asked.verb) {
    case "list":
      return list(io, asked.policy);
    case "link":
      return link(io, asked);
    case "unlink":
      return unlink(io, asked);
    case "test":
      return tryLinks(io, asked);
  }
}

async function list(io: Io, policy: Policy): Promise<Done> {
  const gateways = await listGateways(makeStartContext(io), policy);
  const fault = policy.chatLinks.fault();
  const lines = gateways.flatMap((gateway) => linesOf(gateway));
  return { ok: fault === null, text: fault ?? lines.join("\n"), facts: { gateways } };
}

function linesOf(gateway: ChatGateway): readonly string[] {
  const { service, isSetUp, links, codesFor, asking, waiting, dead } = gateway;
  if (!isSetUp) return [`${service}: not set up. Set it up: passepartout gateway link ${service}`];
  return [
    `${service}: ${describeDoor(service, gateway, Date.now()).text}`,
    ...links.map((one) => `  linked: ${whoOf({ ...one, shown: { sender: one.name, chat: "" } })}`),
    ...(links.length === 0
      ? [
          `  No chat is linked. passepartout gateway link ${service} gives codes for ${windowMinutes} minutes.`,
        ]
      : []),
    ...(codesFor > 0
      ? [`  For ${codesFor} more minutes whoever writes to ${askedOf(service).peer} is given a code.`]
      : []),
    ...asking.map((one) => `  asks for a link: ${whoOf({ ...one, kind: one.shown.kind })}`),
    ...crowdOf(gateway).map((line) => `  ${line}`),
    ...(waiting > 0 ? [`  ${waiting} messages wait to be sent`] : []),
    ...(dead > 0 ? [`  ${dead} messages could not be sent`] : []),
  ];
}

type Asking = ChatGateway["asking"][number];
type Who = Pick<Asking, "chat" | "sender"> & {
  readonly kind: string;
  readonly shown: Pick<Asking["shown"], "chat" | "sender">;
};

/** A sender in a chat by their ids, and by the names that they gave themselves, which are quoted. */
function whoOf({ chat, sender, kind, shown }: Who): string {
  const place = kind === "private" ? "private chat" : "group chat";
  const title = kind === "private" || shown.chat === "" ? "" : `, ${JSON.stringify(shown.chat)}`;
  return `${JSON.stringify(shown.sender)} (id ${sender}, ${place} ${chat}${title})`;
}

/** What the owner is told where so many have a code that nobody else gets one. */
function crowdOf({
  service,
  asking,
  isCrowded,
}: Pick<ChatGateway, "service" | "asking" | "isCrowded">): readonly string[] {
  return !isCrowded
    ? []
    : [
        `${asking.length} have a code, which are the most: you may be among those who get none. passepartout gateway link ${service} takes these codes back: write at once then.`,
      ];
}

async function link(io: Io, asked: Asked): Promise<Done> {
  const { service, what, values, policy } = asked;
  const { vault } = policy.config;
  const isSetUp = vault.status().names.includes(doorKeys.get(service) ?? "");
  if (what !== null && !values.token)
    return isSetUp
      ? linkChat(io, asked, what)
      : { ok: false, text: `Set it up first: passepartout gateway link ${service}` };
  if (isSetUp && !values.token)
    return {
      ok: true,
      text: `The vault has the key of ${service}. ${await giveCodes(io, policy, { service, peer: askedOf(service).peer })}`,
    };
  const key = (await readKey(io, service)).trim();
  const tried = await tryGateway(makeStartContext(io), service, { key, chats: [] });
  if (!tried.ok) return { ok: false, text: `${tried.reason} Nothing was kept.` };
  const program = tried.program === undefined ? "" : ` (${tried.program})`;
  const name = doorKeys.get(service) ?? "";
  const kept = await keepInVault(io, vault, { name, value: key, typesIt: values.passphrase });
  if (!kept.ok) return { ok: false, text: kept.reason };
  {
    await using agent = await connectToDaemon(makeStartContext(io), policy, "cli");
    await agent?.changeVault({ change: "none" });
  }
  await tellUnrecorded(io);
  return {
    ok: true,
    text: `The vault keeps the key of ${tried.name}${program}. ${await giveCodes(io, policy, { service, peer: tried.name })}`,
    facts: { name: tried.name },
  };
}

/** From now on unknown senders are given codes, for some minutes. Gives what the owner does next. */
async function giveCodes(
  io: Io,
  policy: Policy,
  { service, peer }: { readonly service: string; readonly peer: string },
): Promise<string> {
  const gateways = await listGateways(makeStartContext(io), policy);
  const isCrowded = gateways.some((one) => one.service === service && one.isCrowded);
  policy.pairingWindows.open(service, { now: Date.now(), isAnew: isCrowded });
  const dropped = isCrowded ? " The codes that were given before count no longer." : "";
  return `For ${windowMinutes} minutes whoever writes to ${peer} is given a code.${dropped} With a daemon running, write to it now. Then: passepartout gateway link ${service} CODE`;
}

function readKey(io: Io, service: string): Promise<string> {
  if (io.input.isTTY !== true) return readStandardInput(io);
  const { words, isSecret } = askedOf(service).key;
  return isSecret ? readHiddenLine(io, `${words}: `) : askLine(io, `${words}: `);
}

async function linkChat(io: Io, { service, values, policy }: Asked, code: string): Promise<Done> {
  const pairing = await findPairing(makeStartContext(io), policy, { service, code });
  if (pairing === null) {
    const gateways = await listGateways(makeStartContext(io), policy);
    const crowd = gateways.filter((one) => one.service === service).flatMap(crowdOf);
    const text = `Nobody was given this code within the last hour. Look for the right code (passepartout gateway list shows who asked), or ask for another: passepartout gateway link ${service}, and write again.`;
    return { ok: false, text: [text, ...crowd].join(" ") };
  }
  const { chat, sender, shown } = pairing;
  const kind = shown.kind === "private" ? "private" : "group";
  const who = whoOf({ chat, sender, kind, shown });
  const yes = values.yes
    ? true
    : await confirm(
        io,
        escapeForTerminal(
          `Is this you: ${who}? The name in quotes is what they call themselves. What is said there counts as yours.`,
        ),
      );
  if (yes === null)
    return { ok: false, text: `Nobody is at a terminal to say yes. With --yes it is linked: ${who}` };
  if (!yes) return { ok: false, text: "Nothing was linked." };
  policy.chatLinks.add({ service, chat, sender, kind, name: shown.sender, linkedAt: Date.now() });
  policy.pairingWindows.close(service, { now: Date.now(), dropsCodes: false });
  await tellUnrecorded(io);
  return {
    ok: true,
    text: `Linked: ${who}. What is said there is yours from now on, and nobody is given a code any more.`,
    facts: { chat, sender },
  };
}

async function unlink(io: Io, { service, what, policy }: Asked): Promise<Done> {
  const count = policy.chatLinks.remove(service, what);
  if (count === 0)
    return { ok: false, text: what === null ? "No chat is linked." : `No chat ${what} is linked.` };
  policy.pairingWindows.close(service, { now: Date.now(), dropsCodes: true });
  await tellUnrecorded(io);
  const key =
    what === null ? ` To close the door as well: passepartout vault remove ${doorKeys.get(service)}` : "";
  return {
    ok: true,
    text: `Unlinked: ${count}. What is said there is a stranger's from now on; what was said there and waits is not begun, and what runs for it goes on no further.${key}`,
    facts: { unlinked: count },
  };
}

async function tryLinks(io: Io, { service, policy }: Asked): Promise<Done> {
  const { vault } = policy.config;
  const name = doorKeys.get(service) ?? "";
  if (!vault.status().names.includes(name))
    return { ok: false, text: `Set it up first: passepartout gateway link ${service}` };
  const unlocked = await withPassphrase(io, vault, vault.unlock);
  if (!unlocked.ok) return { ok: false, text: unlocked.reason };
  const key = vault.read(name);
  if (!key.ok) return { ok: false, text: key.reason };
  const links = policy.chatLinks.all().filter((one) => one.service === service);
  const chats = links.map(({ chat }) => chat);
  const tried = await tryGateway(makeStartContext(io), service, { key: key.value, chats });
  if (!tried.ok) return { ok: false, text: tried.reason };
  const lines = tried.chats.map(({ chat, problem }) => `  chat ${chat}: ${problem ?? "can be reached"}`);
  const text = [
    `${service} knows the key as ${tried.name}.`,
    ...(tried.program === undefined ? [] : [`  by ${tried.program}`]),
    ...lines,
    ...(lines.length === 0 ? ["  No chat is linked."] : []),
  ];
  return {
    ok: tried.chats.every(({ problem }) => problem === null),
    text: text.join("\n"),
    facts: { name: tried.name, chats: tried.chats },
  };
}
