-- A person who gives as little as they can: once rather than for good, coarse rather than precise,
-- never Always without a struggle; who looks after it in Settings, and may delete an app that asks.
-- `source` names a record of config/sources/behaviour-sources.json; reports list what is assumed.

local function number(default, min, max, unit, source, about)
  return { default = default, min = min, max = max, unit = unit, source = source, about = about }
end
local function share(default, source, about)
  return number(default, 0, 1, "share", source, about)
end

-- The buttons that give more, on two-button prompts of any iOS.
local giving = { allow = true, always_allow = true, change_to_always_allow = true, settings = true }
local function either(prompt, p)
  local yes, no = prompt.choices[1], prompt.choices[2]
  if not giving[yes] then yes, no = no, yes end
  return rng.pick { [yes] = p, [no] = 1 - p }
end

-- Without a reason it is a request of no visible benefit; a reason, and a tap that needs it, help.
local function agrees(prompt, options)
  local p = options.grant_share
  if prompt.primed then p = odds(p, options.explained_odds) end
  if prompt.expected then p = odds(p, options.expected_odds) end
  return p
end

local function choose(prompt, options)
  local kind = prompt.kind
  if kind == "background_reminder" then return either(prompt, 1 - options.reminder_downgrade_share)
  elseif kind == "always_upgrade" or kind == "always_confirm" then
    return either(prompt, options.always_share)
  end
  local p = agrees(prompt, options)
  if #prompt.choices == 2 then return either(prompt, p) end
  if kind == "always" then -- iOS 11 and 12 have no Allow Once.
    local always = p * options.always_share
    return rng.pick { always_allow = always, only_while_using = p - always, dont_allow = 1 - p }
  end
  local once = p * options.once_part
  return rng.pick { allow_while_using = p - once, allow_once = once, dont_allow = 1 - p }
end

return {
  options = {
    -- A proxy: of the tracking prompt, the best known request without a benefit to the person.
    grant_share = share(0.35, "att-inmobi", "agrees to a request that nothing has explained"),
    explained_odds = number(1.6, 0.01, 100, "odds ratio", "tan-purpose-string", "of agreeing"),
    expected_odds = number(2.5, 0.01, 100, "odds ratio", "cao-unexpected", "of agreeing, at a tap"),
    once_part = share(0.6, "assumed", "of those who agree: says Allow Once"),
    precise_off_share = share(0.5, "assumed", "turns Precise Location off in the prompt"),
    always_share = share(0.05, "assumed", "takes Always when asked for it"),
    reminder_downgrade_share = share(0.75, "google-reminder-downgrade", "gives Always up"),
    continue_share = share(0.5, "assumed", "goes on from the app's own screen"),
    delete_share = share(0.05, "assumed", "deletes the app within a day of a prompt it did not "
      .. "expect; Firefox's 19 % who leave a site at once are the ceiling"),
    review_days = number(30, 1, 3650, "d", "assumed", "mean between two looks at Settings"),
    restrict_share = share(0.58, "almuhimedi-restrict", "takes a grant back at such a look"),
    taps_per_session = number(1, 0, 100, "1/session", "assumed", "mean, where time allows"),
    tap_seconds = number(8, 0, 3600, "s", "assumed", "mean from opening or the last tap to a tap"),
    thinking_seconds = number(6, 0, 3600, "s", "assumed", "median before an answer; sigma 0.5"),
  },

  next_tap = function(_, person, features)
    local taps = person.options.taps_per_session
    if not rng.chance(taps / (1 + taps)) then return nil end
    return features[rng.integer(1, #features)], rng.exponential(person.options.tap_seconds)
  end,

  answer_prompt = function(self, prompt, person)
    local options = person.options
    local after = rng.lognormal(options.thinking_seconds, 0.5)
    local is_coarse = rng.chance(options.precise_off_share)
    if not prompt.expected and rng.chance(options.delete_share) then self.leaves = true end
    local choice = choose(prompt, options) -- Last: the draw that stories show.
    local has_switch = prompt.kind == "when_in_use" and choice ~= "dont_allow" and prompt.ios >= 14
    return choice, { precise = not (has_switch and is_coarse), after = after }
  end,

  answer_primer = function(_, _, person)
    return rng.chance(person.options.continue_share) and "continue" or "not_now"
  end,

  -- A look at Settings takes back one step of what the app has, and gives nothing.
  each_day = function(self, person)
    if self.leaves then
      self.leaves = nil
      return phone.delete_app()
    end
    local options, status = person.options, person.status
    if not rng.chance(1 / options.review_days * options.restrict_share) then return end
    if status == "authorizedAlways" then phone.settings("while_using")
    elseif status == "authorizedWhenInUse" then phone.settings("ask_next_time") end
  end,
}
