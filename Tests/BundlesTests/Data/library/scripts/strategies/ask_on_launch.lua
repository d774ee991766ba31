return {
  launched = function(self, app) app.manager:requestWhenInUseAuthorization() end,
}
