-- One app for iOS 8 to today: each version is asked in the way that suits its prompts.
--   before 13.4   Always directly (P5, P6; on 13.0 provisional, A6), explained by an own screen
--   13.4 on       step by step: When In Use at the tap that needs it (P3), Always after some uses,
--                 by the upgrade prompt, which comes at once and only once (A8, A9).
-- Keys: When In Use for every version, Always for 8 to 10, AlwaysAndWhenInUse for 11 on (I2 to I4).
-- Calls: requestLocation and allowsBackgroundLocationUpdates from 9 on (B2, B9); before, updates
-- are started and stopped around a tap. From 14 on a person can give a coarse place, and full
-- accuracy is asked for by the purpose key (T1).

local function finish(self, app, outcome)
  if not self.feature then return end
  if self.is_updating then app.manager:stopUpdatingLocation() end -- Before iOS 9: one is enough.
  app:feature_done(self.feature, outcome)
  self.feature, self.is_updating = nil, nil
end

-- Every tap has one outcome, also one that waits when another comes or the person leaves.
local function abandon(self, app) finish(self, app, "abandoned") end

-- Whether enough sessions have passed since the one noted under `key`; notes this one if so.
local function is_due(self, app, key)
  local last = self[key]
  if last and app.sessions - last < app.options.ask_every_sessions then return false end
  self[key] = app.sessions
  return true
end

local function locate(self, app, manager)
  -- A coarse position serves a tap as well, if it is all there is.
  if app.available("14.0") and manager.accuracyAuthorization == "reducedAccuracy"
    and is_due(self, app, "full_accuracy_in") then
    manager:requestTemporaryFullAccuracyAuthorization(app.options.full_accuracy_purpose)
  end
  if app.available("9.0") then return manager:requestLocation() end
  self.is_updating = true
  manager:startUpdatingLocation()
end

local function ask(self, app, manager)
  if app.available("13.4") then
    manager:requestWhenInUseAuthorization()
  elseif self.agreed then -- Undecided again, say by Ask Next Time: it has been explained.
    manager:requestAlwaysAuthorization()
  elseif not is_due(self, app, "explained_in") then
    finish(self, app, "errorPermissions")
  else
    app:show_primer { id = "always", text = "See the stores around you, and hear of your order "
      .. "when you arrive, even with the app closed. iOS will ask you about it again later." }
  end
end

local function follow(self, app, manager, is_always)
  if is_always then manager:startMonitoringSignificantLocationChanges() -- In each process (SV3).
  elseif self.follows then manager:stopMonitoringSignificantLocationChanges() end
  if app.available("9.0") then manager.allowsBackgroundLocationUpdates = is_always end
  self.follows = is_always or nil
end

local function authorization_changed(self, manager, status)
  follow(self, app, manager, status == "authorizedAlways")
  if status == "notDetermined" then
    self.uses, self.asked_always = nil, nil -- Nothing is spent under Allow Once (A10).
  elseif self.feature then -- The tap that led here is served, or told why not.
    if status == "denied" or status == "restricted" then finish(self, app, "errorPermissions")
    else locate(self, app, manager) end
  end
end

return {
  options = {
    upgrade_after_uses = { default = 3, min = 0, max = 1000, unit = "uses",
      about = "served taps before it asks for Always, from iOS 13.4 on; 0: at the first" },
    ask_every_sessions = { default = 5, min = 1, max = 1000, unit = "sessions",
      about = "between two own screens, and between two requests for full accuracy" },
    full_accuracy_purpose = { default = "NearestStore", about = "key of the Info.plist for it" },
  },

  launched = abandon, entered_background = abandon,

  tapped = function(self, app, feature)
    local manager = app.manager
    local status = manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status == "notDetermined" then ask(self, app, manager)
    elseif status == "denied" or status == "restricted" then finish(self, app, "errorPermissions")
    else locate(self, app, manager) end
  end,

  primer_answered = function(self, app, id, answer)
    if answer == "continue" then
      self.agreed = true
      return app.manager:requestAlwaysAuthorization()
    end
    app:milestone("declined_primer")
    finish(self, app, "errorPermissions")
  end,

  locationManagerDidChangeAuthorization = function(self, manager)
    authorization_changed(self, manager, manager.authorizationStatus)
  end,
  didChangeAuthorization = authorization_changed, -- Before iOS 14.

  didUpdateLocations = function(self, manager)
    if not self.feature then return end -- A change of place, not an answer to a tap.
    finish(self, app, "success")
    self.uses = (self.uses or 0) + 1
    if app.available("13.4") and not self.asked_always
      and self.uses >= app.options.upgrade_after_uses
      and manager.authorizationStatus == "authorizedWhenInUse" then
      self.asked_always = true
      manager:requestAlwaysAuthorization()
    end
  end,

  didFailWithError = function(self, _, code)
    finish(self, app, code == "denied" and "errorPermissions" or "errorLocation")
  end,
}
