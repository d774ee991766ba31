-- A person who accepts, depends or refuses: the same script with other options.
-- `source` names a record of config/sources/behaviour-sources.json; reports list what is assumed.
local exponential, lognormal, uniform = rng.exponential, rng.lognormal, rng.uniform -- Once.

local function number(default, min, max, unit, source, about)
  return { default = default, min = min, max = max, unit = unit, source = source, about = about }
end
local function share(default, ...) return number(default, 0, 1, "share", ...) end

-- A share that agrees, after what the app did: explained itself, or asked out of the blue.
local function moved(p, prompt, options)
  if prompt.primed then p = odds(p, options.explained_odds) end
  return prompt.expected and p or odds(p, 1 / options.unexpected_odds)
end

-- One of two buttons, whatever they are called on this iOS: the agreeing one with chance p.
local agreeing = { allow = 1, always_allow = 1, change_to_always_allow = 1, settings = 1 }
local function either(prompt, p)
  local yes, no = prompt.choices[1], prompt.choices[2]
  if not agreeing[yes] then yes, no = no, yes end
  return rng.pick { [yes] = p, [no] = 1 - p }
end

local function choose(prompt, options)
  local kind, once, agrees = prompt.kind, options.once_share, nil
  if kind == "always_upgrade" then agrees = moved(options.upgrade_share, prompt, options)
  elseif kind == "always_confirm" then agrees = options.confirm_share
  elseif kind == "background_reminder" then agrees = 1 - options.reminder_downgrade_share
  elseif kind == "services_off" then agrees = options.settings_recovery_share end
  if agrees then return either(prompt, agrees) end
  local sum = options.grant_share + once -- They move together, and together are at most all.
  local p = moved(math.min(1, sum), prompt, options)
  if #prompt.choices == 2 then return either(prompt, p) end
  if kind == "always" then -- iOS 11 and 12.
    local always = p * options.upgrade_share
    return rng.pick { always_allow = always, only_while_using = p - always, dont_allow = 1 - p }
  end
  local part = sum > 0 and once / sum or 0
  return rng.pick { allow_while_using = p * (1 - part), allow_once = p * part, dont_allow = 1 - p }
end

local other_row =
  { authorizedAlways = "while_using", authorizedWhenInUse = "never", denied = "while_using" }

return {
  options = {
    -- With once_share the source's 84 %, when the prompt is expected and nothing has explained it.
    grant_share = share(0.69, "bonne-grant-overall", "says Allow While Using App"),
    once_share = share(0.15, "assumed", "says Allow Once; over 1 with grant_share, both shrink"),
    precise_off_share = share(0.1, "assumed", "turns Precise Location off in the prompt"),
    explained_odds = number(1.6, 0.01, 100, "odds ratio", "tan-purpose-string", "of agreeing"),
    unexpected_odds = number(2.5, 0.01, 100, "odds ratio", "cao-unexpected", "of refusing"),
    continue_share = share(0.8, "assumed", "goes on from the app's own screen"),
    upgrade_share = share(0.4, "google-whileinuse-share", "takes Always when asked for it"),
    confirm_share = share(0.4, "assumed", "takes Always at the second prompt of the system"),
    -- At a background reminder: one every three days makes the source's 80 % in six weeks.
    reminder_downgrade_share = share(0.11, "ls-ios13-background-off-6w", "gives Always up"),
    settings_recovery_share = share(0.1, "assumed", "follows an alert to Settings and allows"),
    settings_visits_per_year = number(0.5, 0, 365, "1/year", "assumed", "changes the row unasked"),
    opens_per_day = number(0.59, 0, 200, "1/day", "airship-opens-2020-02", "mean over people"),
    opens_sigma = number(0.8, 0, 3, "log", "assumed", "spread of opens_per_day between people"),
    session_seconds = number(36, 1, 86400, "s", "bohmer-session", "median; the mean is 60"),
    session_sigma = number(1, 0, 3, "log", "assumed", "spread of session_seconds"),
    taps_per_session = number(1.5, 0, 100, "1/session", "assumed", "mean, where time allows"),
    tap_seconds = number(6, 0, 3600, "s", "assumed", "mean from opening or the last tap to a tap"),
    first_feature_share = share(0.8, "assumed", "taps that go to the first feature of the list"),
    retention_day1 = share(0.25, "adjust-d1-2022", "has not left after a day; 1: all stay"),
    retention_decay = number(0.42, 0, 5, "exponent", "adjust-d30-2022", "b of R(t) = R(1) t^-b"),
    thinking_seconds = number(3, 0, 3600, "s", "assumed", "median before an answer; sigma 0.5"),
  },
  born = function(self, person)
    local options, sigma = person.options, person.options.opens_sigma
    local rate, rank = lognormal(options.opens_per_day / math.exp(sigma ^ 2 / 2), sigma), uniform()
    if rate > 1e-4 then self.gap = 86400 / rate end
    -- R(t) of all people have not left on day t: the day on which that reaches their own rank.
    local day1, decay = options.retention_day1, options.retention_decay
    if rank >= day1 then self.leaves = (1 - rank) / (1 - day1)
    elseif decay > 0 and rank > 0 then self.leaves = (day1 / rank) ^ (1 / decay) end
  end,
  next_open = function(self, person)
    local wait, leaves = self.gap and exponential(self.gap), self.leaves
    if wait and self.came and person.day + wait / 86400 >= leaves then return nil end
    if leaves and not self.came then self.came = true end -- Who installs an app opens it once.
    return wait
  end,
  session_length = function(_, person)
    return lognormal(person.options.session_seconds, person.options.session_sigma)
  end,
  -- One draw says whether there is another tap and, given that, on what.
  next_tap = function(_, person, features)
    local options, taps = person.options, person.options.taps_per_session
    local draw, feature = uniform() * (1 + taps), 1
    if draw >= taps then return nil end
    local is_other = draw >= taps * options.first_feature_share
    if is_other and #features > 1 then feature = rng.integer(2, #features) end
    return features[feature], exponential(options.tap_seconds)
  end,

  answer_prompt = function(_, prompt, person)
    local options, after = person.options, lognormal(person.options.thinking_seconds, 0.5)
    local is_coarse, choice = rng.chance(options.precise_off_share), choose(prompt, options)
    if choice == "settings" then phone.location_services(true) end
    local has_switch = prompt.kind == "when_in_use" and choice ~= "dont_allow" and prompt.ios >= 14
    return choice, { precise = not (has_switch and is_coarse), after = after }
  end,
  answer_primer = function(_, _, person)
    return rng.chance(person.options.continue_share) and "continue" or "not_now"
  end,
  answer_settings_alert = function(_, _, person)
    if not rng.chance(person.options.settings_recovery_share) then return "cancel" end
    phone.settings("while_using")
    return "open_settings"
  end,
  -- A visit to Settings takes back one step of what the app has, or gives what it was refused.
  each_day = function(_, person)
    local is_due = uniform() * 365 < person.options.settings_visits_per_year
    if is_due and other_row[person.status] then phone.settings(other_row[person.status]) end
  end,
}
