-- Gives before it asks. The first uses work without location: the person types a place. Only who
-- has got something out of the app that many times is asked, after an own screen, at the next
-- tap. The same again for Always: so many uses with location come first. Who refuses goes on
-- typing, so no tap ends for want of a permission. From iOS 9 on.

local function finish(self, app, outcome)
  local feature = self.feature
  if not feature then return end
  self.feature = nil
  app:feature_done(feature, outcome)
end

-- Every tap has one outcome: also one that still waits when another comes, when the person leaves,
-- or when the process has ended without a word.
local function abandon(self, app) finish(self, app, "abandoned") end

local function count_value(self) self.values = (self.values or 0) + 1 end

local function serve_by_hand(self, app)
  if not self.feature then return end
  count_value(self)
  finish(self, app, "manual_entry")
end

local function ask(self, app, manager)
  if self.agreed then -- Allow Once has lapsed: no need to explain again.
    manager:requestWhenInUseAuthorization()
  elseif (self.values or 0) < app.options.value_before_asking then
    serve_by_hand(self, app)
  else
    app:milestone("explained")
    app:show_primer { id = "why", text = "You have found stores by typing. Let the app find them." }
  end
end

local function offer_alerts(self, app)
  self.values = nil -- The next offer has to be earned too.
  app:milestone("saw_alert_offer")
  app:show_primer { id = "alerts", text = "Hear of your order when you arrive at the store." }
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
    serve_by_hand(self, app)
  elseif self.feature then
    manager:requestLocation()
  end
end

return {
  options = {
    value_before_asking = { default = 3, min = 0, max = 1000, unit = "uses",
      about = "uses without location before it asks for it, and between two own screens" },
    value_before_always = { default = 3, min = 1, max = 1000, unit = "uses",
      about = "uses with location before Always is offered, and between two offers" },
  },

  launched = abandon,
  entered_background = abandon,

  tapped = function(self, app, feature)
    local manager = app.manager
    local status = manager.authorizationStatus
    abandon(self, app)
    self.feature = feature
    if status == "notDetermined" then ask(self, app, manager)
    elseif status == "denied" or status == "restricted" then serve_by_hand(self, app)
    else manager:requestLocation() end
  end,

  primer_answered = function(self, app, id, answer)
    local is_agreed = answer == "continue"
    if id == "alerts" then
      if not is_agreed then return end
      self.asked_always = true -- iOS shows that prompt once (A9).
      app.manager:requestAlwaysAuthorization()
      return
    end
    self.values = nil -- What comes next is counted from here.
    if is_agreed then
      self.agreed = true
      app.manager:requestWhenInUseAuthorization()
    else
      app:milestone("declined_primer")
      serve_by_hand(self, app)
    end
  end,

  locationManagerDidChangeAuthorization = function(self, manager)
    authorization_changed(self, manager, manager.authorizationStatus)
  end,
  didChangeAuthorization = authorization_changed, -- Before iOS 14.

  didUpdateLocations = function(self, manager)
    if not self.feature then return end -- A change of place, not an answer to a tap.
    finish(self, app, "success")
    count_value(self)
    if self.values >= app.options.value_before_always and not self.asked_always
      and manager.authorizationStatus == "authorizedWhenInUse" then
      offer_alerts(self, app)
    end
  end,

  didFailWithError = function(self, _, code)
    if code == "denied" then serve_by_hand(self, app) else finish(self, app, "errorLocation") end
  end,
}
