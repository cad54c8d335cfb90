/** A change that mends what a check found, as data: `doctor --fix` makes it, and a check never does. */
export type HealthFix =
  /** Takes the rights of other users from a file or folder. `from` and `to` are modes. */
  | { readonly kind: "set-mode"; readonly path: string; readonly from: number; readonly to: number }
  /** Gives a setting the name that was meant. Its value stays. */
  | { readonly kind: "rename-setting"; readonly path: string; readonly from: string; readonly to: string }
  /** Moves a file that is made again out of the way. */
  | { readonly kind: "set-aside"; readonly path: string }
  /** Installs a program from the machine's own packages, once the owner says yes to `command`. */
  | { readonly kind: "install-program"; readonly program: string; readonly command: string };

/** The result of one check. `finding` is something to know or to fix; `bad` makes the agent unhealthy. */
export type HealthCheck = {
  readonly name: string;
  readonly result: "ok" | "finding" | "bad";
  readonly text: string;
  readonly fix?: HealthFix;
};
