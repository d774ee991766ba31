---@meta
-- Locfleet's script API for editors. Generated: locfleet api --annotations
-- In .luarc.json: { "workspace.library": ["scripts/locfleet.d.lua"] }

---@alias Duration number|string Seconds, or text with a unit ("90s", "2d").
---@alias Choice string A button of a prompt; scripts/README.md lists them.
---@alias Status "notDetermined"|"restricted"|"denied"|"authorizedWhenInUse"|"authorizedAlways"
---@alias Accuracy "fullAccuracy"|"reducedAccuracy"

---@class Answer
---@field precise? boolean False: turns the prompt's Precise switch off.
---@field after? Duration Thinks for so long.

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
---@field born? fun(self: table, person: Person) Once, before anything else.
---@field next_open? fun(self: table, person: Person): Duration? At birth and after each close: until the person opens the app next; nil: never again.
---@field session_length? fun(self: table, person: Person): Duration At each opening: the time in the foreground.
---@field next_tap? fun(self: table, person: Person, features: string[]): string?, Duration? At opening and after each tap: the feature tapped next and when, or nil.
---@field answer_prompt? fun(self: table, prompt: Prompt, person: Person): Choice, Answer? At each prompt of the system: one of prompt.choices. Required.
---@field answer_primer? fun(self: table, primer: Primer, person: Person): "continue"|"not_now" At an own screen of the app.
---@field answer_settings_alert? fun(self: table, alert: SettingsAlert, person: Person): "open_settings"|"cancel" At the app's alert that offers Settings.
---@field each_day? fun(self: table, person: Person) Once a local day, at an instant of its own.

---@class Strategy
---@field options? table<string, Option>
---@field launched? fun(self: table, app: App) At each start of the process.
---@field entered_foreground? fun(self: table, app: App) After launched and the first callback, and at each return.
---@field entered_background? fun(self: table, app: App) When the person leaves the app.
---@field tapped? fun(self: table, app: App, feature: string) The person tapped a feature.
---@field primer_answered? fun(self: table, app: App, id: string, answer: "continue"|"not_now") The person answered an own screen.
---@field settings_alert_answered? fun(self: table, app: App, answer: "open_settings"|"cancel") The person answered the alert that offers Settings.
---@field locationManagerDidChangeAuthorization? fun(self: table, manager: CLLocationManager) Once a process, and at each change. From iOS 14.0 on.
---@field didChangeAuthorization? fun(self: table, manager: CLLocationManager, status: Status) Before iOS 14, or where the hook above is absent.
---@field didUpdateLocations? fun(self: table, manager: CLLocationManager, locations: CLLocation[]) A position.
---@field didFailWithError? fun(self: table, manager: CLLocationManager, code: string) "denied", "locationUnknown" …
---@field monitoringDidFail? fun(self: table, manager: CLLocationManager, region: CLCircularRegion, code: string) "regionMonitoringDenied" or "regionMonitoringFailure".

---@class Person
---@field device integer Its number, from 0.
---@field persona string The persona's name.
---@field ios number Such as 17.6.
---@field options table The values of the script's options.
---@field local_hour number 0 to 24, in the scenario's zone.
---@field day integer Local days since the start, from 0.
---@field status Status What the app sees.

---@class Prompt
---@field kind string Which prompt it is.
---@field choices Choice[] Its buttons.
---@field purpose string The text of the Info.plist that it shows.
---@field ordinal integer The k-th of its kind on this device, from 1.
---@field asked_before integer Prompts of all kinds before it.
---@field primed boolean An own screen was agreed to in the last minute.
---@field expected boolean Something was tapped in the last minute.
---@field ios number Such as 17.6.
---@field has fun(choice: Choice): boolean Whether that is one of its buttons.

---@class Primer
---@field id string As the app called it.

---@class App
---@field manager CLLocationManager The one that every process makes.
---@field options table The values of the script's options.
---@field ios number Such as 17.6.
---@field sessions integer Openings since it was installed, this one included.
---@field first_launch boolean The first process since it was installed.
---@field launched_by_system boolean An event of a service started the process.
---@field available fun(version: string): boolean Whether the device has that iOS or a later one.
---@field show_primer fun(self, screen: {id: string, text: string?}) Covers the app with a screen of its own.
---@field show_settings_alert fun(self) Offers the way to Settings.
---@field feature_done fun(self, feature: string, outcome: string) How a tap ended: success, errorPermissions, errorLocation or a word of yours.
---@field milestone fun(self, name: string) A step for funnels.

---@type App
app = nil

---@class CLLocationManager
---@field authorizationStatus Status What the app sees.
---@field accuracyAuthorization Accuracy What positions are like. From iOS 14.0 on.
---@field allowsBackgroundLocationUpdates boolean May be set; without the background mode that is fatal. From iOS 9.0 on.
---@field requestWhenInUseAuthorization fun(self, options: {thread: string}?) Asks for the foreground.
---@field requestAlwaysAuthorization fun(self, options: {thread: string}?) Asks for Always.
---@field requestTemporaryFullAccuracyAuthorization fun(self, purpose_key: string) Asks for full accuracy while in use. From iOS 14.0 on.
---@field requestLocation fun(self) One position, or an error. From iOS 9.0 on.
---@field startUpdatingLocation fun(self) Starts standard updates.
---@field stopUpdatingLocation fun(self) Stops standard updates.
---@field startMonitoringSignificantLocationChanges fun(self) Starts significant changes.
---@field stopMonitoringSignificantLocationChanges fun(self) Stops significant changes.
---@field startMonitoringVisits fun(self) Starts visits.
---@field stopMonitoringVisits fun(self) Stops visits.
---@field startMonitoring fun(self, region: {identifier: string, latitude: number, longitude: number, radius: number}) Watches a circular region; the same identifier replaces.
---@field stopMonitoring fun(self, region: {identifier: string}|CLCircularRegion) Watches it no longer.

---@class CLLocation
---@field horizontalAccuracy number In meters.

---@class CLCircularRegion
---@field identifier string As it was registered.

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

-- globals: assert error getmetatable ipairs next pairs pcall print select setmetatable tonumber tostring type

-- coroutine: create status yield resume wrap

-- math: huge maxinteger mininteger pi abs acos asin atan ceil cos deg exp floor fmod log max min modf rad sin sqrt tan tointeger type ult

-- string: byte char find format gmatch gsub len lower match rep reverse sub upper

-- table: concat insert move pack remove sort unpack
