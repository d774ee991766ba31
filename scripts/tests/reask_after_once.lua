-- locfleet test scripts/tests/reask_after_once.lua

-- Allows once at the first tap, and comes back when that has lapsed.
local function come_back(device)
  device:launch()
  device:tap("store_finder")
  device:answer("allow_once")
  device:wait("5s")
  device:leave()
  device:wait("1d")
  device:launch()
end

return {
  strategy = "../strategies/reask_after_once.lua",
  plist = "apps/reask-after-once/Info.plist",
  ios = "13..26",

  tests = {
    ["asks again at the tap after Allow Once has lapsed"] = function(device)
      come_back(device)
      expect(device.status):to_be("notDetermined")
      expect(device.prompt):to_be_nil()
      device:tap("store_finder")
      expect(device.prompt.ordinal):to_be(2)
      expect(device.milestones):to_contain("asked_again")
    end,

    ["asks once, ever, without reask"] = {
      options = { reask = false },
      function(device)
        come_back(device)
        device:tap("store_finder")
        expect(device.prompts):to_equal { "when_in_use" }
        expect(device.features.store_finder):to_be("errorPermissions")
      end,
    },

    ["goes on with a lasting grant without a word"] = function(device)
      device:launch()
      device:tap("store_finder")
      device:answer("allow_while_using")
      device:leave()
      device:wait("7d")
      device:launch()
      device:tap("store_finder")
      device:wait("5s")
      expect(device.prompts):to_have_length(1)
      expect(device.features.store_finder):to_be("success")
    end,

    ["notices Ask Next Time as a grant that has lapsed"] = {
      ios = "14..26",
      function(device)
        device:launch()
        device:tap("store_finder")
        device:answer("allow_while_using")
        device:settings("ask_next_time")
        expect(device.status):to_be("notDetermined")
        expect(device.milestones):to_contain("grant_lapsed")
      end,
    },
  },
}
