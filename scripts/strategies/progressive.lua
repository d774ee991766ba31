-- Asks step by step. An own screen explains; the system's prompt follows just before the feature
-- that needs it; Always is offered only after the lesser grant has proved useful. Every callback
-- looks at the authorization anew, and what is refused is lived with.

local function number(default, min, max, unit, about)
  return { default = default, min = min, max = max, unit = unit, about = about }
end

-- Whether `since` sessions have passed since the session noted under `key`; notes this one if so.
local function is_due(self, app, key, since)
  local last, now = self[key], app.sessions
  if last and now - last < since then return false end
  self[key] = now
  return true
end

local function finish(self, app, outcome)
  local feature = self.feature
  if not feature then return end
  self.feature = nil
  app:feature_done(feature, outcome)
end

-- Every tap has one outcome: also one that still waits when another comes, when the person leaves,
-- or when the process has ended without a word.
local function abandon(self, app) finish(self, app, "abandoned") end

local function locate(self, app, manager)
  if self.is_coarse
    and is_due(self, app, "full_accuracy_in", app.options.primer_every_sessions) then
    manager:requestTemporaryFullAccuracyAuthorization(app.options.full_accuracy_purpose)
  end
  manager:requestLocation() -- A coarse position serves as well, if it is all there is.
end

local function ask(self, app, manager)
  if self.agreed then -- Allow Once has lapsed: no need to explain again.
    manager:requestWhenInUseAuthorization()
  elseif is_due(self, app, "asked_in", app.options.primer_every_sessions) then
    app:milestone("explained")
    app:show_primer { id = "why", text = "See the stores around you." }
  else
    finish(self, app, "errorPermissions")
  end
end

local function point_to_settings(self, app)
  if is_due(self, app, "alerted_in", app.options.settings_alert_every_sessions) then
    app:show_settings_alert()
  end
end

local function offer_alerts(self, app)
  if not is_due(self, app, "offered_in", app.options.primer_every_sessions) then return end
  app:milestone("saw_alert_offer")
  app:show_primer { id = "alerts", text = "Hear of your order when you arrive at the store." }
end

local function authorization_changed(self, manager, status)
  if status == "authorizedAlways" then
    if app.available("9.0") then manager.allowsBackgroundLocationUpdates = true end
    manager:startMonitoringSignificantLocationChanges()
    self.follows = true
  elseif self.follows then
    if app.available("9.0") then manager.allowsBackgroundLocationUpdates = false end
    manager:stopMonitoringSignificantLocationChanges()
    self.follows = nil
  end
  if status == "notDetermined" then -- At first, or again: what had been granted has lapsed.
    if self.uses then self.uses, self.offered_in = nil, nil end
  elseif self.feature then -- The tap that led here is served, or told why not.
    if status == "denied" or status == "restricted" then finish(self, app, "errorPermissions")
    else locate(self, app, manager) end
  end
end

return {
  options = {
    upgrade_after_uses = number(3, 0, 1000, "uses", "served taps before Always is offered"),
    primer_every_sessions = number(5, 1, 1000, "sessions", "between two showings of an own screen"),
    settings_alert_every_sessions = number(10, 1, 1000, "sessions", "between two Settings alerts"),
    full_accuracy_purpose = { default = "NearestStore",
      about = "the Info.plist's purpose key for full accuracy" },
  },

  launched = abandon,
  entered_background = abandon,

  tapped = function(self, app, feature)
    local manager = app.manager
    local status = manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status == "notDetermined" then ask(self, app, manager)
    elseif status == "denied" or status == "restricted" then
      finish(self, app, "errorPermissions")
      if status == "denied" then point_to_settings(self, app) end
    else locate(self, app, manager) end
  end,

  primer_answered = function(self, app, id, answer)
    local is_agreed = answer == "continue"
    if id == "alerts" then
      if not is_agreed then return end
      self.offered_in = math.huge -- iOS shows that prompt once.
      app:milestone("upgrade_asked")
      app.manager:requestAlwaysAuthorization()
    elseif is_agreed then
      self.agreed = true
      app.manager:requestWhenInUseAuthorization()
    else
      app:milestone("declined_primer")
      finish(self, app, "errorPermissions")
    end
  end,

  locationManagerDidChangeAuthorization = function(self, manager)
    local is_coarse = manager.accuracyAuthorization == "reducedAccuracy"
    if is_coarse ~= (self.is_coarse or false) then self.is_coarse = is_coarse or nil end
    authorization_changed(self, manager, manager.authorizationStatus)
  end,
  didChangeAuthorization = authorization_changed, -- Before iOS 14.

  didUpdateLocations = function(self, manager)
    if not self.feature then return end -- A change of place, not an answer to a tap.
    finish(self, app, "success")
    self.uses = (self.uses or 0) + 1
    if self.uses >= app.options.upgrade_after_uses
      and manager.authorizationStatus == "authorizedWhenInUse" then
      offer_alerts(self, app)
    end
  end,

  didFailWithError = function(self, _, code)
    finish(self, app, code == "denied" and "errorPermissions" or "errorLocation")
  end,
}
