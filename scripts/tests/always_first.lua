-- locfleet test scripts/tests/always_first.lua

local function ask(device)
  device:launch()
  device:tap("store_finder")
end

return {
  strategy = "../strategies/always_first.lua",
  plist = "apps/always-first/Info.plist",

  tests = {
    ["shows two buttons on iOS 9 and 10"] = {
      ios = "9..10",
      function(device)
        ask(device)
        expect(device.prompt.kind):to_be("always")
        expect(device.prompt.choices):to_equal { "allow", "dont_allow" }
        device:answer("allow")
        expect(device.true_status):to_be("always")
      end,
    },

    ["shows three choices on iOS 11 and 12"] = {
      ios = "11..12",
      function(device)
        ask(device)
        expect(device.prompt.choices):to_equal { "only_while_using", "always_allow", "dont_allow" }
        device:answer("only_while_using")
        device:wait("5s")
        expect(device.status):to_be("authorizedWhenInUse")
        expect(device.features.store_finder):to_be("success")
      end,
    },

    ["gets a provisional Always from iOS 13 on, which keep takes back"] = {
      ios = "13..26",
      function(device)
        ask(device)
        device:answer("allow_while_using")
        expect(device.status):to_be("authorizedAlways")
        expect(device.true_status):to_be("provisional_always")
        device:leave()
        device:wait("7d")
        expect(device.prompt.kind):to_be("always_confirm")
        device:answer("keep_only_while_using")
        expect(device.true_status):to_be("when_in_use")
        device:launch()
        expect(device.milestones):to_equal { "always_reported", "always_taken_back" }
      end,
    },

    ["asks again when an Allow Once has lapsed"] = {
      ios = "13..26",
      function(device)
        ask(device)
        device:answer("allow_once")
        device:leave()
        device:wait("1d")
        ask(device)
        expect(device.prompts):to_equal { "when_in_use", "when_in_use" }
      end,
    },
  },
}
