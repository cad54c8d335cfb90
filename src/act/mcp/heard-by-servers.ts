import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";

/** What each server was told in this process: it may give that back in any later result, of whichever tool. */
export type HeardByServers = {
  readonly add: (server: string, label: Label) => void;
  /** How secret its results are at least. */
  readonly of: (server: string) => Label;
};

export function openHeardByServers(): HeardByServers {
  const heard = new Map<string, Label>();
  const of = (server: string): Label => heard.get(server) ?? bottomLabel;
  return {
    of,
    add(server, { secrecy }) {
      heard.set(server, joinLabels(of(server), { ...bottomLabel, secrecy }));
    },
  };
}
