-- A person whom the system's background reminders set thinking. Some react and some never do, which
-- is decided once for each; who reacts gives Always up at a reminder, or goes to Settings within a
-- day and takes more back; each further reminder moves them less, and a few change their mind.
-- `source` names a record of config/sources/behaviour-sources.json; reports list what is assumed.

local function number(default, min, max, unit, source, about)
  return { default = default, min = min, max = max, unit = unit, source = source, about = about }
end
local function share(default, source, about)
  return number(default, 0, 1, "share", source, about)
end

local giving = { allow = true, always_allow = true, change_to_always_allow = true, settings = true }
local function either(prompt, p)
  local yes, no = prompt.choices[1], prompt.choices[2]
  if not giving[yes] then yes, no = no, yes end
  return rng.pick { [yes] = p, [no] = 1 - p }
end

-- The k-th reminder, which only some take as a nudge.
local function answer_reminder(self, prompt, options)
  if not self.reacts then return either(prompt, 1) end
  local wear = options.reminder_wear ^ (prompt.ordinal - 1)
  local reassesses, regrets = rng.chance(options.reassess_share * wear),
    rng.chance(options.regret_share)
  local choice = either(prompt, 1 - options.reminder_downgrade_share * wear)
  -- Who keeps Always there may still think it over; who gives it up may come to miss it.
  if giving[choice] then self.reassesses = reassesses or nil else self.regrets = regrets or nil end
  return choice
end

local function choose(self, prompt, options)
  local kind = prompt.kind
  if kind == "background_reminder" then return answer_reminder(self, prompt, options)
  elseif kind == "always_upgrade" or kind == "always_confirm" then
    return either(prompt, options.always_share)
  end
  local p = options.grant_share
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
    reacts_share = share(0.58, "almuhimedi-restrict", "reacts to reminders at all"),
    reminder_downgrade_share = share(0.75, "google-reminder-downgrade", "of those: gives Always up "
      .. "at their first background reminder"),
    reassess_share = share(0.95, "almuhimedi-reassess", "of those who keep it there: goes over the "
      .. "app's row in Settings within a day"),
    restrict_share = share(0.5, "assumed", "takes a step back at that visit"),
    precise_off_share = share(0.25, "assumed", "turns Precise Location off at that visit"),
    reminder_wear = share(0.7, "assumed", "of a reminder's effect, left for the next"),
    regret_share = share(0.05, "liu-recommendation-kept", "gives back what they took"),
    regret_days = number(7, 1, 3650, "d", "assumed", "mean until they do"),
    grant_share = share(0.84, "bonne-grant-overall", "agrees at the app's prompts"),
    once_part = share(0.18, "assumed", "of those who agree: says Allow Once"),
    always_share = share(0.5, "google-whileinuse-share", "takes Always when asked for it"),
    continue_share = share(0.8, "assumed", "goes on from the app's own screen"),
    taps_per_session = number(1.5, 0, 100, "1/session", "assumed", "mean, where time allows"),
    tap_seconds = number(6, 0, 3600, "s", "assumed", "mean from opening or the last tap to a tap"),
    thinking_seconds = number(4, 0, 3600, "s", "assumed", "median before an answer; sigma 0.5"),
  },

  born = function(self, person)
    if rng.chance(person.options.reacts_share) then self.reacts = true end
  end,

  next_tap = function(_, person, features)
    local taps = person.options.taps_per_session
    if not rng.chance(taps / (1 + taps)) then return nil end
    return features[rng.integer(1, #features)], rng.exponential(person.options.tap_seconds)
  end,

  answer_prompt = function(self, prompt, person)
    local options = person.options
    local after = rng.lognormal(options.thinking_seconds, 0.5)
    return choose(self, prompt, options), { after = after }
  end,

  answer_primer = function(_, _, person)
    return rng.chance(person.options.continue_share) and "continue" or "not_now"
  end,

  each_day = function(self, person)
    local options, status = person.options, person.status
    if self.reassesses then
      self.reassesses = nil
      local is_coarse = rng.chance(options.precise_off_share)
      if rng.chance(options.restrict_share) and status == "authorizedAlways" then
        phone.settings("while_using")
        if rng.chance(options.regret_share) then self.regrets = true end
      end
      if is_coarse and person.ios >= 14 then phone.precise(false) end
    elseif self.regrets and rng.chance(1 / options.regret_days) then
      self.regrets = nil
      if status == "authorizedWhenInUse" then phone.settings("always") end
    end
  end,
}
