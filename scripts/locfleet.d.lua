---@meta
-- Locfleet's script API for editors. Generated: locfleet api --annotations
-- In .luarc.json: { "workspace.library": ["scripts/locfleet.d.lua"] }

---@alias Duration number|string Seconds, or text with a unit ("90s", "2d").
---@alias Choice string A button of a prompt; scripts/README.md lists them.
---@alias Status
---| "notDetermined"
---| "restricted"
---| "denied"
---| "authorizedWhenInUse"
---| "authorizedAlways"
---@alias Accuracy "fullAccuracy"|"reducedAccuracy"
---@alias CLRegion CLCircularRegion
---@alias PrimerAnswer "continue"|"not_now"
---@alias AlertAnswer "open_settings"|"cancel"

---@class Answer
---@field precise? boolean False: turns the prompt's Precise switch off.
---@field after? Duration Thinks for so long.

---@class Region
---@field identifier string
---@field latitude number
---@field longitude number
---@field radius number In meters.

---@class CLHeading What it says comes with movement.

---@class SettingsAlert The app's alert that offers Settings. It has no fields.

---@class Option
---@field default number|boolean|string
---@field min? number
---@field max? number
---@field unit? string
---@field about? string
---@field source? string A record of behaviour-sources.json, or "assumed".
---@field assumed? boolean

---@class Behavior
---@field options? table<string, Option>
---Once, before anything else.
---@field born? fun(self, person: Person)
---At birth and after each close: until the person opens the app next; nil: never again.
---@field next_open? fun(self, person: Person): Duration?
---At each opening: the time in the foreground.
---@field session_length? fun(self, person: Person): Duration
---At opening and after each tap: the feature tapped next and when, or nil.
---@field next_tap? fun(self, person: Person, features: string[]): string?, Duration?
---At each prompt of the system: one of prompt.choices. Required.
---@field answer_prompt? fun(self, prompt: Prompt, person: Person): Choice, Answer?
---At an own screen of the app.
---@field answer_primer? fun(self, primer: Primer, person: Person): PrimerAnswer
---At the app's alert that offers Settings.
---@field answer_settings_alert? fun(self, alert: SettingsAlert, person: Person): AlertAnswer
---Once a local day, at an instant of its own.
---@field each_day? fun(self, person: Person)

---@class Strategy
---@field options? table<string, Option>
---At each start of the process.
---@field launched? fun(self, app: App)
---After launched and the first callback, and at each return.
---@field entered_foreground? fun(self, app: App)
---When the person leaves the app.
---@field entered_background? fun(self, app: App)
---The person tapped a feature.
---@field tapped? fun(self, app: App, feature: string)
---The person answered an own screen.
---@field primer_answered? fun(self, app: App, id: string, answer: PrimerAnswer)
---The person answered the alert that offers Settings.
---@field settings_alert_answered? fun(self, app: App, answer: AlertAnswer)
---Once a process, and at each change. From iOS 14.0 on.
---@field locationManagerDidChangeAuthorization? fun(self, manager: CLLocationManager)
---Before iOS 14, or where the hook above is absent.
---@field didChangeAuthorization? fun(self, manager: CLLocationManager, status: Status)
---A position.
---@field didUpdateLocations? fun(self, manager: CLLocationManager, locations: CLLocation[])
---"denied", "locationUnknown" …
---@field didFailWithError? fun(self, manager: CLLocationManager, code: string)
---"regionMonitoringDenied" or "regionMonitoringFailure".
---@field monitoringDidFail? fun(self, manager: CLLocationManager, region: CLRegion, code: string)
---The region was registered.
---@field didStartMonitoringFor? fun(self, manager: CLLocationManager, region: CLRegion)
---A crossing; comes with movement.
---@field didEnterRegion? fun(self, manager: CLLocationManager, region: CLRegion)
---A crossing; comes with movement.
---@field didExitRegion? fun(self, manager: CLLocationManager, region: CLRegion)
---"inside", "outside" or "unknown".
---@field didDetermineState? fun(self, manager: CLLocationManager, state: string, region: CLRegion)
---An arrival or a departure; comes with movement.
---@field didVisit? fun(self, manager: CLLocationManager, visit: CLVisit)
---Comes with movement.
---@field didUpdateHeading? fun(self, manager: CLLocationManager, heading: CLHeading)
---Updates of a device at rest; comes with movement.
---@field locationManagerDidPauseLocationUpdates? fun(self, manager: CLLocationManager)
---The app has begun them again.
---@field locationManagerDidResumeLocationUpdates? fun(self, manager: CLLocationManager)
---Ours for Apple's completion handler: nil, also after a refusal, or "promptDeclined".
---@field didCompleteTemporaryFullAccuracyAuthorization? fun(self, manager: CLLocationManager, error: string?)
---Ours for the events of a CLMonitor.
---@field didReceiveMonitorEvent? fun(self, monitor: CLMonitor, event: MonitorEvent)
---Ours for CLLocationUpdate.liveUpdates().
---@field didReceiveLiveUpdate? fun(self, update: CLLocationUpdate)
---Ours for the diagnostics of service sessions.
---@field didReceiveServiceSessionDiagnostic? fun(self, diagnostic: Diagnostic)

