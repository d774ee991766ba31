-- locfleet test scripts/tests/settings_recovery.lua

-- Refuses at the first tap, and taps once more.
local function refuse(device)
  device:launch()
  device:tap("store_finder")
  device:answer("dont_allow")
  device:tap("store_finder")
end

return {
  strategy = "../strategies/settings_recovery.lua",
  plist = "apps/settings-recovery/Info.plist",
  ios = "13..26",

  tests = {
    ["explains and points to Settings after a refusal"] = function(device)
      refuse(device)
      expect(device.own_screen):to_be("settings")
      device:answer_primer("continue")
      expect(device.own_screen):to_be("settings_alert")
    end,

    ["serves on return the tap that led to Settings"] = function(device)
      refuse(device)
      device:answer_primer("continue")
      device:answer_settings_alert("open_settings")
      expect(device.process):not_to_be("foreground")
      device:settings("while_using")
      device:wait("10s")
      expect(device.process):to_be("foreground")
      expect(device.features.store_finder):to_be("success")
      expect(device.milestones):to_contain("recovered")
    end,

    ["takes an unchanged row for a no"] = function(device)
      refuse(device)
      device:answer_primer("continue")
      device:answer_settings_alert("open_settings")
      device:wait("10s")
      expect(device.features.store_finder):to_be("errorPermissions")
    end,

    ["explains again after the cool-down, no sooner"] = {
      options = { cooldown_sessions = 2 },
      function(device)
        refuse(device)
        device:answer_primer("not_now")
        device:tap("store_finder")
        expect(device.own_screen):to_be_nil()
        device:leave()
        device:launch()
        device:tap("store_finder")
        expect(device.own_screen):to_be_nil()
        device:leave()
        device:launch()
        device:tap("store_finder")
        expect(device.own_screen):to_be("settings")
      end,
    },

    ["leaves who is restricted alone"] = function(device)
      device:restrict_location(true)
      device:launch()
      device:tap("store_finder")
      expect(device.status):to_be("restricted")
      expect(device.own_screen):to_be_nil()
      expect(device.features.store_finder):to_be("errorPermissions")
    end,
  },
}
