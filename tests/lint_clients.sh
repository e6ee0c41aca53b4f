#!/bin/sh
# Lints the editors' clients: TypeScript with ESLint, Lua with luacheck. A finding fails.
# A linter that is not here is installed: ESLint by npm into node_modules, luacheck from Debian's packages into the user's
# cache. Where that is not possible, a line says which client was not linted, and nothing fails.
set -eu
cd "$(dirname "$0")/.."

# ESLint needs Node 20.19.
supports_eslint() {
  node -e 'const [major, minor] = process.versions.node.split(".").map(Number);
           process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' 2>/dev/null
}

lint_typescript() {
  if ! supports_eslint || ! command -v npm >/dev/null; then
    echo "The VS Code client was not linted: Node 20.19 or later and npm are needed."
  elif ! make --silent node_modules/.package-lock.json >/dev/null 2>&1; then
    echo "The VS Code client was not linted: \`npm ci\` failed; run it to see why."
  else
    npm run --silent check
  fi
}

# Prints the path of luacheck; fails if there is none and none can be installed.
find_luacheck() {
  if command -v luacheck; then return; fi
  folder=${XDG_CACHE_HOME:-$HOME/.cache}/dovetail-tests/luacheck
  if ! test -x "$folder/luacheck"; then
    start=$(sh tests/end_to_end/unpack.sh "$folder" trixie lua-check 2>/dev/null) || return
    root=$folder/root/usr
    cat >"$folder/start" <<END
#!/bin/sh
export LUA_PATH="$root/share/lua/5.1/?.lua;$root/share/lua/5.1/?/init.lua;;"
export LUA_CPATH="$root/lib/$(uname -m)-linux-gnu/lua/5.1/?.so;;"
exec $start $root/bin/lua5.1 $root/bin/luacheck "\$@"
END
    chmod +x "$folder/start"
    mv "$folder/start" "$folder/luacheck"    # last, so that only a complete installation is found again
  fi
  echo "$folder/luacheck"
}

lint_lua() {
  if luacheck=$(find_luacheck); then
    (cd client-neovim && "$luacheck" --quiet --no-color .)
  else
    echo "The Neovim client was not linted: luacheck is not installed (Debian: lua-check)."
  fi
}

lint_typescript
lint_lua
