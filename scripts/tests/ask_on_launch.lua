-- locfleet test scripts/tests/ask_on_launch.lua

return {
  strategy = "../strategies/ask_on_launch.lua",
  plist = "apps/on-launch/Info.plist",
  ios = "9..26",

  tests = {
    ["asks as soon as it is opened, unexplained and unexpected"] = function(device)
      expect(device.prompt):to_be_nil()
      device:launch()
      expect(device.prompt.kind):to_be("when_in_use")
      expect(device.prompt.primed):to_be(false)
      expect(device.prompt.expected):to_be(false)
    end,

    ["asks for Always after three served taps, once"] = {
      ios = "13.4..26",
      function(device)
        device:launch()
        device:answer("allow_while_using")
        for tap = 1, 5 do
          device:tap("store_finder")
          device:wait("5s")
          if tap == 3 then
            expect(device.prompt.kind):to_be("always_upgrade")
            device:answer("keep_only_while_using")
          end
        end
        expect(device.prompts):to_equal { "when_in_use", "always_upgrade" }
        expect(device.requests):to_have_length(2)
        expect(device.features.store_finder):to_be("success")
      end,
    },

    ["does not ask again who has refused"] = function(device)
      device:launch()
      device:answer("dont_allow")
      for _ = 1, 3 do
        device:leave()
        device:launch()
        device:tap("store_finder")
      end
      expect(device.prompts):to_equal { "when_in_use" }
      expect(device.features.store_finder):to_be("errorPermissions")
    end,

    ["asks at the next opening when Allow Once has lapsed"] = {
      ios = "13..26",
      function(device)
        device:launch()
        device:answer("allow_once")
        device:leave()
        device:wait("1d")
        device:launch()
        expect(device.prompts):to_equal { "when_in_use", "when_in_use" }
      end,
    },
  },
}
