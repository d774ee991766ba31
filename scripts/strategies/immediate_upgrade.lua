-- The flow that guides of background SDKs give (Y3): When In Use at the first launch, Always right
-- in the callback that grants it, and from then on continuous updates and a region. It has the
-- deprecated callback alone, which iOS 14 and later then call too (C6). The Info.plist needs the
-- mode `location`: without it, allowsBackgroundLocationUpdates ends the process (B3).
--
-- What iOS makes of the second request, while the first is still on the person's mind:
--   8 to 10    one alert, Cancel or Allow (P16; D2: Apple's header says that nothing happens)
--   11, 12     the upgrade prompt at once (A4)
--   13.0 on    no prompt: a provisional Always at once (A7). iOS asks when an event needs Always
--              (V3): a region's may, updates that run do not (V12)
--   13.4 on    the upgrade prompt at once, so two in one visit (A8)
-- After "keep" there is no callback and no second chance (C11, A9); under Allow Once the request
-- does nothing and is not spent (A10). Repeats in later callbacks are ignored (A9, A12).
--
-- `back_to_back` makes both requests in one go. On every version the second finds a prompt on
-- screen and is dropped, not queued (W8), so all that asks for Always is still the callback. Nor is
-- it spent; with the rule `request_during_prompt: "spends_always"` (D19) it is, and Always is lost.
--
-- Updates that were begun in the foreground go on in the background: with When In Use too, under
-- the indicator, and Allow Once lasts as long as they run (B2, B4, O4). With Always they are what
-- the reminders of iOS count (R1).

local function finish(self, app, outcome)
  local feature = self.feature
  if not feature then return end
  self.feature = nil
  app:feature_done(feature, outcome)
end

-- Every tap has one outcome: also one that still waits when another comes, when the person leaves,
-- or when the process has ended without a word.
local function abandon(self, app) finish(self, app, "abandoned") end

local function track(self, manager)
  if not self.is_tracking then -- Once a process: updates end with it (B8).
    self.is_tracking = true
    manager:startUpdatingLocation()
  end
  -- At each grant, since up to iOS 12 the lesser one is not enough (RG9). The same identifier
  -- replaces (RG2).
  manager:startMonitoring {
    identifier = "store", latitude = 52.52, longitude = 13.405, radius = 200,
  }
end

local function stop_tracking(self, manager)
  if not self.is_tracking then return end
  self.is_tracking, self.has_position = nil, nil
  manager:stopUpdatingLocation()
  manager:stopMonitoring { identifier = "store" }
end

return {
  options = {
    back_to_back = { default = false,
      about = "both requests in one go at the first launch, and Always in the callback as well" },
  },

  launched = function(self, app)
    abandon(self, app)
    self.is_tracking, self.has_position = nil, nil
    -- Set together with the manager, whatever the status (B16), and anew in each process (B17).
    if app.available("9.0") then app.manager.allowsBackgroundLocationUpdates = true end
  end,
  entered_background = abandon,

  entered_foreground = function(_, app)
    local manager = app.manager
    if manager.authorizationStatus ~= "notDetermined" then return end
    manager:requestWhenInUseAuthorization()
    if app.options.back_to_back then manager:requestAlwaysAuthorization() end
  end,

  tapped = function(self, app, feature)
    local status = app.manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status ~= "authorizedWhenInUse" and status ~= "authorizedAlways" then
      finish(self, app, "errorPermissions")
    elseif app.available("9.0") then
      app.manager:requestLocation()
    elseif self.has_position then -- Before: the latest of the updates serves, or else the next.
      finish(self, app, "success")
    end
  end,

  didChangeAuthorization = function(self, manager, status)
    if status == "authorizedWhenInUse" or status == "authorizedAlways" then
      if status == "authorizedWhenInUse" then manager:requestAlwaysAuthorization() end
      track(self, manager)
    else
      stop_tracking(self, manager)
    end
  end,

  didUpdateLocations = function(self)
    if not self.has_position then self.has_position = true end
    finish(self, app, "success")
  end,

  didFailWithError = function(self, _, code)
    finish(self, app, code == "denied" and "errorPermissions" or "errorLocation")
  end,

  -- Up to iOS 12 regions need Always (RG9): with less, the arrival goes unnoticed.
  monitoringDidFail = function(_, _, region) app:milestone("unwatched_" .. region.identifier) end,
}
