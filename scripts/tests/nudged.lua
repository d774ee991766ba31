-- locfleet test scripts/tests/nudged.lua

-- The share of so many new people who agree to a prompt.
local function share_of_yes(prompt)
  return share(2000, function(person) return person:answer_prompt(prompt) ~= "dont_allow" end)
end

local function share_of_downgrades(prompt)
  return share(2000, function(person)
    return person:answer_prompt(prompt) == "change_to_only_while_using"
  end)
end

return {
  behavior = "../behaviors/nudged.lua",
  ios = "17.0",

  tests = {
    ["agrees at the app's prompts as often as grant_share says"] = {
      options = { grant_share = 0.7 },
      function() expect(share_of_yes { kind = "when_in_use" }):to_be_near(0.7, 0.03) end,
    },

    ["gives Always up at the first reminder where it reacts at all"] = {
      options = { reacts_share = 0.6, reminder_downgrade_share = 0.5 },
      function()
        expect(share_of_downgrades { kind = "background_reminder" }):to_be_near(0.3, 0.03)
      end,
    },

    ["keeps Always at every reminder where it does not react"] = {
      options = { reacts_share = 0 },
      function() expect(share_of_downgrades { kind = "background_reminder" }):to_be(0) end,
    },
  },
}
