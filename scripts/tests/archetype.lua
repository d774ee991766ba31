-- locfleet test scripts/tests/archetype.lua

-- The share of so many new people who give this answer to a prompt.
local function share_of(choice, prompt, count)
  return share(count or 2000, function(person) return person:answer_prompt(prompt) == choice end)
end

return {
  behavior = "../behaviors/archetype.lua",
  ios = "17.0",

  tests = {
    ["says Allow While Using App as often as grant_share says"] = {
      options = { grant_share = 0.6, once_share = 0.2 },
      function()
        local prompt = { kind = "when_in_use", expected = true }
        expect(share_of("allow_while_using", prompt)):to_be_near(0.6, 0.03)
        expect(share_of("allow_once", prompt)):to_be_near(0.2, 0.03)
        expect(share_of("dont_allow", prompt)):to_be_near(0.2, 0.03)
      end,
    },

    ["agrees more often to what has been explained, by the odds"] = {
      options = { grant_share = 0.5, once_share = 0, explained_odds = 3 },
      function()
        local prompt = { kind = "when_in_use", expected = true, primed = true }
        expect(share_of("allow_while_using", prompt)):to_be_near(0.75, 0.03)
      end,
    },

    ["refuses more often what comes out of the blue"] = {
      options = { grant_share = 0.5, once_share = 0, unexpected_odds = 3 },
      function()
        expect(share_of("allow_while_using", { kind = "when_in_use" })):to_be_near(0.25, 0.03)
      end,
    },

    ["finds the agreeing button on every version"] = {
      ios = "8..26",
      options = { grant_share = 1, once_share = 0, upgrade_share = 1, confirm_share = 1,
        reminder_downgrade_share = 0 },
      function(device, person)
        local first = device.ios >= 13 and "allow_while_using" or "allow"
        expect(person:answer_prompt { kind = "when_in_use", expected = true }):to_be(first)
        local upgrade = device.ios >= 13 and "change_to_always_allow"
          or device.ios >= 11 and "always_allow" or "allow"
        expect(person:answer_prompt { kind = "always_upgrade", expected = true }):to_be(upgrade)
        local kept = device.ios >= 13 and "always_allow" or "allow"
        expect(person:answer_prompt { kind = "background_reminder" }):to_be(kept)
      end,
    },

    ["gives Always up at reminders as often as the source says"] = function()
      local prompt = { kind = "background_reminder" }
      expect(share_of("change_to_only_while_using", prompt)):to_be_near(0.11, 0.02)
    end,

    ["opens the app once at least, and then for as long as retention lasts"] = {
      options = { retention_day1 = 0.25, retention_decay = 0 },
      function()
        expect(share(500, function(person) return person:next_open() ~= nil end)):to_be(1)
        local stays = share(2000, function(person)
          person:next_open()
          person.day = 1
          return person:next_open() ~= nil
        end)
        expect(stays):to_be_near(0.25, 0.03)
      end,
    },

    ["stays in the foreground for the median of session_seconds"] = {
      options = { session_seconds = 40, session_sigma = 1 },
      function()
        local longer = share(2000, function(person) return person:session_length() > 40 end)
        expect(longer):to_be_near(0.5, 0.03)
      end,
    },

    ["allows in Settings when it follows the app's alert there"] = {
      options = { settings_recovery_share = 1 },
      function(_, person)
        expect(person:answer_settings_alert()):to_be("open_settings")
        expect(person.acts):to_equal { "settings while_using" }
      end,
    },

    ["takes back one step on a visit to Settings"] = {
      options = { settings_visits_per_year = 365 },
      function(_, person)
        for status, row in pairs { authorizedAlways = "while_using", authorizedWhenInUse = "never",
          denied = "while_using" } do
          person.status = status
          person:each_day()
          expect(person.acts[#person.acts]):to_be("settings " .. row)
        end
      end,
    },

    ["lives with a phone for a month"] = {
      options = { opens_per_day = 4, retention_day1 = 1, retention_decay = 0 },
      function(device)
        device:run("30d")
        expect(device.sessions):to_be_above(20)
        expect(device.prompts):to_equal {}
      end,
    },
  },
}
