-- Asks step by step. An own screen explains; the system's prompt follows just before the feature
-- that needs it; Always is offered only after the lesser grant has proved useful. Every callback
-- looks at the authorization anew, and what is refused is lived with.

local function number(default, min, max, unit, about)
  return { default = default, min = min, max = max, unit = unit, about = about }
end

-- Whether `since` sessions have passed since that noted under `key`; notes this one if so.
local function is_due(self, app, key, since)
  if self[key] and app.sessions - self[key] < since then return false end
  self[key] = app.sessions
  return true
end

local function finish(self, app, outcome)
  if self.feature then app:feature_done(self.feature, outcome) end
  self.feature = nil
end

-- Every tap has one outcome, also one that waits when another comes or the person leaves.
local function abandon(self, app) finish(self, app, "abandoned") end

local function locate(self, app, manager)
  local every = app.options.primer_every_sessions
  if self.is_coarse and is_due(self, app, "full_accuracy_in", every) then
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

local function authorization_changed(self, manager, status)
  local follows = status == "authorizedAlways"
  if follows or self.follows then
    if app.available("9.0") then manager.allowsBackgroundLocationUpdates = follows end
    if follows then manager:startMonitoringSignificantLocationChanges()
    else manager:stopMonitoringSignificantLocationChanges() end
    self.follows = follows or nil
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
    full_accuracy_purpose = { default = "NearestStore", about = "key of the Info.plist for it" },
  },

  launched = abandon, entered_background = abandon,

  tapped = function(self, app, feature)
    local manager, status = app.manager, app.manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status == "notDetermined" then ask(self, app, manager)
    elseif status == "denied" or status == "restricted" then
      finish(self, app, "errorPermissions")
      if status == "denied"
        and is_due(self, app, "alerted_in", app.options.settings_alert_every_sessions) then
        app:show_settings_alert()
      end
    else locate(self, app, manager) end
  end,

  primer_answered = function(self, app, id, answer)
    if id == "alerts" then
      if answer ~= "continue" then return end
      self.offered_in = math.huge -- iOS shows that prompt once.
      app:milestone("upgrade_asked")
      app.manager:requestAlwaysAuthorization()
    elseif answer == "continue" then
      self.agreed = true
      app.manager:requestWhenInUseAuthorization()
    else
      app:milestone("declined_primer")
      finish(self, app, "errorPermissions")
    end
  end,

  locationManagerDidChangeAuthorization = function(self, manager)
    self.is_coarse = manager.accuracyAuthorization == "reducedAccuracy" or nil
    authorization_changed(self, manager, manager.authorizationStatus)
  end,
  didChangeAuthorization = authorization_changed, -- Before iOS 14.

  didUpdateLocations = function(self, manager)
    if not self.feature then return end -- A change of place, not an answer to a tap.
    finish(self, app, "success")
    self.uses = (self.uses or 0) + 1
    if self.uses >= app.options.upgrade_after_uses
      and manager.authorizationStatus == "authorizedWhenInUse"
      and is_due(self, app, "offered_in", app.options.primer_every_sessions) then
      app:milestone("saw_alert_offer")
      app:show_primer { id = "alerts", text = "Hear of your order when you arrive at the store." }
    end
  end,

  didFailWithError = function(self, _, code)
    finish(self, app, code == "denied" and "errorPermissions" or "errorLocation")
  end,
}
