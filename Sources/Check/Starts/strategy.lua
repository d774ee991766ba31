-- NAME: when the app asks. Check it while you write: locfleet check NAME.lua --watch
-- CoreLocation's names are Apple's; scripts/README.md lists all hooks and calls.

-- Every tap has one outcome, also one that nothing came of.
local function finish(self, app, outcome)
  local feature = self.feature
  self.feature = nil
  if feature then app:feature_done(feature, outcome) end
end

local function serve(self, app, status)
  if not self.feature then return end
  if status == "authorizedWhenInUse" or status == "authorizedAlways" then
    app.manager:requestLocation()
  elseif status ~= "notDetermined" then
    finish(self, app, "errorPermissions")
  end
end

return {
  -- A scenario or --set gives other values.
  options = {
    explains = { default = true, about = "shows a screen of its own before it asks" },
    again_after = { default = 3, min = 1, max = 1000, unit = "sessions",
      about = "from one showing of that screen to the next" },
  },

  -- A process that ended has left its tap behind.
  launched = function(self, app) finish(self, app, "abandoned") end,
  entered_background = function(self, app) finish(self, app, "abandoned") end,

  -- `self` is the app's storage on this device: it outlives the process.
  tapped = function(self, app, feature)
    finish(self, app, "abandoned")
    self.feature = feature
    local status = app.manager.authorizationStatus
    if status ~= "notDetermined" then return serve(self, app, status) end
    if not app.options.explains then return app.manager:requestWhenInUseAuthorization() end
    if self.shown_in and app.sessions - self.shown_in < app.options.again_after then
      return finish(self, app, "errorPermissions")
    end
    self.shown_in = app.sessions
    app:milestone("explained") -- A step for funnels: "milestone:explained".
    app:show_primer { id = "why", text = "See what is around you." }
  end,

  primer_answered = function(self, app, _, answer)
    if answer == "continue" then app.manager:requestWhenInUseAuthorization()
    else finish(self, app, "errorPermissions") end
  end,

  -- From iOS 14 on; the other before.
  locationManagerDidChangeAuthorization = function(self, manager)
    serve(self, app, manager.authorizationStatus)
  end,
  didChangeAuthorization = function(self, _, status) serve(self, app, status) end,

  didUpdateLocations = function(self) finish(self, app, "success") end,
  didFailWithError = function(self, _, code)
    finish(self, app, code == "denied" and "errorPermissions" or "errorLocation")
  end,
}