---@class Person
---Its number, from 0.
---@field device integer
---The persona's name.
---@field persona string
---Such as 17.6.
---@field ios number
---The values of the script's options.
---@field options table
---0 to 24, in the scenario's zone.
---@field local_hour number
---Local days since the start, from 0.
---@field day integer
---Of the local day: 1 for Monday to 7 for Sunday.
---@field weekday integer
---Simulated seconds since the scenario began.
---@field now number
---What the app sees.
---@field status Status

---@class Prompt
---Which prompt it is.
---@field kind string
---Its buttons.
---@field choices Choice[]
---The text of the Info.plist that it shows.
---@field purpose string
---The k-th of its kind on this device, from 1.
---@field ordinal integer
---Prompts of all kinds before it.
---@field asked_before integer
---An own screen was agreed to in the last minute.
---@field primed boolean
---Something was tapped in the last minute.
---@field expected boolean
---Such as 17.6.
---@field ios number
---Whether that is one of its buttons.
---@field has fun(choice: Choice): boolean

---@class Primer
---As the app called it.
---@field id string

---@class App
---The one that every process makes.
---@field manager CLLocationManager
---The values of the script's options.
---@field options table
---Such as 17.6.
---@field ios number
---Simulated seconds since the scenario began.
---@field now number
---Openings since it was installed, this one included.
---@field sessions integer
---The first process since it was installed.
---@field first_launch boolean
---An event of a service started the process.
---@field launched_by_system boolean
---Whether the device has that iOS or a later one.
---@field available fun(version: string): boolean
---Covers the app with a screen of its own.
---@field show_primer fun(self, screen: {id: string, text: string?})
---Offers the way to Settings.
---@field show_settings_alert fun(self)
---How a tap ended: success, errorPermissions, errorLocation or a word of yours.
---@field feature_done fun(self, feature: string, outcome: string)
---A step for funnels.
---@field milestone fun(self, name: string)
---The managers of the process, by identifier.
---@field managers table<string, CLLocationManager>
---Those held, by level.
---@field service_sessions table<string, CLServiceSession>
---The one held.
---@field background_activity_session CLBackgroundActivitySession?
---The one open.
---@field monitor CLMonitor?
---The sequence that runs.
---@field live_updates LiveUpdates?
---Calls fn once, when that time has passed.
---@field after fun(self, seconds: Duration, fn: fun(self, app: App)): Timer
---Calls fn again and again.
---@field every fun(self, seconds: Duration, fn: fun(self, app: App)): Timer
---Begins a task, in which wait pauses.
---@field start fun(self, fn: fun(self, app: App))

---@type App
app = nil

