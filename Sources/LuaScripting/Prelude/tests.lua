-- What a file of tests sees, and how it is read and run. Given the globals of behaviors, `ask`, by
-- which the host does and tells things, and `line`. Runs after sandbox.lua, in a state of its own.

local base, ask, line = ...
local fail, nearest, odd_text = host.fail, host.nearest, host.odd_text
local abs, concat, floor = math.abs, table.concat, math.floor
local ipairs, pairs, pcall, rawequal, rawget, setmetatable, tostring, type =
  ipairs, base.pairs, base.pcall, rawequal, rawget, setmetatable, tostring, type

local function words(text)
  local set = {}
  for word in text:gmatch("[%a_]+") do set[word] = true end
  return set
end

-- What the host knows by these names: `TestBench`.
local verbs = words [[
  launch leave background terminate force_quit delete_app reinstall reboot upgrade_os
  migrate_device tap answer answer_primer answer_settings_alert settings precise location_services
  restrict_location reset_location_privacy background_app_refresh place_widget tap_location_button
  move fail_positions wait run]]
local fields = words [[
  prompt status true_status accuracy own_screen process installed sessions ios day time features
  outcomes milestones callbacks prompts answers primers requests calls counters observed]]
local asks = words [[
  answer_prompt answer_primer answer_settings_alert next_open session_length next_tap each_day]]
local traits = words "status day local_hour acts counters observed milestones"

-- The nearest name; ours are written_so, whoever writesThemSo.
local function near(name, known)
  local ours = tostring(name):gsub("%u", function(letter) return "_" .. letter:lower() end)
  return nearest(ours, known)
end

-- The field that was looked at last, and what it was: a word says nothing of where it comes from.
local last = {}

local function look(name, value)
  last.name, last.value = name, value
  return value
end

-- MARK: Values in messages

local bytes_max, items_max, depth_max = 100, 12, 3

local function show(value, depth)
  if type(value) == "string" then
    if #value > bytes_max then value = value:sub(1, bytes_max) .. "…" end
    return '"' .. value .. '"'
  elseif type(value) ~= "table" then
    return type(value) == "function" and "a function" or tostring(value)
  end
  depth = depth or 1
  if depth > depth_max then return "{ … }" end
  local parts, count = {}, 0
  for key, item in pairs(value) do
    count = count + 1
    if count > items_max then
      parts[count] = "…"
      break
    end
    local name = type(key) == "string" and key .. " = " or ""
    parts[count] = name .. show(item, depth + 1)
  end
  return count == 0 and "{}" or "{ " .. concat(parts, ", ") .. " }"
end

local function same(left, right, depth)
  if rawequal(left, right) or left == right then return true end
  if type(left) ~= "table" or type(right) ~= "table" or depth > 16 then return false end
  for key, value in pairs(left) do
    if not same(value, right[key], depth + 1) then return false end
  end
  for key in pairs(right) do if left[key] == nil then return false end end
  return true
end

-- MARK: expect

local function expected(what, value) fail("expected " .. what .. ", seen " .. show(value)) end

local function number(value, what)
  if type(value) ~= "number" then fail(what .. " is a number, not " .. show(value)) end
  return value
end

local matchers = {}

function matchers.to_be(seen, value)
  if type(seen.value) == "table" and type(value) == "table" then
    fail("to_be compares what is one and the same: for two tables there is to_equal")
  end
  if seen.value == value then return end
  local doubt = seen.field and type(value) == "string" and ask("word", seen.field, value) or ""
  fail("expected " .. show(value) .. ", seen " .. show(seen.value) .. doubt)
end
function matchers.not_to_be(seen, value)
  if seen.value == value then expected("anything but " .. show(value), seen.value) end
end
function matchers.to_equal(seen, value)
  if not same(seen.value, value, 1) then expected(show(value), seen.value) end
end
function matchers.to_be_nil(seen)
  if seen.value ~= nil then expected("nil", seen.value) end
end
function matchers.not_to_be_nil(seen)
  if seen.value == nil then expected("something", seen.value) end
end
function matchers.to_be_above(seen, low)
  if number(seen.value, "what is compared") > number(low, "the bound") then return end
  expected("a number above " .. show(low), seen.value)
end
function matchers.to_be_below(seen, high)
  if number(seen.value, "what is compared") < number(high, "the bound") then return end
  expected("a number below " .. show(high), seen.value)
end
function matchers.to_be_near(seen, value, tolerance)
  local distance = abs(number(seen.value, "what is compared") - number(value, "the value"))
  if distance <= number(tolerance, "the tolerance") then return end
  expected(show(value) .. " ± " .. show(tolerance), seen.value)
