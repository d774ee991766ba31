-- Asks as soon as it comes to the foreground, without a word of its own, and for Always after some
-- uses: what guides advise against. The other arm of a comparison.

local function finish(self, outcome)
  if self.feature then app:feature_done(self.feature, outcome) end
  self.feature = nil
end

return {
  options = {
    upgrade_after_uses = { default = 3, min = 0, max = 1000, unit = "uses",
      about = "served taps before it asks for Always" },
  },

  launched = function(self) self.feature = nil end,

  entered_foreground = function(_, app)
    local manager = app.manager
    if manager.authorizationStatus == "notDetermined" then
      manager:requestWhenInUseAuthorization()
    end
  end,

  tapped = function(self, app, feature)
    local status = app.manager.authorizationStatus
    self.feature = feature
    if status == "authorizedWhenInUse" or status == "authorizedAlways" then
      app.manager:requestLocation()
    else
      finish(self, "errorPermissions")
    end
  end,

  didUpdateLocations = function(self, manager)
    if not self.feature then return end
    finish(self, "success")
    self.uses = (self.uses or 0) + 1
    if self.uses == app.options.upgrade_after_uses then manager:requestAlwaysAuthorization() end
  end,

  didFailWithError = function(self, _, code)
    finish(self, code == "denied" and "errorPermissions" or "errorLocation")
  end,
}
