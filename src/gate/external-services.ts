import type { ServiceAct, UseService } from "../signal/effect.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** The owner gate of external services. To read is free; every act asks, unless the owner's words of this turn ask for it (a licence of the kind intent). What a server changed in its tools, and what it asked the owner, asks always: no words license it beforehand. A destination with characters that nobody sees is blocked. */
export const externalServices: Gate = {
  name: "external-services",
  priority: 500,
  revision: 4,
  answer(effect, { origin }) {
    if (effect.kind !== "use-service") return { result: "not-concerned" };
    if (origin.person === "unproved") {
      return {
        result: "block",
        code: "unproved",
        reason: "a client that did not prove itself may not use your services",
      };
    }
    if (/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u.test(effect.target)) {
      return {
        result: "block",
        code: "hidden-characters",
        reason: `${oneLine(effect.service)} would get a destination with characters that cannot be seen: write it without them`,
      };
    }
    const { changed, answers } = effect;
    if (changed !== undefined) {
      const reason = `the server of ${oneLine(effect.service)} changed its tools since you accepted them (${changed.map(oneLine).join("; ")}); what it was told before may stand there, and every model provider gets it; yes accepts them, and then it would ${acts[effect.act]}`;
      return { result: "ask", code: "tools-changed", reason };
    }
    if (answers !== undefined) {
      const reason = `the server of ${oneLine(effect.service)} asked you: ${answers.map(oneLine).join("; ")}; yes gives it these answers, and then it would ${acts[effect.act]}${labelWords(effect)}`;
      return { result: "ask", code: "server-asks", reason };
    }
    if (effect.act === "read") return { result: "passed", reason: "reading changes nothing" };
    return { result: "ask", code: "service-act", reason: describeAct(effect) };
  },
};

function describeAct(effect: UseService): string {
  const { act, service, target } = effect;
  if (act === "unknown")
    return `nothing declares what ${oneLine(service)} does (${oneLine(target)})${labelWords(effect)}, so each call asks; "tools" in its entry of mcp.json can say it`;
  return `${oneLine(service)} would ${acts[act]} (${oneLine(target)})${labelWords(effect)}`;
}

function labelWords({ label }: UseService): string {
  return label.secrecy === "public" ? "" : `, with ${label.secrecy} content`;
}

const acts: Readonly<Record<ServiceAct, string>> = {
  read: "read",
  fetch: "fetch an address",
  change: "change something of yours",
  send: "send to others",
  delete: "delete",
  pay: "pay",
  credential: "sign in, confirm, or change credentials",
  grant: "give or take rights",
  unknown: "do what it does not declare",
};
