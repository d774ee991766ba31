-- locfleet test scripts/tests/immediate_upgrade.lua

return {
  strategy = "../strategies/immediate_upgrade.lua",
  plist = "apps/immediate-upgrade/Info.plist",

  tests = {
    ["shows two prompts in one visit from iOS 13.4 on"] = {
      ios = "13.4..26",
      function(device)
        device:launch()
        device:answer("allow_while_using")
        expect(device.prompt.kind):to_be("always_upgrade")
        device:answer("change_to_always_allow")
        expect(device.status):to_be("authorizedAlways")
      end,
    },

    ["gets a provisional Always without a prompt on iOS 13.0 to 13.3"] = {
      ios = "13.0..13.3",
      function(device)
        device:launch()
        device:answer("allow_while_using")
        expect(device.prompt):to_be_nil()
        expect(device.true_status):to_be("provisional_always")
      end,
    },

    ["has no second chance after keep"] = {
      ios = "13.4..26",
      function(device)
        device:launch()
        device:answer("allow_while_using")
        device:answer("keep_only_while_using")
        device:leave()
        device:terminate()
        device:launch()
        expect(device.prompts):to_equal { "when_in_use", "always_upgrade" }
        local last = device.requests[#device.requests]
        expect(last.call):to_be("requestAlwaysAuthorization")
        expect(last.ignored):to_be("already_asked_for_always")
      end,
    },

    ["loses the second of two requests in one go"] = {
      ios = "9..26",
      options = { back_to_back = true },
      function(device)
        device:launch()
        expect(device.requests[2].call):to_be("requestAlwaysAuthorization")
        expect(device.requests[2].ignored):to_be("prompt_on_screen")
      end,
    },

    ["serves taps from the updates that run"] = {
      ios = "8..26",
      function(device)
        device:launch()
        device:answer(device.ios < 13 and "allow" or "allow_while_using")
        if device.prompt then device:answer(device.prompt.choices[1]) end
        device:wait("30s")
        device:tap("store_finder")
        device:wait("30s")
        expect(device.features.store_finder):to_be("success")
      end,
    },
  },
}
