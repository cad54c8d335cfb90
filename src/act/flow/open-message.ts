import type { Clause } from "../../signal/intent/find-clauses.ts";
import { holdsElsewhere } from "../../signal/intent/foreign-words.ts";
import { relatives } from "../../signal/intent/lexicon.ts";
import * as said from "../../signal/intent/order-words.ts";
import type { Word } from "../../signal/intent/tokens.ts";
import { least } from "../../signal/lists.ts";
import { handedOn } from "./handed-on.ts";
import { isName, type Order } from "./order.ts";
import { isDoubt, leadsToOrder } from "./order-lead.ts";
import { isOwners, leadOf, type Span, sentencesOf } from "./sentence-parts.ts";
import { isVerbOfAct } from "./verb-object.ts";

/**
 * Whether an act whose words are free, as of a mail, is asked for now: nothing anywhere asks
 * to wait, to see or to be asked, and what stands behind its verb is another request, a fact, or what the
 * message says.
 */
export function isAskedNow({ intent, clauses }: Order): boolean {
  const { typed: words } = intent;
  const sentences = sentencesOf(words);
  const first = least(clauses.map(({ at }) => at));
  const leads = intent.clauses.map((clause) => leadOf(clause, words));
  const leading = new Set(leads.filter((lead) => isPlainLead(lead, words)).flat());
  return (
    !intent.signs.some((sign) => said.refusingSigns.has(sign)) &&
    words.every(
      ({ text, role }, at) =>
        role !== "plain" || leading.has(at) || !(said.holdingWords.has(text) || holdsElsewhere(text)),
    ) &&
    sentences.every(
      ({ from, to }) =>
        to <= first || isFreeSentence({ from: Math.max(from, first), to }, intent.clauses, words),
    ) &&
    intent.clauses.every((clause) => clause.at <= first || !looksBack(clause, words)) &&
    intent.clauses.every((clause) => !isOwners(clause, words))
  );
}

/** The requests whose verb follows nothing but words of a closed list. */
export function askedClauses(order: Order): readonly Clause[] {
  const { intent, clauses } = order;
  const sentences = sentencesOf(intent.typed);
  const handed = handedOn(intent);
  return clauses.filter(
    (clause) =>
      !handed.includes(clause) && isLed(clause, intent.typed, sentences) && isVerbOfAct(clause, order),
  );
}

function isLed(clause: Clause, words: readonly Word[], sentences: readonly Span[]): boolean {
  const lead = leadOf(clause, words);
  const own = sentences.find(({ from, to }) => clause.at >= from && clause.at < to);
  if (own !== undefined && isDoubt(own, [clause], words)) return false;
  return isPlainLead(lead, words);
}

function isPlainLead(lead: readonly number[], words: readonly Word[]): boolean {
  const reminds = lead.some((at) => said.reminders.has(words[at]?.text ?? ""));
  if (!leadsToOrder(lead.toReversed().map((at) => words[at]?.text ?? ""))) return false;
  return lead.every((at) => {
    const { text = "", role = "plain" } = words[at] ?? {};
    const isKnown = said.leads.has(text) || said.freeLeads.has(text);
    return role === "plain" && (isKnown || (reminds && said.remindings.has(text)));
  });
}

/** Whether a sentence that stands behind the verb, or its rest, takes nothing back. */
function isFreeSentence({ from, to }: Span, clauses: readonly Clause[], words: readonly Word[]): boolean {
  const own = words.slice(from, to);
  if (clauses.some(({ at }) => at >= from && at < to))
    return !own.some((_, order) => turnsToOwner(own, order));
  const plain = own.filter(({ role }) => role === "plain").map(({ text }) => text);
  if (own.every(isName)) return true;
  if (plain.length === 0 || plain.every((text) => said.courtesies.has(text)) || own[0]?.asked === true)
    return true;
  const isFact =
    plain.slice(0, 8).some((text) => factVerbs.has(text)) && !plain.some((text) => owners.has(text));
  return isFact || plain.some((text, at) => text === "you" && plain[at + 1] === "can");
}

const factVerbs: ReadonlySet<string> = new Set("is are should has have ist sind soll hat".split(" "));
const owners: ReadonlySet<string> = new Set("i i'd i'll i'm we me us ich wir mich mir uns".split(" "));

/** ", I want to see it", "so that I can", "and let me": behind a joint somebody else acts than the agent. */
function turnsToOwner(words: readonly Word[], at: number): boolean {
  const [before, word] = [words[at - 1], words[at]];
  if (word === undefined || word.role !== "plain" || before === undefined) return false;
  const isFor = before.text === "that" && words[at - 2]?.text === "so";
  const isJoint = word.after === "comma" || turns.has(before.text) || isFor;
  return isJoint && turning.has(word.text);
}

const turns: ReadonlySet<string> = new Set("and und so".split(" "));
const turning: ReadonlySet<string> = new Set(
  "i i'd i'll i'm we let ask only just not no never don't show ich wir lass frag nur nicht kein".split(" "),
);

/** "And show it to me": another request that looks at what is to be sent. */
function looksBack({ senses, from, to }: Clause, words: readonly Word[]): boolean {
  if (senses.length > 0) return false;
  const inside = words.slice(from, to);
  const free = inside.findIndex(({ text }) => relatives.has(text));
  return inside
    .slice(0, free === -1 ? undefined : free)
    .some(({ text, role }) => role === "plain" && backs.has(text));
}

const backs: ReadonlySet<string> = new Set("it this that them es das ihn sie".split(" "));
