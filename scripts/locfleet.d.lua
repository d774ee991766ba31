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

---@class CLLocation
---In meters.
---@field horizontalAccuracy number

---@class CLCircularRegion
---As it was registered.
---@field identifier string

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
