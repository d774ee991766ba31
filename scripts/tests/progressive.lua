-- locfleet test scripts/tests/progressive.lua

-- Opens the app, agrees to its screen at the first tap, and answers the system's prompt.
local function grant(device, choice, options)
  device:launch()
  device:tap("store_finder")
  device:answer_primer("continue")
  device:answer(choice, options)
  device:wait("5s")
end

-- So many taps that are served.
local function use(device, times)
  for _ = 1, times do
    device:tap("store_finder")
    device:wait("5s")
  end
end

return {
  strategy = "../strategies/progressive.lua",
  plist = "apps/store-finder/Info.plist",
  ios = "13.4..26",
  options = { upgrade_after_uses = 3 },

  tests = {
    ["explains before it asks, and never at launch"] = function(device)
      device:launch()
      device:wait("1m")
      expect(device.requests):to_equal {}
      device:tap("store_finder")
      expect(device.own_screen):to_be("why")
      expect(device.prompt):to_be_nil()
      device:answer_primer("continue")
      expect(device.prompt.kind):to_be("when_in_use")
      expect(device.prompt.primed):to_be(true)
    end,

    ["serves the tap that led to the grant"] = function(device)
      grant(device, "allow_while_using")
      expect(device.status):to_be("authorizedWhenInUse")
      expect(device.features.store_finder):to_be("success")
    end,

    ["leaves who says not now alone for five sessions"] = function(device)
      device:launch()
      device:tap("store_finder")
      device:answer_primer("not_now")
      expect(device.features.store_finder):to_be("errorPermissions")
      for _ = 2, 5 do
        device:leave()
        device:launch()
        device:tap("store_finder")
        expect(device.own_screen):to_be_nil()
      end
      device:leave()
      device:launch()
      device:tap("store_finder")
      expect(device.own_screen):to_be("why")
      expect(device.prompts):to_equal {}
    end,

    ["offers Always after three uses, and takes no for an answer"] = function(device)
      grant(device, "allow_while_using")
      use(device, 1)
      expect(device.own_screen):to_be_nil()
      use(device, 1)
      expect(device.own_screen):to_be("alerts")
      device:answer_primer("continue")
      expect(device.prompt.kind):to_be("always_upgrade")
      device:answer("keep_only_while_using")
      for _ = 1, 10 do
        device:leave()
        device:launch()
        use(device, 1)
        expect(device.own_screen):to_be_nil()
      end
      expect(device.prompts):to_equal { "when_in_use", "always_upgrade" }
    end,

    ["follows significant changes with Always, and no longer without"] = function(device)
      grant(device, "allow_while_using")
      use(device, 2)
      device:answer_primer("continue")
      device:answer("change_to_always_allow")
      expect(device.status):to_be("authorizedAlways")
      expect(device.calls):to_contain("startMonitoringSignificantLocationChanges")
      device:settings("while_using")
      expect(device.status):to_be("authorizedWhenInUse")
      expect(device.calls):to_contain("stopMonitoringSignificantLocationChanges")
    end,

    ["asks again without a screen when Allow Once has lapsed"] = function(device)
      grant(device, "allow_once")
      device:leave()
      device:wait("1d")
      device:launch()
      expect(device.status):to_be("notDetermined")
      device:tap("store_finder")
      expect(device.own_screen):to_be_nil()
      expect(device.prompt.kind):to_be("when_in_use")
    end,

    ["points to Settings after a refusal, not at every tap"] = function(device)
      grant(device, "dont_allow")
      expect(device.features.store_finder):to_be("errorPermissions")
      device:tap("store_finder")
      expect(device.own_screen):to_be("settings_alert")
      device:answer_settings_alert("cancel")
      device:tap("store_finder")
      expect(device.own_screen):to_be_nil()
    end,

    ["asks for full accuracy where it was given a coarse place"] = {
      ios = "14..26",
      function(device)
        grant(device, "allow_while_using", { precise = false })
        expect(device.accuracy):to_be("reducedAccuracy")
        expect(device.prompt.kind):to_be("temporary_full_accuracy")
        device:answer("allow")
        expect(device.accuracy):to_be("fullAccuracy")
      end,
    },

    ["tells a failed position from a refused one"] = function(device)
      device:fail_positions(true)
      grant(device, "allow_while_using")
      device:wait("10s")
      expect(device.features.store_finder):to_be("errorLocation")
    end,
  },
}
