/** A path that is visible in the sandbox: `from` outside appears as `to` inside. */
export type Bind = { readonly from: string; readonly to: string };

/** A path of which something else than a file of the system may stand in the place, and be written. */
export type BoundPlace = Bind & { readonly writable: boolean };

type Binds = { readonly readable: readonly Bind[]; readonly places?: readonly BoundPlace[] };

/**
 * What is bound outside of the workspace. Where something else than a file of the system stands in the place
 * of a folder, what lies deeper is bound after it.
 */
export function bindsOf({ readable, places = [] }: Binds): readonly string[] {
  const shown = readable.map(({ from, to }) => ({ to, words: ["--ro-bind-try", from, to] }));
  if (places.length === 0) return shown.flatMap(({ words }) => words);
  const placed = places.map(({ from, to, writable }) => {
    return { to, words: [writable ? "--bind" : "--ro-bind", from, to] };
  });
  const depth = ({ to }: { readonly to: string }): number =>
    to.split("/").filter((name) => name !== "").length;
  return [...shown, ...placed]
    .toSorted((one, other) => depth(one) - depth(other))
    .flatMap(({ words }) => words);
}
