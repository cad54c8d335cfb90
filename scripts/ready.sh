# Read by ./passepartout and scripts/node, with $root set, and $checks where what checks and tests use is wanted too. Leaves $node, and a build that is newer than what it is made of.
# This is the whole cost of a start that needs no set-up: one find(1), no npm, no other Node.
node=$root/.passepartout/node/node_modules/.bin/node
if ! [ -x "$node" ] || ! [ -d "$root/node_modules" ] || ! [ -f "$root/dist/.built" ] || ! [ -s "$root/dist/main.js" ] ||
  { [ -n "${checks-}" ] && ! [ -f "$root/node_modules/.checkers" ]; } ||
  [ -n "$(find "$root/src" "$root/packages/org/src" "$root/scripts" "$root/package.json" "$root/package-lock.json" \
    -newer "$root/dist/.built" ! -name '*.test.ts')" ]; then
  if [ -x "$node" ]; then starter=$node; else starter=node; fi
  if ! command -v "$starter" >/dev/null; then
    echo "passepartout: setting up needs Node 20 or newer with npm, and there is no node on PATH: install both from your system's packages, then start again." >&2
    exit 1
  fi
  "$starter" "$root/scripts/setup.mjs" ${checks:+--checks} </dev/null >&2 || exit 1
fi
