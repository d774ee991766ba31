-- Asks in context, and again in context. Allow Once lapses soon after the app is left: the status
-- is notDetermined again (O5), and iOS prompts as often as it is asked (O6, W5). The person who
-- then taps what needs location is asked again straight away, at that tap. With `reask = false` a
-- person is asked at most once, ever. Always is never asked for: the second question is all that
-- differs between two arms. From iOS 9 on.

local function finish(self, app, outcome)
  local feature = self.feature
  if not feature then return end
  self.feature = nil
  app:feature_done(feature, outcome)
end

-- Every tap has one outcome: also one that still waits when another comes, when the person leaves,
-- or when the process has ended without a word.
local function abandon(self, app) finish(self, app, "abandoned") end

local function ask(self, app, manager)
  if self.was_asked and not app.options.reask then
    finish(self, app, "errorPermissions")
    return
  end
  if self.had_grant then app:milestone("asked_again") end
  self.was_asked = true
  manager:requestWhenInUseAuthorization()
end

local function authorization_changed(self, manager, status)
  if status == "notDetermined" then
    if self.has_grant then -- Allow Once, or Ask Next Time in Settings: the app cannot tell (O1).
      self.has_grant, self.had_grant = nil, true
      app:milestone("grant_lapsed")
    end
    return
  end
  if status == "denied" or status == "restricted" then
    self.has_grant = nil
    finish(self, app, "errorPermissions")
  else
    self.has_grant = true
    if self.feature then manager:requestLocation() end
  end
end

return {
  options = {
    reask = { default = true, about = "asks again when a grant has lapsed; false: once, ever" },
  },

  launched = abandon,
  entered_background = abandon,

  tapped = function(self, app, feature)
    local manager = app.manager
    local status = manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status == "notDetermined" then ask(self, app, manager)
    elseif status == "denied" or status == "restricted" then finish(self, app, "errorPermissions")
    else manager:requestLocation() end
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
