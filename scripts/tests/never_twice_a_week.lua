-- locfleet test scripts/tests/never_twice_a_week.lua

local function tap(device)
  device:tap("store_finder")
  device:wait("5s")
end

return {
  strategy = "../strategies/never_twice_a_week.lua",
  plist = "apps/never-twice-a-week/Info.plist",
  ios = "13.4..26",

  tests = {
    ["explains and asks at the first tap"] = function(device)
      device:launch()
      tap(device)
      expect(device.own_screen):to_be("why")
      device:answer_primer("continue")
      device:answer("allow_while_using")
      device:wait("5s")
      expect(device.features.store_finder):to_be("success")
    end,

    ["keeps quiet for a week after a not now"] = function(device)
      device:launch()
      tap(device)
      device:answer_primer("not_now")
      device:wait("6d")
      tap(device)
      expect(device.own_screen):to_be_nil()
      expect(device.features.store_finder):to_be("errorPermissions")
      device:wait("1d")
      tap(device)
      expect(device.own_screen):to_be("why")
    end,

    ["offers Always no sooner than a week after the first question"] = {
      options = { uses_before_always = 1 },
      function(device)
        device:launch()
        tap(device)
        device:answer_primer("continue")
        device:answer("allow_while_using")
        device:wait("5s")
        expect(device.own_screen):to_be_nil()
        device:wait("7d")
        tap(device)
        expect(device.own_screen):to_be("alerts")
      end,
    },

    ["points to Settings, also only once a week"] = function(device)
      device:launch()
      tap(device)
      device:answer_primer("continue")
      device:answer("dont_allow")
      tap(device)
      expect(device.own_screen):to_be_nil()
      device:wait("7d")
      tap(device)
      expect(device.own_screen):to_be("settings_alert")
    end,
  },
}
