/** A known fault of the runtime or of a library, with the versions that it is in. */
export type Advisory = {
  readonly id: string;
  /** `node`, or the name of a package in the lock file. */
  readonly component: string;
  readonly about: string;
  /** What this program leaves undone while the fault is there. */
  readonly avoided?: string;
  /** Day on which it was published. */
  readonly published: string;
  /**
   * Each range begins at `introduced` and ends before `fixed`; without `fixed` no later version is known to
   * be fixed.
   */
  readonly affected: readonly { readonly introduced: string; readonly fixed?: string }[];
};

/** Day on which each locked package and the runtime were last looked up. */
export const advisoriesDay = "2026-11-28";

/**
 * The release of 2026-10-21, which fixed these in each line of Node that is still mended. Lines between them
 * end unmended.
 */
const nodeOfOctober = [
  { introduced: "0.0.0", fixed: "22.23.4" },
  { introduced: "23.0.0", fixed: "24.22.1" },
  { introduced: "25.0.0", fixed: "26.12.1" },
];

/**
 * The advisories that were found for what this program runs on and is made of. `npm run check` compares them
 * with the pinned runtime and the lock file, `doctor` with the Node that runs.
 */
export const advisories: readonly Advisory[] = [
  {
    id: "CVE-2026-111497",
    component: "node",
    about: "the Brotli decoder writes past its buffer, which can run code of a server",
    avoided: "nothing is asked for or read in Brotli",
    published: "2026-10-21",
    affected: nodeOfOctober,
  },
  {
    id: "CVE-2026-105482",
    component: "node",
    about: "a host name is cut at a NUL byte when it is resolved",
    published: "2026-10-21",
    affected: nodeOfOctober,
  },
  {
    id: "CVE-2026-105483",
    component: "node",
    about: "TLS takes a certificate for a host that it does not name",
    published: "2026-10-21",
    affected: nodeOfOctober,
  },
  {
    id: "CVE-2026-106069",
    component: "node",
    about: "TLS takes a certificate for a host that it does not name, by another way",
    published: "2026-10-21",
    affected: nodeOfOctober,
  },
  {
    id: "CVE-2026-16633",
    component: "unpdf",
    about: "the PDF.js inside runs scripts of a crafted PDF",
    published: "2026-07-28",
    // Bundles PDF.js 5.6.205 and 6.1.200; affected are those from 5.6.83 to before 6.2.108.
    affected: [{ introduced: "1.5.0" }],
  },
  {
    id: "CVE-2026-110180",
    component: "fast-uri",
    about: "takes another host out of an address than URL does",
    published: "2026-10-20",
    affected: [{ introduced: "0.0.0", fixed: "3.1.9" }],
  },
  {
    id: "CVE-2026-69152",
    component: "brace-expansion",
    about: "a pattern exhausts the memory",
    published: "2026-08-01",
    affected: [{ introduced: "5.0.0", fixed: "5.0.9" }],
  },
  {
    id: "CVE-2026-84364",
    component: "hono",
    about: "a nested form exhausts the memory",
    published: "2026-09-01",
    affected: [{ introduced: "0.0.0", fixed: "4.13.5" }],
  },
  {
    id: "CVE-2026-126210",
    component: "@hono/node-server",
    about: "named without its versions so far: only the newest is taken for fixed",
    published: "2026-11-20",
    affected: [{ introduced: "0.0.0", fixed: "2.1.9" }],
  },
];
