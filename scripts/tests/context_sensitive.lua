-- locfleet test scripts/tests/context_sensitive.lua

-- The share of so many new people who agree to a prompt.
local function share_of_yes(prompt)
  return share(2000, function(person) return person:answer_prompt(prompt) ~= "dont_allow" end)
end

return {
  behavior = "../behaviors/context_sensitive.lua",
  ios = "17.0",

  tests = {
    ["agrees to what it expects as often as grant_share says"] = {
      options = { grant_share = 0.6 },
      function()
        expect(share_of_yes { kind = "when_in_use", expected = true }):to_be_near(0.6, 0.03)
      end,
    },

    ["refuses more often what comes out of the blue, by the odds"] = {
      options = { grant_share = 0.5, unexpected_odds = 3 },
      function() expect(share_of_yes { kind = "when_in_use" }):to_be_near(0.25, 0.03) end,
    },

    ["agrees more often to what has been explained, by the odds"] = {
      options = { grant_share = 0.5, explained_odds = 3 },
      function()
        local prompt = { kind = "when_in_use", expected = true, primed = true }
        expect(share_of_yes(prompt)):to_be_near(0.75, 0.03)
      end,
    },
  },
}
