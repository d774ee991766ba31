-- Asks as soon as it comes to the foreground, without a word of its own, and for Always after some
-- uses, again without one: what guides advise against, and the control of every comparison. Who
-- opens the app at all is asked in the first session, before anything can be tapped. While nothing
-- is decided it asks again at each opening: iOS 13 and later prompt again when Allow Once has
-- lapsed (W5). From iOS 9 on.

local function finish(self, app, outcome)
  local feature = self.feature
  if not feature then return end
  self.feature = nil
  app:feature_done(feature, outcome)
end

-- Every tap has one outcome: also one that still waits when another comes, when the person leaves,
-- or when the process has ended without a word.
local function abandon(self, app) finish(self, app, "abandoned") end

return {
  options = {
    upgrade_after_uses = { default = 3, min = 0, max = 1000, unit = "uses",
      about = "served taps before it asks for Always; 0: at the first" },
  },

  launched = abandon,
  entered_background = abandon,

  entered_foreground = function(self, app)
    local manager = app.manager
    if manager.authorizationStatus ~= "notDetermined" then return end
    manager:requestWhenInUseAuthorization()
    -- Under the Allow Once that has lapsed a request for Always did nothing and is not spent (A10).
    self.uses, self.asked_always = nil, nil
  end,

  tapped = function(self, app, feature)
    local status = app.manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status == "authorizedWhenInUse" or status == "authorizedAlways" then
      app.manager:requestLocation()
    else
      finish(self, app, "errorPermissions")
    end
  end,

  didUpdateLocations = function(self, manager)
    if not self.feature then return end
    finish(self, app, "success")
    self.uses = (self.uses or 0) + 1
    if self.uses >= app.options.upgrade_after_uses and not self.asked_always then
      self.asked_always = true -- iOS shows that prompt once (A9).
      manager:requestAlwaysAuthorization()
    end
  end,

  didFailWithError = function(self, _, code)
    finish(self, app, code == "denied" and "errorPermissions" or "errorLocation")
  end,
}
