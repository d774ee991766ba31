-- A person whom prompts have worn out. At the first they still read and weigh; with each further
-- one, of any kind, they look less, answer faster, and press the button they pressed before.
-- `source` names a record of config/sources/behaviour-sources.json; reports list what is assumed.

local function number(default, min, max, unit, source, about)
  return { default = default, min = min, max = max, unit = unit, source = source, about = about }
end
local function share(default, source, about)
  return number(default, 0, 1, "share", source, about)
end

-- Where there is a choice between ways to agree, habit presses the first button.
local giving = { allow = true, always_allow = true, change_to_always_allow = true, settings = true,
  allow_while_using = true, allow_once = true }
local function button(prompt, is_yes)
  for _, choice in ipairs(prompt.choices) do
    if (giving[choice] or false) == is_yes then return choice end
  end
  return prompt.choices[is_yes and 1 or #prompt.choices]
end

-- How many still look at a prompt after `before` others: from the first share down to the floor.
local function attention(options, before)
  local floor = options.attention_floor
  return floor + math.max(0, options.attention_first - floor) * options.attention_decay ^ before
end

-- The share that agrees when they do look.
local function weigh(prompt, options)
  local p = prompt.kind == "background_reminder" and 1 - options.reminder_downgrade_share
    or options.grant_share
  if prompt.primed then p = odds(p, options.explained_odds) end
  return prompt.expected and p or odds(p, 1 / options.unexpected_odds)
end

return {
  options = {
    attention_first = share(0.9, "assumed", "looks at the first prompt"),
    attention_floor = share(0.17, "felt-attention", "looks at a prompt however many came before"),
    attention_decay = share(0.6, "assumed", "of what is above the floor, left after each prompt"),
    habit_grants_share = share(0.84, "bonne-grant-overall", "agrees unread, before any habit"),
    grant_share = share(0.84, "bonne-grant-overall", "agrees having looked, where it is expected"),
    explained_odds = number(1.6, 0.01, 100, "odds ratio", "tan-purpose-string", "of agreeing"),
    unexpected_odds = number(2.5, 0.01, 100, "odds ratio", "cao-unexpected", "of refusing"),
    reminder_downgrade_share = share(0.75, "google-reminder-downgrade", "gives Always up at a "
      .. "background reminder, having looked at it"),
    continue_share = share(0.8, "assumed", "goes on from the app's own screen, at first"),
    thinking_seconds = number(5, 0, 3600, "s", "assumed", "median at the first prompt; sigma 0.5"),
    thinking_decay = share(0.7, "assumed", "of the time before an answer, left after each prompt"),
    thinking_floor = number(0.7, 0, 3600, "s", "assumed", "median of a mere reflex"),
    taps_per_session = number(1.5, 0, 100, "1/session", "assumed", "mean, where time allows"),
    tap_seconds = number(6, 0, 3600, "s", "assumed", "mean from opening or the last tap to a tap"),
  },

  next_tap = function(_, person, features)
    local taps = person.options.taps_per_session
    if not rng.chance(taps / (1 + taps)) then return nil end
    return features[rng.integer(1, #features)], rng.exponential(person.options.tap_seconds)
  end,

  -- `self.yes` is the habit: whether the last answer was to agree.
  answer_prompt = function(self, prompt, person)
    local options, before = person.options, prompt.asked_before
    local median = options.thinking_seconds * options.thinking_decay ^ before
    local after = rng.lognormal(math.max(options.thinking_floor, median), 0.5)
    local p
    if rng.chance(attention(options, before)) then p = weigh(prompt, options)
    elseif self.yes == nil then p = options.habit_grants_share
    else p = self.yes and 1 or 0 end
    self.yes = rng.chance(p)
    return button(prompt, self.yes), { after = after }
  end,

  answer_primer = function(self, _, person)
    local p = person.options.continue_share
    if self.yes == false then p = p * person.options.attention_decay end -- Another "no" by habit.
    return rng.chance(p) and "continue" or "not_now"
  end,
}
