-- locfleet test scripts/tests/value_first.lua

local function tap(device, times)
  for _ = 1, times do
    device:tap("store_finder")
    device:wait("5s")
  end
end

return {
  strategy = "../strategies/value_first.lua",
  plist = "apps/value-first/Info.plist",
  ios = "13.4..26",

  tests = {
    ["serves three taps by hand before it explains and asks"] = function(device)
      device:launch()
      tap(device, 3)
      expect(device.features.store_finder):to_be("manual_entry")
      expect(device.requests):to_equal {}
      tap(device, 1)
      expect(device.own_screen):to_be("why")
      device:answer_primer("continue")
      device:answer("allow_while_using")
      device:wait("5s")
      expect(device.features.store_finder):to_be("success")
    end,

    ["ends no tap for want of a permission"] = function(device)
      device:launch()
      tap(device, 4)
      device:answer_primer("continue")
      device:answer("dont_allow")
      tap(device, 5)
      expect(device.features.store_finder):to_be("manual_entry")
      for _, one in ipairs(device.outcomes) do expect(one.outcome):to_be("manual_entry") end
    end,

    ["offers Always after as many uses with location"] = {
      options = { value_before_asking = 0, value_before_always = 2 },
      function(device)
        device:launch()
        tap(device, 1)
        device:answer_primer("continue")
        device:answer("allow_while_using")
        device:wait("5s")
        expect(device.own_screen):to_be_nil()
        tap(device, 1)
        expect(device.own_screen):to_be("alerts")
        device:answer_primer("continue")
        device:answer("change_to_always_allow")
        expect(device.status):to_be("authorizedAlways")
        expect(device.calls):to_contain("startMonitoringSignificantLocationChanges")
      end,
    },

    ["counts anew after a not now"] = function(device)
      device:launch()
      tap(device, 4)
      device:answer_primer("not_now")
      expect(device.milestones):to_equal { "explained", "declined_primer" }
      tap(device, 2)
      expect(device.own_screen):to_be_nil()
      tap(device, 1)
      expect(device.own_screen):to_be("why")
    end,
  },
}