---@class CLLocationManager
---What the app sees.
---@field authorizationStatus Status
---What positions are like. From iOS 14.0 on.
---@field accuracyAuthorization Accuracy
---May be set; without the background mode that is fatal. From iOS 9.0 on.
---@field allowsBackgroundLocationUpdates boolean
---Asks for the foreground.
---@field requestWhenInUseAuthorization fun(self, options: {thread: string}?)
---Asks for Always.
---@field requestAlwaysAuthorization fun(self, options: {thread: string}?)
---Asks for full accuracy while in use. From iOS 14.0 on.
---@field requestTemporaryFullAccuracyAuthorization fun(self, purpose_key: string)
---One position, or an error. From iOS 9.0 on.
---@field requestLocation fun(self)
---Starts standard updates.
---@field startUpdatingLocation fun(self)
---Stops standard updates.
---@field stopUpdatingLocation fun(self)
---Starts significant changes.
---@field startMonitoringSignificantLocationChanges fun(self)
---Stops significant changes.
---@field stopMonitoringSignificantLocationChanges fun(self)
---Starts visits.
---@field startMonitoringVisits fun(self)
---Stops visits.
---@field stopMonitoringVisits fun(self)
---Watches a circular region; the same identifier replaces.
---@field startMonitoring fun(self, region: Region)
---Watches it no longer.
---@field stopMonitoring fun(self, region: Region|CLCircularRegion)
---Ours: "main", or what CLLocationManager(name) was given.
---@field identifier string
---Answered by didDetermineState.
---@field requestState fun(self, region: Region|CLCircularRegion)
---Starts headings.
---@field startUpdatingHeading fun(self)
---Stops headings.
---@field stopUpdatingHeading fun(self)
---Ours: lets go of it.
---@field release fun(self)
---May be set.
---@field pausesLocationUpdatesAutomatically boolean
---May be set. From iOS 11.0 on.
---@field showsBackgroundLocationIndicator boolean
---May be set: "kCLLocationAccuracyBest" and its kin.
---@field desiredAccuracy string

---@class CLLocation
---In meters.
---@field horizontalAccuracy number

---@class CLCircularRegion
---As it was registered.
---@field identifier string

---@class CLVisit
---An arrival, or a departure.
---@field is_arrival boolean

---@class CLServiceSession
---"whenInUse" or "always".
---@field authorization string
---What it says now.
---@field diagnostics Diagnostic
---Ends it.
---@field invalidate fun(self)

---@class Diagnostic
---As Apple says. From iOS 18.0 on.
---@field authorizationDenied boolean
---As Apple says. From iOS 18.0 on.
---@field authorizationDeniedGlobally boolean
---As Apple says. From iOS 18.0 on.
---@field authorizationRestricted boolean
---As Apple says. From iOS 18.0 on.
---@field authorizationRequestInProgress boolean
---As Apple says. From iOS 18.0 on.
---@field alwaysAuthorizationDenied boolean
---As Apple says. From iOS 18.0 on.
---@field fullAccuracyDenied boolean
---As Apple says. From iOS 18.0 on.
---@field insufficientlyInUse boolean
---As Apple says. From iOS 18.0 on.
---@field serviceSessionRequired boolean

---@class CLBackgroundActivitySession
---Ends it.
---@field invalidate fun(self)

---@class CLMonitor
---As it was opened.
---@field name string
---Watches a circle.
---@field add fun(self, condition: Region)
---Watches it no longer.
---@field remove fun(self, identifier: string)

---@class MonitorEvent
---Of the condition.
---@field identifier string
---"satisfied", "unsatisfied" or "unmonitored".
---@field state string
---As Apple says. From iOS 18.0 on.
---@field authorizationDenied boolean
---As Apple says. From iOS 18.0 on.
---@field authorizationDeniedGlobally boolean
---As Apple says. From iOS 18.0 on.
---@field authorizationRestricted boolean
---As Apple says. From iOS 18.0 on.
---@field authorizationRequestInProgress boolean
---As Apple says. From iOS 18.0 on.
---@field accuracyLimited boolean
---As Apple says. From iOS 18.0 on.
---@field insufficientlyInUse boolean
---As Apple says. From iOS 18.0 on.
---@field serviceSessionRequired boolean
---As Apple says. From iOS 18.0 on.
---@field conditionLimitExceeded boolean

---@class LiveUpdates
---Ends the sequence.
---@field cancel fun(self)

---@class CLLocationUpdate
---Nil where it brings flags alone.
---@field location CLLocation?
---As Apple says. From iOS 18.0 on.
---@field authorizationDenied boolean
---As Apple says. From iOS 18.0 on.
---@field authorizationDeniedGlobally boolean
---As Apple says. From iOS 18.0 on.
---@field authorizationRestricted boolean
---As Apple says. From iOS 18.0 on.
---@field authorizationRequestInProgress boolean
---As Apple says. From iOS 18.0 on.
---@field accuracyLimited boolean
---As Apple says. From iOS 18.0 on.
---@field insufficientlyInUse boolean
---As Apple says. From iOS 18.0 on.
---@field serviceSessionRequired boolean

