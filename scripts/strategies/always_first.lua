-- Asks for Always at the first tap, without asking for When In Use before. What iOS makes of that:
--   9, 10    Allow or Don't Allow (P5)
--   11, 12   three choices; Only While Using spends the request (P6, A5)
--   13 on    the When In Use prompt (A6). Allow While Using reports Always to the app, while
--            Settings shows While Using: a provisional Always (V1). iOS itself asks a second time,
--            out of the app, after the first event that needs Always, and holds that event back
--            (V3, V4). Keep takes Always away for good; Always confirms it without a callback.
-- From 13 on a When In Use that follows such a request is Allow Once: requests for Always do
-- nothing under it and are not spent (A10). It lapses, and the next tap asks again (W5). From
-- iOS 9 on.

local function finish(self, app, outcome)
  local feature = self.feature
  if not feature then return end
  self.feature = nil
  app:feature_done(feature, outcome)
end

-- Every tap has one outcome: also one that still waits when another comes, when the person leaves,
-- or when the process has ended without a word.
local function abandon(self, app) finish(self, app, "abandoned") end

-- What needs Always. Its events make iOS ask the second time: an app that starts nothing keeps its
-- provisional Always for ever, and gets nothing from it (V8).
local function follow(self, manager)
  manager.allowsBackgroundLocationUpdates = true
  manager:startMonitoringSignificantLocationChanges() -- Anew in each process (SV3).
  if self.follows then return end
  self.follows = true
  app:milestone("always_reported")
  manager:startMonitoring {
    identifier = "store", latitude = 52.52, longitude = 13.405, radius = 200,
  }
end

local function stop_following(self, manager)
  if not self.follows then return end
  self.follows = nil
  app:milestone("always_taken_back") -- At the second prompt, a reminder, or in Settings.
  manager.allowsBackgroundLocationUpdates = false
  manager:stopMonitoringSignificantLocationChanges()
  manager:stopMonitoring { identifier = "store" }
end

local function authorization_changed(self, manager, status)
  if status == "authorizedAlways" then follow(self, manager) else stop_following(self, manager) end
  if not self.feature or status == "notDetermined" then return end
  if status == "denied" or status == "restricted" then
    finish(self, app, "errorPermissions")
  else
    manager:requestLocation() -- Either grant serves the tap.
  end
end

return {
  launched = abandon,
  entered_background = abandon,

  tapped = function(self, app, feature)
    local manager = app.manager
    local status = manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status == "notDetermined" then
      manager:requestAlwaysAuthorization()
    elseif status == "denied" or status == "restricted" then
      finish(self, app, "errorPermissions")
    else
      manager:requestLocation()
    end
  end,

  locationManagerDidChangeAuthorization = function(self, manager)
    authorization_changed(self, manager, manager.authorizationStatus)
  end,
  didChangeAuthorization = authorization_changed, -- Before iOS 14.

  didUpdateLocations = function(self) finish(self, app, "success") end,

  didFailWithError = function(self, _, code)
    finish(self, app, code == "denied" and "errorPermissions" or "errorLocation")
  end,
}
