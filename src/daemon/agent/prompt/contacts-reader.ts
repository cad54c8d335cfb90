import type { Notes } from "../../../memory/notes/open-notes.ts";
import type { State } from "../../../memory/state/state.ts";
import type { NoteNode } from "../../../notes/note-node.ts";
import type { Contact } from "../../../signal/contact.ts";
import type { Effect } from "../../../signal/effect.ts";
import type { TurnSources } from "../../../signal/tool.ts";
import { contactValue, findIdentifiers } from "../../../text/words/identifiers.ts";

/** How many answered questions are looked at for addresses that the owner said yes to. */
const mostQuestions = 500;

/** What contacts are read from. */
type ContactSources = {
  readonly notes: Pick<Notes, "ready" | "index">;
  readonly state: { readonly approvals: Pick<State["approvals"], "answered"> };
};

/** Makes what reads the owner's contacts: headings of the owner's notes with addresses in their properties, and addresses that the owner said yes to before. */
export function makeContactsReader({ notes, state }: ContactSources): TurnSources["contacts"] {
  return async () => {
    await notes.ready();
    const nodes = await notes.index.nodesWithAddress();
    const answered = await state.approvals.answered(mostQuestions);
    return [
      ...nodes.flatMap(contactsOfNode),
      ...answered.flatMap(({ state: answer, effects }) =>
        answer === "approved" ? effects.flatMap(addressed) : [],
      ),
    ];
  };
}

/** A node is a contact only if its words are the owner's own: nobody makes a contact by a mail that is kept as a note. */
function contactsOfNode({
  id,
  title,
  aliases,
  properties,
  label,
  commented,
  archived,
}: NoteNode): readonly Contact[] {
  if (label.integrity !== "user" || commented || archived) return [];
  const nicknames = ["NICKNAME", "ALIAS"].flatMap((name) => properties[name]?.split(/[,;]/) ?? []);
  const names = [plainTitle(title), ...aliases, ...nicknames]
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const given = ["EMAIL", "PHONE", "IBAN"].flatMap(
    (name) => properties[name]?.split(/[,;]|\s(?=\S+@)/) ?? [],
  );
  return given.flatMap((text): readonly Contact[] => {
    const value = contactValue(text.replaceAll(/\[\[(?:mailto:|tel:)?|\](?:\[[^\]]*\])?\]/g, ""));
    return value === null ? [] : [{ names, value, entry: id }];
  });
}

/** A heading may be a link to the person's page. */
function plainTitle(title: string): string {
  return title.replaceAll(/\[\[[^\]]*\]\[([^\]]*)\]\]/g, "$1");
}

/** Whom an approved call sent or paid to, under the name before the @. */
function addressed(effect: Effect): readonly Contact[] {
  if (effect.kind !== "use-service" || (effect.act !== "send" && effect.act !== "pay")) return [];
  return findIdentifiers(effect.target)
    .filter(({ form }) => form === "address")
    .map(({ value }) => ({
      names: [(value.split("@")[0] ?? "").replaceAll(/[._-]/g, " ")],
      value,
      past: true,
    }));
}
