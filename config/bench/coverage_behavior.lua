-- People whose truth is known: they open the app once, after 2 s times a hundred million to the
-- power of a uniform draw, and grant with `grant_share`. For `fresh_share` of them the answer hangs
-- on a draw of its own, which the base does not use; for the others on the same as in the base.
return {
  options = {
    grant_share = { default = 0.45, min = 0, max = 1, unit = "share", about = "grants" },
    fresh_share = { default = 0, min = 0, max = 1, unit = "share", about = "answers anew" },
  },

  next_open = function(self)
    if self.opened then return nil end
    self.opened = true
    return 2 * 1e8 ^ rng.uniform()
  end,

  answer_prompt = function(_, _, person)
    local common, choice, fresh = rng.uniform(), rng.uniform(), rng.uniform()
    local mood = choice < person.options.fresh_share and fresh or common
    return mood < person.options.grant_share and "allow_while_using" or "dont_allow"
  end,
}
