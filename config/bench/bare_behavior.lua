-- People with the one hook that a behavior must have, and nothing else.
return { answer_prompt = function(_, prompt) return prompt.choices[#prompt.choices] end }
