-- locfleet test scripts/tests/habituated.lua

-- The share of so many new people who agree to a prompt.
local function share_of_yes(prompt)
  return share(2000, function(person) return person:answer_prompt(prompt) ~= "dont_allow" end)
end

return {
  behavior = "../behaviors/habituated.lua",
  ios = "17.0",

  tests = {
    ["weighs the first prompt when attentive"] = {
      options = { attention_first = 1, grant_share = 0.5, explained_odds = 3 },
      function()
        local prompt = { kind = "when_in_use", expected = true, primed = true }
        expect(share_of_yes(prompt)):to_be_near(0.75, 0.03)
      end,
    },

    ["agrees unread as often as habit_grants_share says"] = {
      options = { attention_first = 0, attention_floor = 0, habit_grants_share = 0.7 },
      function() expect(share_of_yes { kind = "when_in_use" }):to_be_near(0.7, 0.03) end,
    },

    ["presses what it pressed before, once nobody looks"] = {
      options = { attention_first = 0, attention_floor = 0, habit_grants_share = 0.5 },
      function()
        local same = share(500, function(person)
          local first = person:answer_prompt { kind = "when_in_use" } ~= "dont_allow"
          local second = person:answer_prompt { kind = "when_in_use" } ~= "dont_allow"
          return first == second
        end)
        expect(same):to_be(1)
      end,
    },
  },
}
