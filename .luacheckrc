std = "lua54"
max_line_length = 100
-- What a script gets from its host.
read_globals = {
  "app", "rng", "odds", "phone", "funnel", "metric", "wait", "CLLocationManager",
  "CLServiceSession", "CLBackgroundActivitySession", "CLMonitor", "CLLocationUpdate",
}
-- A hook names all that it is given, used or not.
unused_args = false

-- The prelude runs before there is a sandbox, and builds it out of the whole of Lua.
files["Sources/LuaScripting/Prelude"] = {
  globals = { "host", "pairs", "tostring", "string", "table" },
}
-- What tests of scripts see beside.
files["scripts/tests"] = { read_globals = { "expect", "share" } }
-- Scripts kept as others wrote them.
files["Tests/LuaScriptingTests/Data"] = { max_line_length = false }
-- For editors, and generated: `locfleet api --annotations`.
exclude_files = { "scripts/locfleet.d.lua" }
