-- Patient: whatever it wants to ask, at most once a week. The first tap that needs it brings an own
-- screen and the prompt; then a pause, whatever the answer was. After it, who allowed the app once
-- is asked again at a tap, who uses it is offered Always, and who has refused is shown the way to
-- Settings, one of them, and then comes the next pause. From iOS 9 on.

local function finish(self, app, outcome)
  local feature = self.feature
  if not feature then return end
  self.feature = nil
  app:feature_done(feature, outcome)
end

-- Every tap has one outcome: also one that still waits when another comes, when the person leaves,
-- or when the process has ended without a word.
local function abandon(self, app) finish(self, app, "abandoned") end

-- Whether it may ask now. What follows from its own screen belongs to the same question.
local function may_ask(self, app)
  local pause = app.options.pause_days * 86400
  if self.asked_at and app.now - self.asked_at < pause then return false end
  self.asked_at = app.now
  return true
end

local function authorization_changed(self, manager, status)
  if status == "authorizedAlways" then
    manager.allowsBackgroundLocationUpdates = true
    manager:startMonitoringSignificantLocationChanges() -- Anew in each process (SV3).
    self.follows = true
  elseif self.follows then
    manager.allowsBackgroundLocationUpdates = false
    manager:stopMonitoringSignificantLocationChanges()
    self.follows = nil
  end
  if status == "notDetermined" then
    self.asked_always = nil -- Nothing is spent under Allow Once (A10).
  elseif status == "denied" or status == "restricted" then
    finish(self, app, "errorPermissions")
  elseif self.feature then
    manager:requestLocation()
  end
end

return {
  options = {
    pause_days = { default = 7, min = 0, max = 365, unit = "days",
      about = "between two questions of any kind" },
    uses_before_always = { default = 3, min = 1, max = 1000, unit = "uses",
      about = "uses with location before Always is offered" },
  },

  launched = abandon,
  entered_background = abandon,

  tapped = function(self, app, feature)
    local manager = app.manager
    local status = manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status == "notDetermined" then
      if not may_ask(self, app) then return finish(self, app, "errorPermissions") end
      app:milestone("explained")
      app:show_primer { id = "why", text = "See the stores around you." }
    elseif status == "denied" or status == "restricted" then
      finish(self, app, "errorPermissions")
      if status == "denied" and may_ask(self, app) then app:show_settings_alert() end
    else
      manager:requestLocation()
    end
  end,

  primer_answered = function(self, app, id, answer)
    if answer ~= "continue" then
      app:milestone("declined_primer")
      finish(self, app, "errorPermissions")
    elseif id == "alerts" then
      self.asked_always = true -- iOS shows that prompt once (A9).
      app.manager:requestAlwaysAuthorization()
    else
      app.manager:requestWhenInUseAuthorization()
    end
  end,

  locationManagerDidChangeAuthorization = function(self, manager)
    authorization_changed(self, manager, manager.authorizationStatus)
  end,
  didChangeAuthorization = authorization_changed, -- Before iOS 14.

  didUpdateLocations = function(self, manager)
    if not self.feature then return end -- A change of place, not an answer to a tap.
    finish(self, app, "success")
    self.uses = (self.uses or 0) + 1
    if self.uses >= app.options.uses_before_always and not self.asked_always
      and manager.authorizationStatus == "authorizedWhenInUse" and may_ask(self, app) then
      app:milestone("saw_alert_offer")
      app:show_primer { id = "alerts", text = "Hear of your order when you arrive at the store." }
    end
  end,

  didFailWithError = function(self, _, code)
    finish(self, app, code == "denied" and "errorPermissions" or "errorLocation")
  end,
}