---@class Timer
---No more of it.
---@field cancel fun(self)

phone = {}

---Chooses the app's row in Settings: never, ask_next_time, while_using or always.
---@param row string
function phone.settings(row) end

---The app's Precise Location switch.
---@param on boolean
function phone.precise(on) end

---The app's Background App Refresh switch.
---@param on boolean
function phone.background_app_refresh(on) end

---The switch of the whole phone.
---@param on boolean
function phone.location_services(on) end

---A restriction in Screen Time.
---@param on boolean
function phone.restrict_location(on) end

---Reset Location & Privacy.
function phone.reset_location_privacy() end

---Swipes the app away.
function phone.force_quit() end

---Deletes the app.
function phone.delete_app() end

---Deletes it, and installs it again after that.
---@param after Duration
function phone.reinstall(after) end

---Restarts the phone.
function phone.reboot() end

---Installs that iOS, where the phone runs an older one.
---@param version string
function phone.upgrade_os(version) end

---Goes on with a new phone, set up from a backup.
function phone.migrate_device() end

---Places a widget that wants location. From iOS 14.0 on.
function phone.place_widget() end

---Taps the location button in the app. From iOS 15.0 on.
function phone.tap_location_button() end

rng = {}

---In 0 to 1.
---@return number
function rng.uniform() end

---True with probability p.
---@param p number
---@return boolean
function rng.chance(p) end

---Each of them alike, both ends included.
---@param lo integer
---@param hi integer
---@return integer
function rng.integer(lo, hi) end

---Of that mean.
---@param mean number
---@return number
function rng.exponential(mean) end

---Of that mean and standard deviation.
---@param mean number
---@param sd number
---@return number
function rng.normal(mean, sd) end

---Of that median and sigma of the logarithm.
---@param median number
---@param sigma number
---@return number
function rng.lognormal(median, sigma) end

---A name, with its weight.
---@param weights table<string, number>
---@return string
function rng.pick(weights) end

---The list, in an order of which each is as likely.
---@param list table
---@return table
function rng.shuffle(list) end


---The share whose odds are ratio times those of p.
---@param p number
---@param ratio number
---@return number
function odds(p, ratio) end


---In a task alone: pauses it.
---@param seconds Duration
---@return App
function wait(seconds) end

---Makes another manager.
---@param name string?
---@return CLLocationManager
function CLLocationManager(name) end

---Holds a session; also with fullAccuracyPurposeKey. From iOS 18.0 on.
---@param session {authorization: string}
---@return CLServiceSession
function CLServiceSession(session) end

---Holds a session. From iOS 17.0 on.
---@return CLBackgroundActivitySession
function CLBackgroundActivitySession() end

---Opens the monitor. From iOS 17.0 on.
---@param name string
---@return CLMonitor
function CLMonitor(name) end


---Begins the sequence. From iOS 17.0 on.
---@return LiveUpdates
function CLLocationUpdate.liveUpdates() end

metric = {}

---Adds to a counter; without n, 1.
---@param name string
---@param n integer?
function metric.count(name, n) end

---Adds to a histogram.
---@param name string
---@param value number
function metric.observe(name, value) end

funnel = {}

---The step milestone:NAME of funnels.
---@param name string
function funnel.step(name) end

-- As in Lua, of globals:
--   assert
--   error
--   getmetatable
--   ipairs
--   next
--   pairs
--   pcall
--   print
--   select
--   setmetatable
--   tonumber
--   tostring
--   type

-- As in Lua, of coroutine:
--   create
--   status
--   yield
--   resume
--   wrap

-- As in Lua, of math:
--   huge
--   maxinteger
--   mininteger
--   pi
--   abs
--   acos
--   asin
--   atan
--   ceil
--   cos
--   deg
--   exp
--   floor
--   fmod
--   log
--   max
--   min
--   modf
--   rad
--   sin
--   sqrt
--   tan
--   tointeger
--   type
--   ult

-- As in Lua, of string:
--   byte
--   char
--   find
--   format
--   gmatch
--   gsub
--   len
--   lower
--   match
--   rep
--   reverse
--   sub
--   upper

-- As in Lua, of table:
--   concat
--   insert
--   move
--   pack
--   remove
--   sort
--   unpack
