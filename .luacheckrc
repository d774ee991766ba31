std = "lua54"
max_line_length = 100
-- What a script gets from its host.
read_globals = { "app", "rng", "odds", "phone", "metric", "wait", "CLLocationManager" }
-- A hook names all that it is given, used or not.
unused_args = false

files["Sources/LuaScripting/Prelude"] = {
  read_globals = { "host" },
  globals = { "host", "pairs", "tostring", "string", "table" },
}