end
function matchers.to_contain(seen, item)
  local value = seen.value
  if type(value) == "string" and type(item) == "string" then
    if value:find(item, 1, true) then return end
  elseif type(value) == "table" then
    for _, other in pairs(value) do if same(other, item, 1) then return end end
  else
    fail("to_contain looks into a list or a string, not " .. show(value))
  end
  expected("something with " .. show(item), value)
end
function matchers.to_have_length(seen, length)
  local value = seen.value
  if type(value) ~= "string" and type(value) ~= "table" then
    fail("to_have_length counts a list or a string, not " .. show(value))
  end
  if #value ~= length then expected("a length of " .. show(length) .. ", not " .. #value, value) end
end
function matchers.to_fail(seen, text)
  if type(seen.value) ~= "function" then
    fail("to_fail calls a function, not " .. show(seen.value))
  end
  local is_done, message = pcall(seen.value)
  if is_done then fail("expected a failure, seen none") end
  if text and not tostring(message):find(text, 1, true) then
    expected("a failure with " .. show(text), tostring(message))
  end
end

local has_checked = false

local function note_check()
  if not has_checked then ask("checked") end
  has_checked = true
end

local mark, checks = {}, {} -- What expect returns has the mark as a key.
for name, matcher in pairs(matchers) do
  checks[name] = function(seen, ...)
    if type(seen) ~= "table" or not rawget(seen, mark) then
      fail("matchers are called with a colon: expect(…):" .. name .. "(…)")
    end
    note_check()
    matcher(seen, ...)
  end
end

local function no_matcher(_, name)
  if name == "value" or name == "field" then return nil end
  fail("expect(…) has no '" .. tostring(name) .. "'" .. near(name, matchers))
end
setmetatable(matchers, { __index = no_matcher })
setmetatable(checks, { __index = no_matcher })
local seen_meta = { __index = checks, __metatable = false }

local expect = setmetatable({}, {
  __metatable = false,
  __call = function(_, value)
    local field = rawequal(last.value, value) and last.name or nil
    last = {}
    return setmetatable({ value = value, field = field, [mark] = true }, seen_meta)
  end,
  __index = function(_, name)
    local equal = name == "equal" and "to_equal" or name == "fail" and "to_fail" or name
    local matcher = matchers[equal]
    return function(value, ...)
      note_check()
      matcher({ value = value }, ...)
    end
  end,
})

-- MARK: The device

-- A method that hands its arguments to the host, and is called with a colon.
local function method(object, title, name, call)
  return function(self, ...)
    if self ~= object then
      fail("methods of the " .. title .. " are called with a colon: " .. title .. ":" .. name)
    end
    return call(name, ...)
  end
end

local function read_only(title)
  return function(_, name)
    fail("a " .. title .. " is read-only: " .. tostring(name) .. " cannot be set")
  end
end

local function new_device()
  local device, methods = {}, {}
  for name in pairs(verbs) do
    methods[name] = method(device, "device", name, function(...) return ask("do", ...) end)
  end
  local function index(_, name)
    if methods[name] then return methods[name] end
    if fields[name] then return look(name, ask("see", name)) end
    local known = {}
    for verb in pairs(verbs) do known[verb] = true end
    for field in pairs(fields) do known[field] = true end
    fail("a device has no '" .. tostring(name) .. "'" .. near(name, known))
  end
  return setmetatable(device,
    { __index = index, __newindex = read_only("device"), __metatable = false })
end

-- MARK: People

local function new_person()
  local person, place, methods = {}, nil, {}
  local function born()
    place = place or ask("born")
    return place
  end
  for name in pairs(asks) do
    methods[name] = method(person, "person", name,
      function(...) return ask("hook", born(), ...) end)
  end
  local function index(_, name)
    if methods[name] then return methods[name] end
    if traits[name] then return look(name, ask("trait", born(), name)) end
    local known = {}
    for hook in pairs(asks) do known[hook] = true end
    for trait in pairs(traits) do known[trait] = true end
    fail("a person has no '" .. tostring(name) .. "'" .. near(name, known))
  end
  local function set(_, name, value)
    if name ~= "status" and name ~= "day" and name ~= "local_hour" then
      fail("status, day and local_hour of a person can be set, not '" .. tostring(name) .. "'")
    end
    ask("set_trait", born(), name, value)
  end
  return setmetatable(person, { __index = index, __newindex = set, __metatable = false })
end

-- The share of so many people, each new, for whom `holds` says yes.
local function share(count, holds)
  if type(count) ~= "number" or count < 1 or count ~= floor(count) then
    fail("share takes a number of people first, not " .. show(count))
  end
  if type(holds) ~= "function" then fail("share takes a function second, not " .. show(holds)) end
  local sum = 0
  for place = 1, count do
    if holds(new_person(), place) then sum = sum + 1 end
  end
  return sum / count
