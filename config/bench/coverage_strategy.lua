-- Asks as soon as it is opened.
return {
  entered_foreground = function(_, app) app.manager:requestWhenInUseAuthorization() end,
}
