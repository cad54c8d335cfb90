import { basename, dirname, join } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { executedLaterRule } from "../../text/later/executed-later.ts";
import { executedLaterByName, obeyedForContents } from "../../text/later/later-change.ts";
import { shadowedByLink } from "../../text/later/python-modules.ts";
import { errorCode } from "../files/fallible.ts";
import { namedByRepository } from "../files/git-names.ts";
import { LeadsElsewhere } from "../files/open-beneath.ts";
import { type FoundEntry, followLinks, lookAt } from "../files/real-path.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { walkEntries } from "./fingerprint.ts";
import { lookAt as contentsAt } from "./text-of.ts";

/** Entries behind all links of a difference that are looked at. */
const mostEntries = 50_000;

/**
 * Says why links that a command made are not like any other file. They are followed in the overlay, as
 * whoever follows them once they are kept; nothing outside of it is looked at.
 */
export class LinkRules {
  readonly #overlay: Overlay;
  #left = mostEntries;

  constructor(overlay: Overlay) {
    this.#overlay = overlay;
  }

  /**
   * Null where a link leads to a place in the workspace that has nothing that is executed later, by its own
   * name or by that of the link. `incoming` is where the link lies now, `before` what the file held that it
   * takes the place of.
   */
  async of(
    target: string,
    { incoming, before }: { readonly incoming: string; readonly before: string | null },
  ): Promise<string | null> {
    const { folder } = this.#overlay;
    const found = await lookAt(incoming);
    if (typeof found === "string") return "it is a link that cannot be read";
    const text = found.target;
    if (text.includes("\ufffd")) return "it is a link to a name that is not in UTF-8";
    const leads = await followLinks(text.startsWith("/") ? text : `${dirname(target)}/${text}`, (path) =>
      this.#look(path),
    );
    if (!isInside(folder, leads.path)) return `it is a link out of the workspace, to ${leads.path}`;
    const why = shadowedByLink(target, folder) ?? (await namedByRepository(target));
    if (why !== null) return why;
    if (leads.obstacle !== null) return null;
    return (await this.#obeyed(target, leads.path, before)) ?? this.#behind(target, leads.path);
  }

  /**
   * What the contents count for under the name of the link. A file of another name is asked about whatever
   * it holds: a later change of it would be judged by its own name.
   */
  async #obeyed(target: string, leads: string, before: string | null): Promise<string | null> {
    if (obeyedForContents(target, leads))
      return `${basename(target)} is obeyed, and it is a link to ${leads}`;
    try {
      await using parent = await this.#overlay.openFolder(dirname(leads));
      const look = contentsAt(parent.at(basename(leads)));
      if (look === null) return null;
      if (look.isWhole) return executedLaterByName(target, before ?? "", look.text);
      return obeyedForContents(target, "") ? "it is a link to a file that is too large to look into" : null;
    } catch (fault) {
      if (isNoFolder(fault)) return null;
      throw fault;
    }
  }

  async #look(path: string): Promise<FoundEntry> {
    const { folder } = this.#overlay;
    if (path === folder || !isInside(folder, path)) return "no-link";
    try {
      await using parent = await this.#overlay.openFolder(dirname(path));
      return await lookAt(parent.at(basename(path)));
    } catch (fault) {
      if (isNoFolder(fault)) return "missing";
      throw fault;
    }
  }

  /** What is executed later, and has a second name by a link to a folder. */
  async #behind(target: string, leads: string): Promise<string | null> {
    if (executedLaterRule(target) !== null) return null;
    try {
      await using folder = await this.#overlay.openFolder(leads);
      for await (const { inside } of walkEntries(folder.at())) {
        this.#left -= 1;
        if (this.#left < 0) return "it is a link to a folder that is too large to look into";
        const why = inside === "" ? null : executedLaterRule(join(target, inside));
        if (why !== null)
          return `it is a link to ${leads}, so that ${join(target, inside)} is that of ${leads}, and ${why}`;
      }
      return null;
    } catch (fault) {
      if (isNoFolder(fault)) return null;
      throw fault;
    }
  }
}

/** Nothing is there, or a file, or nothing can be there since its name is too long. */
function isNoFolder(fault: unknown): boolean {
  return fault instanceof LeadsElsewhere || ["ENOENT", "ENAMETOOLONG"].includes(errorCode(fault));
}
