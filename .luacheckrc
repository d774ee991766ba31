-- What a script sees: see scripts/README.md. Lua 5.4 without what could reach outside.
std = {
  read_globals = {
    "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "print", "select",
    "setmetatable", "tonumber", "tostring", "type",
    coroutine = { fields = { "create", "resume", "status", "wrap", "yield" } },
    math = { other_fields = true },
    string = { other_fields = true },
    table = { other_fields = true },
    -- Ours. `app` stands for the app of the call, in callbacks that have no such argument; a
    -- hook's own argument of that name hides it.
    odds = {},
    app = { other_fields = true },
    phone = { other_fields = true },
    rng = { other_fields = true },
  },
}
max_line_length = 100
self = false

-- The prelude runs before there is a sandbox, and builds it out of the whole of Lua.
files["Sources/LuaScripting/Prelude/"] = {
  std = "lua54",
  globals = { "host", "pairs", "string", "table", "tostring" },
}