end

-- MARK: A file

local file_keys = words "strategy behavior options plist ios seed features tests"
local test_keys = words "options plist ios seed"

local function wrong(path, message) ask("wrong", path, message) end

local function versions(value, path)
  if value == nil then return nil end
  if type(value) == "string" or type(value) == "number" then value = { value } end
  if type(value) ~= "table" or #value == 0 then
    wrong(path, "ios is a version such as \"17.0\", a range such as \"13..18\", or a list of them")
  end
  local list = {}
  for place, version in ipairs(value) do list[place] = tostring(version) end
  return list
end

local function check_keys(value, known, path, owner)
  for key, item in pairs(value) do
    local name = tostring(key)
    if key == "strategy" or key == "behavior" or key == "plist" then
      if type(item) ~= "string" then
        wrong(path(name), name .. " is the name of a file, not " .. show(item))
      end
    elseif key == "seed" and (type(item) ~= "number" or item < 0 or item ~= floor(item)) then
      wrong(path(name), "seed is a whole number from 0 on, not " .. show(item))
    elseif key == "options" or key == "features" or key == "tests" then
      if type(item) ~= "table" then wrong(path(name), name .. " is a table, not " .. show(item)) end
    end
    if type(key) ~= "number" and not known[key] then
      wrong(path(name), owner .. " has no '" .. name .. "'" .. nearest(name, known))
    end
  end
end

local function refuse_script(file)
  local names = {}
  for key in pairs(file) do if type(key) == "string" then names[#names + 1] = key end end
  local kind = file.tests == nil and ask("kind", names)
  if not kind then return end
  wrong({}, "this is a " .. kind .. ", and a file of tests is due, which names it: return { "
    .. kind .. " = \"…\", tests = { [\"…\"] = function(device) … end } }; "
    .. "'locfleet check' looks at scripts themselves")
end

-- What the table itself holds: a name that is not there could come from an `__index`.
local function members(value)
  local own = {}
  for key, item in pairs(value) do own[key] = item end
  return own
end

local function describe(file)
  if type(file) ~= "table" then
    wrong({}, "a file of tests returns a table such as { strategy = \"…\", tests = { … } }, "
      .. "not " .. show(file))
  end
  file = members(file)
  refuse_script(file)
  for key in pairs(file) do
    if type(key) == "number" then
      wrong({}, "what stands in the file has names, such as tests = { … }")
    end
  end
  check_keys(file, file_keys, function(key) return { key } end, "a file of tests")
  if not file.tests then
    wrong({}, "a file of tests has tests = { [\"…\"] = function(device) … end }")
  end
  ask("file", {
    strategy = file.strategy, behavior = file.behavior, options = file.options, plist = file.plist,
    ios = versions(file.ios, { "ios" }), seed = file.seed, features = file.features,
  })
  for name, test in pairs(file.tests) do
    if type(name) ~= "string" or name == "" then
      wrong({ "tests" }, "a test has a name: [\"asks at the tap\"] = function(device) … end")
    end
    if odd_text(name) then
      wrong({ "tests" }, "the name of a test is text in UTF-8, not " .. odd_text(name))
    end
    local settings = type(test) == "table" and members(test) or { test }
    local body, path = settings[1], { "tests", name }
    if type(body) ~= "function" then
      wrong(path, "the test " .. show(name) .. " is a function, or a table with one first, not "
        .. show(test))
    end
    for key in pairs(settings) do
      if type(key) == "number" and key ~= 1 then
        wrong(path, "the test " .. show(name) .. " has one function, not several")
      end
    end
    check_keys(settings, test_keys, function(key) return { "tests", name, key } end,
      "the test " .. show(name))
    ask("test", {
      name = name, line = line(body), options = settings.options, plist = settings.plist,
      ios = versions(settings.ios, path), seed = settings.seed,
    })
  end
end

local function run(file, name)
  local test = file.tests[name]
  ;(type(test) == "table" and test[1] or test)(new_device(), new_person())
end

-- MARK: Globals

local globals = {}
for name in pairs(words [[
  assert error getmetatable ipairs next pairs pcall print select setmetatable tonumber tostring type
  coroutine math odds rng string table]]) do globals[name] = base[name] end
globals.expect, globals.share = expect, share
function globals.assert(...)
  note_check()
  return base.assert(...)
end

local environment = setmetatable({}, {
  __metatable = false,
  __index = function(_, name)
    if globals[name] ~= nil then return globals[name] end
    fail("there is no '" .. tostring(name) .. "'" .. nearest(tostring(name), globals))
  end,
  __newindex = function(_, name)
    fail("'" .. tostring(name) .. "' is no local: write 'local " .. tostring(name) .. "' first")
  end,
})

return environment, describe, run
