import { readFileSync } from "node:fs";
import { z } from "zod";
import { describeError } from "../text/describe-error.ts";
import { replaceFile, versionOfFile } from "./replace-file.ts";

/** A sender in a chat whose words there are the owner's. */
export type ChatLink = {
  readonly service: string;
  readonly chat: string;
  readonly sender: string;
  readonly kind: "private" | "group";
  /** How chat and sender were called when they were linked: words of others. */
  readonly name: string;
  /** Unix milliseconds. */
  readonly linkedAt: number;
};

/**
 * The chats that the owner linked, in a file of the configuration folder that no action may write. It is read
 * again whenever it changed.
 */
export type ChatLinks = {
  readonly path: string;
  /** None where the file cannot be used. */
  readonly all: () => readonly ChatLink[];
  /** Why the file cannot be used, in words; null if it can, or if there is none. */
  readonly fault: () => string | null;
  /** Throws where the file cannot be used or written. */
  readonly add: (link: ChatLink) => void;
  /** Links whoever is linked in one group in another one too, which is the same group under another id. */
  readonly copy: (service: string, from: string, to: string) => void;
  /**
   * Takes away the links of a service, or those of one of its chats. Gives how many there were. Throws where
   * the file cannot be used or written.
   */
  readonly remove: (service: string, chat: string | null) => number;
};

const name = z.string().min(1).max(200);
/** The most chats that the file holds. */
const mostLinks = 100;
const fileSchema = z.strictObject({
  version: z.literal(1),
  links: z
    .array(
      z.strictObject({
        service: name,
        chat: name,
        sender: name,
        kind: z.enum(["private", "group"]),
        name: z.string().max(500),
        linkedAt: z.number(),
      }),
    )
    .max(mostLinks),
});

type Read = { readonly version: string; readonly links: readonly ChatLink[]; readonly fault: string | null };

/** Opens the links of a file, which need not exist. */
export function openChatLinks(path: string): ChatLinks {
  const known: { read: Read } = { read: { version: "", links: [], fault: null } };
  const read = (): Read => {
    const version = versionOfFile(path);
    if (version !== known.read.version) known.read = readLinks(path, version);
    return known.read;
  };
  const change = (links: readonly ChatLink[]): void => {
    const { fault } = read();
    if (fault !== null) throw new Error(fault);
    if (links.length > mostLinks)
      throw new Error(
        `${mostLinks} chats are linked, which is the most. Take one out: passepartout gateway unlink`,
      );
    replaceFile(path, `${JSON.stringify({ version: 1, links }, null, 1)}\n`);
  };
  return {
    path,
    all: () => read().links,
    fault: () => read().fault,
    add: (link) => change([...read().links.filter((one) => !isSame(one, link)), link]),
    copy(service, from, to) {
      const { links } = read();
      const copies = links
        .filter((one) => one.service === service && one.chat === from && one.kind === "group")
        .map((one) => ({ ...one, chat: to }))
        .filter((copy) => !links.some((one) => isSame(one, copy)));
      if (copies.length > 0) change([...links, ...copies]);
    },
    remove(service, chat) {
      const { links } = read();
      const left = links.filter((one) => one.service !== service || (chat !== null && one.chat !== chat));
      if (left.length < links.length) change(left);
      return links.length - left.length;
    },
  };
}

function isSame(one: ChatLink, { service, chat, sender }: ChatLink): boolean {
  return one.service === service && one.chat === chat && one.sender === sender;
}

function readLinks(path: string, version: string): Read {
  try {
    const { links } = fileSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return { version, links, fault: null };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { version, links: [], fault: null };
    const fault = `${path} cannot be used, so no chat is linked: ${describeError(error)}. Mend it, or move it away and link the chats again.`;
    return { version, links: [], fault };
  }
}
