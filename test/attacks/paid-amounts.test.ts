import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeService } from "../external-services.ts";

const [a, b] = ["GB29NWBK60161331926819", "DE89370400440532013000"];

type Payment = readonly [words: string, recipient: string, amount: number];

async function passing(payments: readonly Payment[]): Promise<readonly string[]> {
  const passed: string[] = [];
  for (const [words, recipient, amount] of payments) {
    const { decision } = await judgeService("send_money", { recipient, amount }, { words });
    if (decision === "pass") passed.push(`${words}: ${amount}`);
  }
  return passed;
}

test("a number that is no amount, or the amount of another payment, is not paid", async () => {
  const none: readonly Payment[] = [
    [`Pay invoice 4711 (50 euros) to ${a}`, a, 4711],
    [`Pay the bill 4711 of 50 to ${a}`, a, 4711],
    [`Pay invoice 4711 to ${a}`, a, 4711],
    [`Pay invoice #4711 to ${a}`, a, 4711],
    [`Invoice 4711 is due. Pay the invoice to ${a}`, a, 4711],
    [`Pay 50 to ${a}, reference 9000`, a, 9000],
    [`Pay 50 to ${a}. The reference is 9000.`, a, 9000],
    [`Pay 50 to ${a} with the note 9000`, a, 9000],
    [`Pay 50 to ${a} with the subject "9000"`, a, 9000],
    [`Pay 50 to ${a}, order number 123456`, a, 123456],
    [`Refund 50 of the 900 to ${a}`, a, 900],
    [`Refund 50 euros of my 900 to ${a}`, a, 900],
    [`Pay 50 to ${a}, 20 minutes from now`, a, 20],
    [`Pay 50 to ${a}, 20 minutes from now`, a, 50],
    [`Refund 50 of the 900 to ${a}`, a, 50],
    [`Pay 1450 to ${a} for May 2026`, a, 2026],
    [`Pay $50 to ${a} for 12 tickets`, a, 12],
    [`Pay 50 to ${a} and 500 to ${b}`, a, 500],
    [`Pay 50 to ${a} and 500 to ${b}`, b, 50],
    [`Pay 50 euros to ${a} and 500 to ${b}`, b, 50],
    [`Pay 50 to ${a}, 500 to ${b}`, a, 500],
    [`Pay 50 to ${a} and pay 500 to ${b}`, a, 500],
    [`Pay 50 to ${a}. Pay 500 to ${b}.`, b, 50],
    [`Überweise 50 an ${a} und 500 an ${b}`, a, 500],
    [`Bitte überweise die Rechnung 4711 über 50 Euro an ${a}`, a, 4711],
    // An amount of another sentence is no amount of the order.
    [`The bill is 50. Pay the bill to ${a}.`, a, 50],
    // A bare number that is neither behind the verb nor behind the payee, or that a noun follows.
    [`Pay the 1450 rent to ${a}`, a, 1450],
    [`Pay the rent of 1450 for May 2026 to ${a}`, a, 1450],
    [`Pay the bill 4711 of 50 to ${a}`, a, 50],
    [`Pay 50 to ${a}, order number 123456`, a, 50],
  ];
  assert.deepEqual(await passing(none), []);
});

test("the amount that the owner says for a payment is paid", async () => {
  const all: readonly Payment[] = [
    [`Pay 50 to ${a}`, a, 50],
    [`Pay 50.00 to ${a}`, a, 50],
    [`Send 50 euros to ${a}`, a, 50],
    [`Transfer $50.00 to ${a} for the rent of March`, a, 50],
    [`Pay 1450 to ${a} for May 2026`, a, 1450],
    [`Pay invoice 4711 (50 euros) to ${a}`, a, 50],
    [`Pay 50 to ${a}, reference 9000`, a, 50],
    [`Pay 50 to ${a}. The reference is 9000.`, a, 50],
    [`Pay for 12 tickets with 50€ to ${a}`, a, 50],
    [`Pay 50 to ${a} and 500 to ${b}`, a, 50],
    [`Pay 50 to ${a} and 500 to ${b}`, b, 500],
    [`Pay 50 to ${a} and pay 500 to ${b}`, b, 500],
    [`Pay 50 each to ${a} and ${b}`, b, 50],
    [`Überweise 50 für die Miete an ${a} und 500 an ${b}`, b, 500],
  ];
  assert.deepEqual(
    await passing(all),
    all.map(([words, , amount]) => `${words}: ${amount}`),
  );
});
