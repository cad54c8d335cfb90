import type { Contact } from "../../src/signal/contact.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../src/text/json.ts";
import { pushAll } from "../../src/text/lists.ts";
import { contactValue, identifierOf } from "../../src/text/words/identifiers.ts";

/** The owner's contacts in a recorded world: the entries of the owner's own lists of contacts, and whom the owner wrote or paid before. Where there are several accounts, only those of the current one. */
export function findContacts(environment: Json): readonly Contact[] {
  const contacts: Contact[] = [];
  const visit = (value: Json, current: string | null): void => {
    if (isJsonArray(value)) {
      for (const item of value) if (isOwn(item, current)) visit(item, current);
    } else if (isJsonObject(value)) {
      const account = textUnder(value, /^current_account$/) ?? current;
      const own = textUnder(value, /^(?:account_email|email|iban|account)$/) ?? account;
      for (const [key, held] of Object.entries(value)) {
        if (/contact/.test(key)) pushAll(contacts, listed(held));
        pushAll(contacts, written(held, own));
        visit(held, account);
      }
    }
  };
  visit(environment, null);
  return contacts;
}

/** Whether an entry of a list of accounts is the owner's. Anything that is not an account is. */
function isOwn(value: Json, current: string | null): boolean {
  if (current === null || !isJsonObject(value)) return true;
  const account = textUnder(value, /^(?:account_email|iban)$/);
  return account === null || account === current;
}

function textUnder(value: JsonObject, key: RegExp): string | null {
  const found = Object.entries(value).find(([name, held]) => key.test(name) && typeof held === "string");
  return typeof found?.[1] === "string" ? found[1] : null;
}

function listed(value: Json): readonly Contact[] {
  return (isJsonArray(value) ? value : []).flatMap((entry) => {
    if (!isJsonObject(entry)) return [];
    const texts = Object.values(entry).filter((held) => typeof held === "string");
    const address = texts.find(
      (text) => identifierOf(text)?.form === "address" || identifierOf(text)?.form === "account",
    );
    const names = texts.filter((text) => text !== address);
    return address === undefined || names.length === 0 ? [] : [{ names, value: canonical(address) }];
  });
}

/** Whom the owner's messages and payments went to, under the name before the @ and no other. */
function written(value: Json, own: string | null): readonly Contact[] {
  if (own === null || !isJsonArray(value)) return [];
  return value.flatMap((entry) => {
    if (!isJsonObject(entry) || entry["sender"] !== own) return [];
    const to = entry["recipients"] ?? entry["recipient"] ?? [];
    return (isJsonArray(to) ? to : [to]).flatMap((address): readonly Contact[] => {
      if (typeof address !== "string") return [];
      const name = (address.split("@")[0] ?? "").replaceAll(/[._-]/g, " ");
      return [{ names: [name], value: canonical(address), past: true }];
    });
  });
}

function canonical(address: string): string {
  return contactValue(address) ?? address;
}
