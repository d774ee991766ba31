-- The people of the reference workload: two thresholds for each persona, and one uniform draw.
local thresholds = {
  eager = { 0.85, 0.90 }, cautious = { 0.40, 0.70 }, private = { 0.20, 0.30 },
  busy = { 0.75, 0.90 },
}
local cautious_later = { 0.70, 0.80 }

local function when_in_use(self, persona, u)
  local row = thresholds[persona]
  self.answers = (self.answers or 0) + 1
  if persona == "cautious" and self.answers > 2 then row = cautious_later end
  return u < row[1] and "allow_while_using" or u < row[2] and "allow_once" or "dont_allow"
end

return {
  answer_prompt = function(self, prompt, person)
    local kind, u = prompt.kind, rng.uniform()
    if kind == "background_reminder" then
      return u < 0.10 and "change_to_only_while_using" or "always_allow", { after = 0.1 }
    end
    local thinking = { after = 1 + 4 * rng.uniform() }
    if kind == "when_in_use" then return when_in_use(self, person.persona, u), thinking end
    if kind == "always_upgrade" then
      return u < 0.30 and "change_to_always_allow" or "keep_only_while_using", thinking
    end
    return prompt.choices[#prompt.choices], thinking
  end,
}
