-- The app of the reference workload: asks for When In Use at once, and for Always in the third
-- session since that grant. A prompt may have gone away unanswered, so it asks in the next two
-- sessions too; after an answer iOS ignores that.
return {
  entered_foreground = function(self, app)
    local status = app.manager.authorizationStatus
    if status == "notDetermined" then
      app.manager:requestWhenInUseAuthorization()
    elseif status == "authorizedWhenInUse" then
      local since = (self.since or 0) + 1
      self.since = since
      if since >= 3 and since <= 5 then app.manager:requestAlwaysAuthorization() end
    end
  end,

  locationManagerDidChangeAuthorization = function(self, manager)
    local status = manager.authorizationStatus
    if status == "notDetermined" then self.since = 0
    elseif status == "authorizedAlways" then self.since = 99 end
    manager.allowsBackgroundLocationUpdates = status == "authorizedAlways"
    if status == "authorizedWhenInUse" or status == "authorizedAlways" then
      manager:startUpdatingLocation()
    else
      manager:stopUpdatingLocation()
    end
  end,
}
