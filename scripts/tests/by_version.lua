-- locfleet test scripts/tests/by_version.lua

return {
  strategy = "../strategies/by_version.lua",
  plist = "apps/by-version/Info.plist",

  tests = {
    ["explains first and asks for Always before iOS 13.4"] = {
      ios = "8..13.3",
      function(device)
        device:launch()
        device:tap("store_finder")
        expect(device.own_screen):to_be("always")
        device:answer_primer("continue")
        expect(device.requests[1].call):to_be("requestAlwaysAuthorization")
        expect(device.prompt.primed):to_be(true)
      end,
    },

    ["asks step by step from iOS 13.4 on"] = {
      ios = "13.4..26",
      options = { upgrade_after_uses = 2 },
      function(device)
        device:launch()
        device:tap("store_finder")
        device:answer("allow_while_using")
        device:wait("5s")
        expect(device.prompt):to_be_nil()
        device:tap("store_finder")
        device:wait("5s")
        expect(device.prompt.kind):to_be("always_upgrade")
      end,
    },

    ["serves the tap with what each version has"] = {
      ios = "8..26",
      function(device)
        device:launch()
        device:tap("store_finder")
        if device.own_screen then device:answer_primer("continue") end
        local agree = { "allow", "always_allow", "allow_while_using" }
        for _, choice in ipairs(device.prompt.choices) do
          for _, word in ipairs(agree) do
            if device.prompt and choice == word then device:answer(choice) end
          end
        end
        device:wait("30s")
        expect(device.features.store_finder):to_be("success")
        local call = device.ios < 9 and "stopUpdatingLocation" or "requestLocation"
        expect(device.calls):to_contain(call)
      end,
    },

    ["lives with the upgrade of a phone that has been asked already"] = {
      ios = "12.4",
      function(device)
        device:launch()
        device:tap("store_finder")
        device:answer_primer("continue")
        device:answer("always_allow")
        device:leave()
        device:upgrade_os("26.0")
        device:launch()
        expect(device.ios):to_be(26)
        expect(device.status):to_be("authorizedAlways")
      end,
    },
  },
}
