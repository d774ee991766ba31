-- A "use my location" button and a search field, nothing in the background. The system is asked
-- at the tap. Every callback that reports a grant fetches one position, the first of a launch too
-- (Y4); denied and restricted read alike, also at launch, and the text stays until the person acts
-- (Y5); a failed position is reported and tried again (Y6). Search needs no permission. From iOS 9.

local function show_denied(self, app)
  if self.denied_shown then return end -- It still stands there.
  self.denied_shown = true
  app:milestone("denied_shown")
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

local function locate(self, manager)
  self.retries = nil
  manager:requestLocation()
end

local function refused(self, app)
  finish(self, app, "errorPermissions")
  show_denied(self, app)
end

local function authorization_changed(self, manager, status)
  if status == "authorizedWhenInUse" or status == "authorizedAlways" then
    self.denied_shown = nil
    locate(self, manager)
  elseif status == "denied" or status == "restricted" then
    refused(self, app)
  else
    self.denied_shown = nil
  end
end

return {
  options = {
    retries_max = { default = 2, min = 0, max = 20, unit = "requests",
      about = "new requests after a position that failed" },
    search_feature = { default = "manual_search", about = "the feature that is the search field" },
  },

  launched = function(self, app) -- A new process shows nothing yet.
    abandon(self, app)
    self.denied_shown, self.retries = nil, nil
  end,
  entered_background = abandon,

  tapped = function(self, app, feature)
    local manager = app.manager
    local status = manager.authorizationStatus
    abandon(self, app)
    self.denied_shown = nil -- The person acts.
    if feature == app.options.search_feature then
      app:feature_done(feature, "manual_search")
      return
    end
    self.feature = feature
    if status == "notDetermined" then
      manager:requestWhenInUseAuthorization()
    elseif status == "denied" or status == "restricted" then
      refused(self, app)
    else
      locate(self, manager)
    end
  end,

  locationManagerDidChangeAuthorization = function(self, manager)
    authorization_changed(self, manager, manager.authorizationStatus)
  end,
  didChangeAuthorization = authorization_changed, -- Before iOS 14.

  didUpdateLocations = function(self)
    if self.feature then
      finish(self, app, "success")
    else
      app:milestone("located") -- At a launch, after a change in Settings, or at a new try.
    end
    self.retries = nil
  end,

  didFailWithError = function(self, manager, code)
    if code == "denied" then
      refused(self, app)
      return
    end
    finish(self, app, "errorLocation")
    local retries = self.retries or 0
    if retries < app.options.retries_max then
      self.retries = retries + 1
      manager:requestLocation()
    else
      self.retries = nil
    end
  end,
}
