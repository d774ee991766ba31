return {
  options = {
    grant_share = { default = 0.6, min = 0, max = 1, unit = "share", source = "assumed" },
    once_share = { default = 0.15, min = 0, max = 1, unit = "share", source = "assumed" },
    opens_per_day = { default = 1.2, min = 0, max = 200, unit = "1/day", source = "airship-2020" },
  },
  answer_prompt = function(self, prompt) return prompt.choices[#prompt.choices] end,
}
