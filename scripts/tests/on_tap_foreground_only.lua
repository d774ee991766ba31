-- locfleet test scripts/tests/on_tap_foreground_only.lua

return {
  strategy = "../strategies/on_tap_foreground_only.lua",
  plist = "apps/foreground-only/Info.plist",
  ios = "13..26",
  features = { "store_finder", "manual_search" },

  tests = {
    ["asks at the tap, which is then served"] = function(device)
      device:launch()
      expect(device.prompt):to_be_nil()
      device:tap("store_finder")
      expect(device.prompt.kind):to_be("when_in_use")
      expect(device.prompt.expected):to_be(true)
      device:answer("allow_while_using")
      device:wait("5s")
      expect(device.features.store_finder):to_be("success")
    end,

    ["searches without a permission"] = function(device)
      device:launch()
      device:tap("manual_search")
      expect(device.features.manual_search):to_be("manual_search")
      expect(device.requests):to_equal {}
    end,

    ["shows that it was refused once, until the person acts"] = function(device)
      device:launch()
      device:tap("store_finder")
      device:answer("dont_allow")
      expect(device.milestones):to_equal { "denied_shown" }
      device:tap("store_finder")
      expect(device.milestones):to_have_length(2)
      expect(device.features.store_finder):to_be("errorPermissions")
    end,

    ["tries a failed position twice more"] = function(device)
      device:fail_positions(true)
      device:launch()
      device:tap("store_finder")
      device:answer("allow_while_using")
      device:wait("2m")
      expect(device.features.store_finder):to_be("errorLocation")
      expect(device.calls):to_equal {
        "requestWhenInUseAuthorization", "requestLocation", "requestLocation", "requestLocation",
      }
    end,

    ["never asks for Always"] = function(device)
      device:launch()
      device:tap("store_finder")
      device:answer("allow_while_using")
      for _ = 1, 20 do
        device:wait("1d")
        device:tap("store_finder")
      end
      for _, request in ipairs(device.requests) do
        expect(request.call):to_be("requestWhenInUseAuthorization")
      end
    end,
  },
}
