-- locfleet test scripts/tests/privacy_minded.lua

-- The share of so many new people who agree to a prompt.
local function share_of_yes(prompt)
  return share(2000, function(person) return person:answer_prompt(prompt) ~= "dont_allow" end)
end

return {
  behavior = "../behaviors/privacy_minded.lua",
  ios = "17.0",

  tests = {
    ["agrees to what comes out of the blue as often as grant_share says"] = {
      options = { grant_share = 0.35, delete_share = 0 },
      function() expect(share_of_yes { kind = "when_in_use" }):to_be_near(0.35, 0.03) end,
    },

    ["agrees more often at a tap, by the odds"] = {
      options = { grant_share = 0.5, expected_odds = 3 },
      function()
        expect(share_of_yes { kind = "when_in_use", expected = true }):to_be_near(0.75, 0.03)
      end,
    },

    ["says Allow Once as often as once_part says, of those who agree"] = {
      options = { grant_share = 1, once_part = 0.6 },
      function()
        local once = share(2000, function(person)
          return person:answer_prompt { kind = "when_in_use" } == "allow_once"
        end)
        expect(once):to_be_near(0.6, 0.03)
      end,
    },
  },
}
