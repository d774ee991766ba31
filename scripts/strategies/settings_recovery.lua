-- Wins back who has refused. It asks at the tap that needs location. A refusal is final for the
-- system (P3), so at a later tap an own screen explains, and an alert leads to the app's page in
-- Settings (Y7), not more often than a cool-down allows. A changed row is heard of in the
-- callback, and the tap that led there is served on return. Who is restricted cannot change the
-- row and is left alone. Always is never asked for: what differs from asking in context alone is
-- the way back. From iOS 9 on.

local function finish(self, app, outcome)
  local feature = self.feature
  if not feature then return end
  self.feature = nil
  app:feature_done(feature, outcome)
end

-- Every tap has one outcome: also one that still waits when another comes, when the person leaves,
-- or when the process has ended without a word.
local function abandon(self, app) finish(self, app, "abandoned") end

local function explain(self, app)
  local last = self.explained_in
  if last and app.sessions - last < app.options.cooldown_sessions then
    finish(self, app, "errorPermissions")
    return
  end
  self.explained_in = app.sessions
  app:milestone("explained_settings")
  app:show_primer { id = "settings", text = "Without your place there are no stores around you. "
    .. "Location can be switched on again in Settings." }
end

local function authorization_changed(self, manager, status)
  if status == "denied" or status == "restricted" then
    if status == "denied" then self.was_denied = true end
    finish(self, app, "errorPermissions")
  elseif status == "authorizedWhenInUse" or status == "authorizedAlways" then
    if self.was_denied then
      self.was_denied, self.explained_in = nil, nil
      app:milestone("recovered")
    end
    -- Still in Settings: a position would not reach the app there (F2), so the return asks for it.
    if self.feature and not self.is_in_settings then manager:requestLocation() end
  end
end

return {
  options = {
    cooldown_sessions = { default = 5, min = 1, max = 1000, unit = "sessions",
      about = "from one explanation that Settings can help to the next" },
  },

  launched = function(self, app)
    abandon(self, app)
    self.is_in_settings = nil
  end,

  entered_background = function(self, app)
    if not self.is_in_settings then abandon(self, app) end
  end,

  entered_foreground = function(self, app)
    if not self.is_in_settings then return end
    self.is_in_settings = nil
    local status = app.manager.authorizationStatus
    if status == "authorizedWhenInUse" or status == "authorizedAlways" then
      if self.feature then app.manager:requestLocation() end
    else
      finish(self, app, "errorPermissions") -- The row is as it was: no callback either (S10).
    end
  end,

  tapped = function(self, app, feature)
    local manager = app.manager
    local status = manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status == "notDetermined" then manager:requestWhenInUseAuthorization()
    elseif status == "denied" then explain(self, app)
    elseif status == "restricted" then finish(self, app, "errorPermissions")
    else manager:requestLocation() end
  end,

  primer_answered = function(self, app, id, answer)
    if answer == "continue" then app:show_settings_alert()
    else finish(self, app, "errorPermissions") end
  end,

  settings_alert_answered = function(self, app, answer)
    if answer == "open_settings" then
      app:milestone("opened_settings")
      self.is_in_settings = true
    else
      finish(self, app, "errorPermissions")
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
