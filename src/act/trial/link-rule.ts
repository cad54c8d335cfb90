import { basename, dirname, join } from "node:path";
import { executedLaterRule } from "../../signal/executed-later/executed-later.ts";
import { isInside } from "../../signal/is-inside.ts";
import { errorCode } from "../files/fallible.ts";
import { LeadsElsewhere } from "../files/open-beneath.ts";
import { type FoundEntry, followLinks, lookAt } from "../files/real-path.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { walkEntries } from "./fingerprint.ts";

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
   * Null where a link leads to a place in the workspace that has nothing that is executed later. `incoming`
   * is where the link lies now.
   */
  async of(target: string, incoming: string): Promise<string | null> {
    const { folder } = this.#overlay;
    const found = await lookAt(incoming);
    if (typeof found === "string") return "it is a link that cannot be read";
    const text = found.target;
    if (text.includes("\ufffd")) return "it is a link to a name that is not in UTF-8";
    const leads = await followLinks(text.startsWith("/") ? text : `${dirname(target)}/${text}`, (path) =>
      this.#look(path),
    );
    if (!isInside(folder, leads.path)) return `it is a link out of the workspace, to ${leads.path}`;
    return leads.obstacle === null ? this.#behind(target, leads.path) : null;
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

/** Nothing is there, or a file. */
function isNoFolder(fault: unknown): boolean {
  return fault instanceof LeadsElsewhere || errorCode(fault) === "ENOENT";
}
