import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRandom } from "../../../../test/make-random.ts";
import type { ChatMessage, ChatTap } from "../chat-service.ts";
import { deletes, Killed, PhoneWorld, questionOf } from "./phone.fixture.ts";
import type { QuestionCards } from "./question-cards.ts";

/** Taps; `npm run taps` makes 10,000 of them. */
const taps = Number(process.env["TAPS"] ?? 600);
const seed = Number(process.env["SEED"] ?? 1);

/** An agent that is killed and started again, a phone and a service that fail, all by chance. */
class Chaos {
  readonly world: PhoneWorld;
  random: () => number;
  kills = 0;
  #untilKill = Number.POSITIVE_INFINITY;
  #cards: QuestionCards | null = null;

  constructor(answers: "buttons" | "reactions", start: number) {
    this.world = new PhoneWorld(answers);
    this.random = makeRandom(start);
    this.world.onStep = (name) => {
      this.#untilKill -= 1;
      if (this.#untilKill < 0) throw new Killed(name);
    };
    this.world.fails = () => (this.random() < 0.85 ? "no" : this.random() < 0.5 ? "before" : "after");
  }

  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  /**
   * Does something in a process that may be killed at any step; does it again in the next one, as a durable
   * inbox has it, until it was done.
   */
  async untilDone<T>(act: (cards: QuestionCards) => Promise<T>): Promise<T> {
    for (;;) {
      this.#untilKill = this.random() < 0.3 ? this.below(10) : Number.POSITIVE_INFINITY;
      this.#cards ??= this.world.start({ mayStandOnLockScreen: this.random() < 0.5 });
      try {
        const done = await act(this.#cards);
        if (this.#untilKill >= 0) return done;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
      this.kills += 1;
      this.#cards = null;
    }
  }

  async calm(): Promise<void> {
    this.world.fails = () => "no";
    this.random = () => 0.9;
    await this.untilDone((cards) => cards.over("none"));
    for (let round = 0; round < 3; round += 1) await this.untilDone((cards) => this.world.deliver(cards));
  }
}

/** One tap of the owner, and the word that it asks for. Gives the updates by which something was decided. */
async function tapAsOwner(chaos: Chaos, tap: ChatTap): Promise<readonly string[]> {
  const { world } = chaos;
  const said = await chaos.untilDone((cards) => cards.tapped(tap));
  assert.ok(said.length <= 200, "Telegram shows 200 characters");
  const isDecision = /^(?:Yes|No\.)/.test(said);
  const again = chaos.random() < 0.2 ? await chaos.untilDone((cards) => cards.tapped(tap)) : null;
  if (isDecision && again !== null) assert.equal(again, said, "the same delivered twice is told the same");
  if (isDecision) return [tap.id];
  const word = /write this word here: (\w+)$/.exec(said)?.[1];
  if (word === undefined || chaos.random() < 0.3) return [];
  const typed: ChatMessage = { ...world.words(word), id: `word-after-${tap.id}` };
  await chaos.untilDone((cards) => cards.said(typed));
  return /^Yes/.test(world.replyTo(typed) ?? "") ? [typed.id] : [];
}

/** A tap of somebody else, somewhere else, or with what no button held. */
async function tapAsOther(chaos: Chaos, tap: ChatTap): Promise<void> {
  const before = chaos.world.desk.counted.length;
  const changes: readonly Partial<ChatTap>[] = [
    { sender: { id: "66", name: "Mallory", isBot: false } },
    { chat: { id: "66", kind: "group", title: "A group" } },
    { handle: `o${"x".repeat(43)}`, message: "none" },
  ];
  await chaos.untilDone((cards) => cards.tapped({ ...tap, ...changes[chaos.below(changes.length)] }));
  assert.equal(chaos.world.desk.counted.length, before, "a tap of another person counts nothing");
}

/** Asks a further question, and ends an old one at another door. */
async function askFurther(chaos: Chaos, number: number): Promise<void> {
  const { world } = chaos;
  const question = questionOf(`t${number}`, {
    expiresAt: world.now + (chaos.random() < 0.15 ? 15_000 : 86_400_000),
    ...(chaos.random() < 0.4 ? { effects: deletes } : {}),
  });
  await chaos.untilDone((cards) => cards.asked(question));
  const old = `t${number - 6}`;
  if (number > 6 && world.desk.end(old, chaos.random() < 0.5 ? "no" : "gone"))
    await chaos.untilDone((cards) => cards.over(old));
}

/** Every card tells how its question ended, and its message too. */
function checkEnds({ answers, desk, disk, outbox, phone }: PhoneWorld): void {
  for (const { end, turn, shown } of disk) {
    assert.equal(end?.kind, desk.ends.get(turn));
    const first = outbox.get(shown.at(-1)?.key.replace(/\d+$/, "0") ?? "")?.sent ?? "none";
    const buttons = phone.get(first)?.view.buttons?.flat() ?? [];
    if (answers === "reactions" || end === null || buttons.length === 0) continue;
    assert.deepEqual(
      buttons.map(({ handle }) => handle),
      [null],
      "the end stands on its card",
    );
  }
}

async function tapAtRandom(answers: "buttons" | "reactions"): Promise<string> {
  const chaos = new Chaos(answers, seed);
  const { world } = chaos;
  const decided: string[] = [];
  let slowest = 0;
  for (let made = 0; made < taps; made += 1) {
    if (made % 5 === 0) await askFurther(chaos, made / 5 + 1);
    if (chaos.random() < 0.7) await chaos.untilDone((cards) => world.deliver(cards));
    world.now += chaos.below(4000);
    const messages = [...world.phone.values()].slice(-7);
    const message = messages[chaos.below(messages.length)];
    if (message === undefined) continue;
    const kinds = ["once", "once", "once", "no", "details", "details", "none"] as const;
    const tap = { ...world.tap(message, kinds[chaos.below(kinds.length)] ?? "no"), id: `update-${made}` };
    const began = performance.now();
    if (chaos.random() < 0.3) await tapAsOther(chaos, tap);
    else for (const update of await tapAsOwner(chaos, tap)) decided.push(update);
    slowest = Math.max(slowest, performance.now() - began);
  }
  await chaos.calm();
  const counted = world.desk.counted.map((line) => line.split(" ")[0]);
  assert.equal(new Set(counted).size, counted.length, "none is applied twice");
  assert.equal(counted.length, decided.length, "what was told to count counted, and nothing else did");
  checkEnds(world);
  assert.ok(chaos.kills > taps / 40 && counted.length > taps / 40, "there were kills and decisions");
  return `${taps} taps (${answers}): ${chaos.kills} kills, ${counted.length} decisions, the slowest tap ${slowest.toFixed(1)} ms`;
}

test("of chaotic taps with kills, cuts and other doors none is applied twice, none lost, none by another person", async (t) => {
  t.diagnostic(await tapAtRandom("buttons"));
});

test("nor of chaotic reactions", async (t) => {
  t.diagnostic(await tapAtRandom("reactions"));
});
