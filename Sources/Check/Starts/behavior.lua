-- NAME: what a person does. Check it while you write: locfleet check NAME.lua --watch
-- Hooks that you leave out have defaults; scripts/README.md lists all of them.

return {
  -- A scenario or --set gives other values. `source = "assumed"`: reports list it as a guess.
  options = {
    grant_share = { default = 0.6, min = 0, max = 1, unit = "share", source = "assumed",
      about = "agrees to a prompt that comes out of the blue" },
    explained_odds = { default = 1.6, min = 0.01, max = 100, unit = "odds ratio",
      source = "assumed", about = "of agreeing, when the app has just explained itself" },
    opens_per_day = { default = 1.5, min = 0.01, max = 200, unit = "1/day", source = "assumed",
      about = "mean over all people" },
  },

  -- Once, before anything else. `self` is this person's own table, for as long as they live.
  born = function(self, person)
    self.gap = 86400 / rng.lognormal(person.options.opens_per_day, 0.5)
  end,

  -- Seconds until they open the app; nil: never again.
  next_open = function(self) return rng.exponential(self.gap) end,

  -- Seconds in the foreground.
  session_length = function() return rng.exponential(120) end,

  -- A feature of the list, and seconds until they tap it; nil: nothing more in this session.
  next_tap = function(_, _, features)
    if #features == 0 or rng.chance(0.4) then return nil end
    return features[rng.integer(1, #features)], rng.exponential(10)
  end,

  -- One of prompt.choices. They differ from iOS to iOS: has() asks for one by its name.
  answer_prompt = function(_, prompt, person)
    local share = person.options.grant_share
    if prompt.primed then share = odds(share, person.options.explained_odds) end
    if prompt.has("allow_while_using") then
      return rng.pick {
        allow_while_using = share * 0.8, allow_once = share * 0.2, dont_allow = 1 - share,
      }
    end
    return rng.chance(share) and prompt.choices[1] or prompt.choices[#prompt.choices]
  end,

  -- The app's own screen: "continue" or "not_now".
  answer_primer = function() return rng.chance(0.8) and "continue" or "not_now" end,

  -- The app's alert that points to Settings: "open_settings" or "cancel".
  answer_settings_alert = function()
    if not rng.chance(0.1) then return "cancel" end
    phone.settings("while_using")
    return "open_settings"
  end,
}
