-- A person for whom timing and explanation decide. Ratios travel better than levels: studies give
-- odds, and the level is an option. Explained up front, timing matters little (Elbitar et al. 2021
-- give the sign alone, so that part is assumed).
-- `source` names a record of config/sources/behaviour-sources.json; reports list what is assumed.

local function number(default, min, max, unit, source, about)
  return { default = default, min = min, max = max, unit = unit, source = source, about = about }
end
local function share(default, source, about)
  return number(default, 0, 1, "share", source, about)
end

-- The share that agrees: `base` where the request is expected and unexplained.
local function in_context(base, prompt, options)
  local p, timing = base, options.unexpected_odds
  if prompt.primed then
    p, timing = odds(p, options.explained_odds), timing ^ options.timing_left_when_explained
  end
  if not prompt.expected then p = odds(p, 1 / timing) end
  if prompt.ordinal > 1 then p = odds(p, 1 / options.again_odds ^ (prompt.ordinal - 1)) end
  return p
end

local giving = { allow = true, always_allow = true, change_to_always_allow = true, settings = true }
local function either(prompt, p)
  local yes, no = prompt.choices[1], prompt.choices[2]
  if not giving[yes] then yes, no = no, yes end
  return rng.pick { [yes] = p, [no] = 1 - p }
end

local function choose(prompt, options)
  local kind = prompt.kind
  if kind == "background_reminder" then return either(prompt, 1 - options.reminder_downgrade_share)
  elseif kind == "always_upgrade" or kind == "always_confirm" then
    return either(prompt, in_context(options.upgrade_share, prompt, options))
  end
  local p = in_context(options.grant_share, prompt, options)
  if #prompt.choices == 2 then return either(prompt, p) end
  if kind == "always" then -- iOS 11 and 12 have no Allow Once.
    local always = p * options.upgrade_share
    return rng.pick { always_allow = always, only_while_using = p - always, dont_allow = 1 - p }
  end
  local once = p * options.once_part
  return rng.pick { allow_while_using = p - once, allow_once = once, dont_allow = 1 - p }
end

return {
  options = {
    grant_share = share(0.84, "bonne-grant-overall", "agrees when expected and not explained"),
    -- 1.12 times as many grants are 1.27 times the odds at 50 %, 1.56 at 70 %, 2.15 at 80 %.
    explained_odds = number(1.6, 0.01, 100, "odds ratio", "tan-purpose-string",
      "of agreeing, when a screen of the app's has just explained it, over not"),
    -- Twice as many refuse: 2.5 times the odds where 16 % refuse what they expect.
    unexpected_odds = number(2.5, 0.01, 100, "odds ratio", "cao-unexpected",
      "of refusing, when nothing just tapped needs it, over expected"),
    timing_left_when_explained = share(0.25, "assumed",
      "of the effect of timing, on the logarithm of the odds, once explained"),
    again_odds = number(1.5, 0.01, 100, "odds ratio", "assumed",
      "of refusing, for each earlier prompt of this kind"),
    once_part = share(0.18, "assumed", "of those who agree: says Allow Once"),
    upgrade_share = share(0.4, "google-whileinuse-share", "takes Always, expected, not explained"),
    reminder_downgrade_share = share(0.11, "ls-ios13-background-off-6w",
      "gives Always up at a background reminder: one every three days makes 80 % in six weeks"),
    continue_share = share(0.8, "assumed", "goes on from the app's own screen"),
    taps_per_session = number(1.5, 0, 100, "1/session", "assumed", "mean, where time allows"),
    tap_seconds = number(6, 0, 3600, "s", "assumed", "mean from opening or the last tap to a tap"),
    thinking_seconds = number(4, 0, 3600, "s", "assumed", "median before an answer; sigma 0.5"),
  },

  next_tap = function(_, person, features)
    local taps = person.options.taps_per_session
    if not rng.chance(taps / (1 + taps)) then return nil end
    return features[rng.integer(1, #features)], rng.exponential(person.options.tap_seconds)
  end,

  answer_prompt = function(_, prompt, person)
    local after = rng.lognormal(person.options.thinking_seconds, 0.5)
    return choose(prompt, person.options), { after = after }
  end,

  answer_primer = function(_, _, person)
    return rng.chance(person.options.continue_share) and "continue" or "not_now"
  end,
}
