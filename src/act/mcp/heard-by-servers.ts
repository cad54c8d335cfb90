import { bottomLabel, joinLabels, type Label } from "../../signal/label.ts";

/** How secret the texts were that each server was told in this process. A server can return them in any later result of any tool. */
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
