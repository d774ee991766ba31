import Lint
import Testing

/// A finding with the least that brings it about, and with the least that does not.
struct FindingRow: CustomTestStringConvertible, Sendable {
    let code: Finding.Code
    let severity: Finding.Severity
    /// The versions that it holds for, as a person reads them.
    let holds: String
    let ios: String?
    let keys: [String]
    let lua: String?
    let services: [LocationService]
    let cleanKeys: [String]
    let cleanLua: String?
    var testDescription: String { "\(code.number) \(code.rawValue) \(keys) \(lua ?? "")" }

    init(
        _ code: Finding.Code, _ severity: Finding.Severity, _ holds: String, _ keys: [String],
        lua: String? = nil, ios: String? = nil, services: [LocationService] = [],
        clean: [String]? = nil, cleanLua: String? = nil
    ) {
        (self.code, self.severity, self.holds, self.keys) = (code, severity, holds, keys)
        (self.lua, self.ios, self.services) = (lua, ios, services)
        (self.cleanKeys, self.cleanLua) = (clean ?? keys, cleanLua ?? lua)
    }
}

@Suite("A finding")
struct FindingTests {
    private static let askWIU = "app.manager:requestWhenInUseAuthorization()"
    private static let askAlways = "app.manager:requestAlwaysAuthorization()"
    private static let full = "app.manager:requestTemporaryFullAccuracyAuthorization"
    private static let follow = "app.manager.allowsBackgroundLocationUpdates = true"
    private static let wiu = "wiu = Shows the stores around you."
    private static let always = "always = Tells the store that you have arrived."
    private static let legacy = "legacy = Tells the store that you have arrived."
    private static let reduced = "reduced = <true/>"
    private static let new = "locationManagerDidChangeAuthorization = function() end"
    private static let old = "didChangeAuthorization = function() end"
    private static let stub = "wiu = " + "TO" + "DO: say why"

    // swift-format-ignore
    static let rows: [FindingRow] = [
        // LI1
        FindingRow(.missingWhenInUseText, .error, "8 to 26", [], lua: askWIU, clean: [wiu]),
        FindingRow(.missingWhenInUseText, .error, "8 to 26", ["wiu = <integer>1</integer>"], lua: askWIU, clean: [wiu]),
        FindingRow(.missingWhenInUseText, .information, "8 to 26", [always], clean: [wiu]),
        FindingRow(.missingWhenInUseText, .error, "15 to 16", [], lua: askWIU, ios: "15..16", cleanLua: "--[[ \(askWIU) ]] local s = '\(askWIU)'"),
        FindingRow(.missingAlwaysText, .error, "8 to 10", [wiu, always], lua: askAlways, clean: [wiu, always, legacy]),
        FindingRow(.missingAlwaysText, .error, "11 to 26", [wiu, legacy], lua: askAlways, clean: [wiu, always, legacy]),
        FindingRow(.missingAlwaysText, .error, "11 to 26", [always, legacy], lua: askAlways, clean: [wiu, always, legacy]),
        FindingRow(.missingAlwaysText, .warning, "8 to 10", [wiu, always], clean: [wiu, always, legacy]),
        FindingRow(.missingAlwaysText, .error, "18", [wiu], lua: askAlways, ios: "18", cleanLua: askWIU),
        // LI2
        FindingRow(.storeWantsAlwaysText, .error, "8 to 26", [wiu], lua: askAlways, clean: [wiu, always]),
        FindingRow(.storeWantsAlwaysText, .error, "8 to 26", [wiu], lua: askAlways, cleanLua: "-- \(askAlways)"),
        // LI3
        FindingRow(.emptyText, .error, "8 to 26", ["wiu ="], clean: [wiu]),
        FindingRow(.emptyText, .error, "11 to 26", [wiu, "always = <string> \n </string>"], clean: [wiu, always]),
        FindingRow(.emptyText, .error, "14 to 26", [wiu, "temporary = <dict><key>A</key><string></string></dict>"], clean: [wiu, "temporary = A"]),
        // LI4
        FindingRow(.placeholderText, .warning, "8 to 26", ["wiu = Location usage description goes here"], clean: [wiu]),
        FindingRow(.placeholderText, .warning, "8 to 26", ["wiu = YOUR_DESCRIPTION"], clean: [wiu]),
        FindingRow(.placeholderText, .warning, "8 to 26", [stub], clean: ["wiu = Muestra las tiendas en todo momento"]),
        FindingRow(.placeholderText, .warning, "8 to 26", ["wiu = NSLocationWhenInUseUsageDescription"], clean: [wiu]),
        FindingRow(.placeholderText, .warning, "8 to 26", ["wiu = $(LOCATION TEXT)"], clean: ["wiu = $(LOCATION_TEXT)"]),
        FindingRow(.placeholderText, .warning, "8 to 26", ["wiu = $(LOCATION_TEXT)", "DTXcode = 1600"], clean: ["wiu = Finds stores with prices below 5 $ (or less)", "DTXcode = 1600"]),
        FindingRow(.placeholderText, .warning, "8 to 26", ["wiu = {{LOCATION_TEXT}}"], clean: ["wiu = ${LOCATION_TEXT}"]),
        FindingRow(.buildVariable, .information, "8 to 26", ["wiu = $(LOCATION_TEXT)"], clean: ["wiu = $(LOCATION_TEXT)", "DTXcode = 1600"]),
        FindingRow(.buildVariable, .information, "8 to 26", ["wiu = ${PRODUCT_NAME} shows stores"], clean: [wiu]),
        FindingRow(.placeholderText, .warning, "14 to 26", [wiu, "temporary = <dict><key>Near</key><string>Near</string></dict>"], clean: [wiu, "temporary = Near"]),
        // LI5
        FindingRow(.genericText, .warning, "8 to 26", ["wiu = This app requires location to function."], clean: [wiu]),
        FindingRow(.genericText, .warning, "8 to 26", ["CFBundleName = Gummy", "wiu = Gummy uses your location for a better experience."], clean: ["CFBundleName = Gummy", "wiu = Gummy finds sweets near your location."]),
        FindingRow(.genericText, .warning, "8 to 26", ["wiu = $(PRODUCT_NAME) uses your location"], clean: ["wiu = $(PRODUCT_NAME) shows stores"]),
        FindingRow(.genericText, .warning, "8 to 10", [wiu, "legacy = We need your location always."], clean: [wiu, legacy]),
        // LI6
        FindingRow(.ignoredType, .error, "14 to 26", [wiu, "reduced = YES"], clean: [wiu, "reduced = <true/>"]),
        FindingRow(.ignoredType, .error, "14 to 26", [wiu, "reduced = <integer>1</integer>"], clean: [wiu, "reduced = <false/>"]),
        FindingRow(.ignoredType, .error, "8 to 26", ["wiu = <array/>"], clean: [wiu]),
        FindingRow(.ignoredType, .error, "14 to 26", [wiu, "temporary = <string>Near</string>"], clean: [wiu, "temporary = Near"]),
        FindingRow(.ignoredType, .error, "14 to 26", [wiu, "temporary = <dict><key>Near</key><true/></dict>"], clean: [wiu, "temporary = Near"]),
        FindingRow(.ignoredType, .error, "8 to 26", [wiu, "modes = <string>location</string>"], clean: [wiu, "modes = location"]),
        FindingRow(.ignoredType, .warning, "8 to 26", [wiu, "modes = <array><string>location</string><integer>3</integer></array>"], clean: [wiu, "modes = location"]),
        FindingRow(.ignoredType, .error, "18 to 26", [wiu, "NSLocationRequireExplicitServiceSession = YES"], clean: [wiu, "NSLocationRequireExplicitServiceSession = <true/>"]),
        // LI7
        FindingRow(.obsoleteKey, .information, "8 to 26", [wiu, "old = Shows stores"], clean: [wiu]),
        FindingRow(.obsoleteKey, .information, "11 to 26", [wiu, always, legacy], ios: "11..", clean: [wiu, always]),
        FindingRow(.obsoleteKey, .information, "8 to 10", [wiu, always, legacy], ios: "..10", clean: [wiu, legacy]),
        FindingRow(.obsoleteKey, .information, "13", [wiu, "temporary = Near"], ios: "13", clean: [wiu]),
        // LI9
        FindingRow(.backgroundUpdatesWithoutMode, .error, "9 to 26", [wiu], lua: follow, clean: [wiu, "modes = location"]),
        FindingRow(.backgroundUpdatesWithoutMode, .error, "9 to 26", [wiu, "modes = fetch"], lua: follow, cleanLua: "app.manager.allowsBackgroundLocationUpdates = false"),
        // LI10
        FindingRow(.otherMode, .warning, "8 to 26", [wiu, "modes = fetch"], lua: follow, clean: [wiu, "modes = fetch location"]),
        FindingRow(.otherMode, .warning, "8 to 26", [wiu, "modes = audio"], services: [.updates], clean: [wiu, "modes = location audio"]),
        FindingRow(.otherMode, .warning, "8 to 26", [wiu, always, legacy, "modes = fetch"], clean: [wiu, always, legacy]),
        // LI11
        FindingRow(.unknownPurpose, .error, "14 to 26", [wiu, "temporary = Near"], lua: full + "('Naer')", cleanLua: full + "('Near')"),
        FindingRow(.unknownPurpose, .error, "14 to 26", [wiu], lua: full + " 'Near'", clean: [wiu, "temporary = Near"]),
        FindingRow(.unknownPurpose, .error, "14 to 26", [wiu, "temporary = Near"], lua: "return { options = { key = { default = 'Far' } }, launched = function(_, app) \(full)(app.options.key) end }", cleanLua: full + "(app.options.other)"),
        // LI12
        FindingRow(.onlyNewCallback, .warning, "8 to 13", [wiu], lua: "return { \(new) }", cleanLua: "return { \(new), \(old) }"),
        FindingRow(.onlyOldCallback, .warning, "14 to 26", [wiu], lua: "return { \(old) }", cleanLua: "return { \(new), \(old) }"),
        // LI13
        FindingRow(.classMethodStatus, .information, "14 to 26", [wiu], lua: "local s = CLLocationManager.authorizationStatus()", cleanLua: "local s = app.manager.authorizationStatus"),
        // LI14
        FindingRow(.backToBack, .warning, "8 to 26", [wiu, always, legacy], lua: askWIU + "\n" + askAlways, cleanLua: "if app.first_launch then \(askWIU) else \(askAlways) end"),
        FindingRow(.requestOffMain, .warning, "8 to 26", [wiu], lua: "app.manager:requestWhenInUseAuthorization { thread = 'background' }", cleanLua: "app.manager:requestWhenInUseAuthorization { thread = 'main' }"),
        FindingRow(.requestOffMain, .warning, "8 to 26", [wiu, always, legacy], lua: "app.manager:requestAlwaysAuthorization({ thread = 'background' })", cleanLua: askAlways),
        // LI15
        FindingRow(.alwaysWithoutWhenInUse, .error, "11 to 26", [always], clean: [wiu, always]),
        FindingRow(.alwaysWithoutWhenInUse, .error, "11 to 26", [legacy], clean: []),
        FindingRow(.alwaysWithoutWhenInUse, .error, "12", [always], ios: "10,12", clean: [wiu]),
        FindingRow(.reducedWithoutPurposes, .error, "14 to 26", [wiu, "reduced = <true/>"], lua: full + "('Near')", clean: [wiu, "reduced = <true/>", "temporary = Near"]),
        FindingRow(.reducedWithoutPurposes, .error, "14 to 26", [wiu, "reduced = <true/>"], lua: full + "(x)", cleanLua: askWIU),
        // LI16
        FindingRow(.restrictedUnlikeDenied, .information, "8 to 26", [wiu], lua: "local status; if status == 'denied' then return end", cleanLua: "local status; if status == 'denied' or status == 'restricted' then return end"),
        FindingRow(.restrictedUnlikeDenied, .information, "8 to 26", [wiu], lua: "if 'denied' == app.manager.authorizationStatus then end; if app.manager.authorizationStatus ~= \"denied\" then end", cleanLua: "local code; if code == 'denied' then return end"),
        // This checker's own
        FindingRow(.duplicateKey, .warning, "8 to 26", [wiu, wiu], clean: [wiu]),
        FindingRow(.duplicateKey, .warning, "8 to 26", [wiu, "temporary = A A"], clean: [wiu, "temporary = A B"]),
        FindingRow(.unknownKey, .warning, "8 to 26", [wiu, "NSLocationAlwaysAndWhenInUsageDescription = Tells the store"], clean: [wiu]),
        FindingRow(.unknownKey, .warning, "8 to 26", ["nslocationwheninuseusagedescription = Shows stores"], clean: [wiu]),
        FindingRow(.unknownKey, .warning, "8 to 26", ["Privacy - Location When In Use Usage Description = Shows stores"], clean: ["Privacy - Camera Usage Description = x"]),
        FindingRow(.unknownMode, .warning, "8 to 26", [wiu, "modes = Location"], clean: [wiu, "modes = location"]),
        FindingRow(.missingLocationMode, .warning, "8 to 26", [wiu], services: [.updates], clean: [wiu, "modes = location"]),
        FindingRow(.missingLocationMode, .warning, "8 to 26", [wiu], services: [.updates], clean: [wiu, "modes = Location"]),
        FindingRow(.otherMode, .warning, "8 to 26", [wiu, "modes = fetch"], services: [.updates], clean: [wiu, "modes = <array><string>location updates</string></array>"]),
        FindingRow(.missingLocationMode, .warning, "17 to 26", [wiu], services: [.liveUpdates], clean: [wiu, "modes = location"]),
        FindingRow(.needsAlways, .warning, "8 to 12", [wiu], ios: "..12", services: [.regions], clean: [wiu, always, legacy]),
        FindingRow(.needsAlways, .information, "13 to 26", [wiu], ios: "13..", services: [.visits], clean: [wiu, always]),
        FindingRow(.needsAlways, .warning, "8 to 12", [wiu, always, legacy], lua: "app.manager:startMonitoringVisits()", ios: "..12", cleanLua: askAlways + " app.manager:startMonitoringVisits()"),
        FindingRow(.absentService, .warning, "16", [wiu, "modes = location"], ios: "16", services: [.liveUpdates], cleanLua: ""),
        FindingRow(.absentService, .information, "16", [wiu, "modes = location"], lua: "if app.available('17.0') then CLLocationUpdate.liveUpdates() end", ios: "16", cleanLua: ""),
        FindingRow(.needsAlways, .warning, "8 to 12", [wiu, reduced], ios: "..12", services: [.regions], clean: [wiu, always, legacy, reduced]),
        FindingRow(.reducedByDefault, .warning, "14 to 26", [wiu, reduced], ios: "13..", services: [.regions], clean: [wiu, "reduced = <false/>"]),
        FindingRow(.reducedByDefault, .warning, "14 to 26", [wiu, always, reduced], services: [.ranging], clean: [wiu, always, "reduced = YES"]),
        FindingRow(.reducedByDefault, .warning, "17 to 26", [wiu, reduced], services: [.monitors], clean: [wiu]),
        FindingRow(.reducedByDefault, .warning, "17", [wiu, reduced, "modes = location"], ios: "17", services: [.liveUpdates], clean: [wiu, "modes = location"]),
        FindingRow(.reducedByDefault, .information, "18", [wiu, reduced, "modes = location"], ios: "18", services: [.liveUpdates], clean: [wiu, "modes = location"]),
        FindingRow(.reducedByDefault, .information, "14 to 26", [wiu, reduced], services: [.visits], clean: [wiu]),
        FindingRow(.reducedByDefault, .information, "14 to 26", [wiu, reduced], services: [.updates], clean: [wiu]),
        FindingRow(.reducedByDefault, .information, "14 to 26", [wiu, reduced], clean: [wiu]),
        FindingRow(.reducedByDefault, .warning, "14 to 26", [wiu, reduced], lua: "app.manager:startMonitoring { identifier = 'a' }", clean: [wiu]),
        FindingRow(.missingFetchMode, .warning, "8 to 26", [wiu], services: [.backgroundFetch], clean: [wiu, "modes = fetch"]),
        FindingRow(.missingFetchMode, .warning, "8 to 26", [wiu, "modes = location"], services: [.backgroundFetch], clean: [wiu, "modes = Fetch"]),
        FindingRow(.unusableMinimum, .warning, "8 to 26", [wiu, "MinimumOSVersion = 27.0"], clean: [wiu, "MinimumOSVersion = 26.0"]),
        FindingRow(.unusableMinimum, .warning, "8 to 26", [wiu, "MinimumOSVersion = foo"], clean: [wiu, "MinimumOSVersion = 15.2.1"]),
        FindingRow(.unusableMinimum, .warning, "8 to 26", [wiu, "MinimumOSVersion = <integer>15</integer>"], clean: [wiu, "MinimumOSVersion = 15"]),
        FindingRow(.unusableMinimum, .warning, "8 to 26", [wiu, "MinimumOSVersion = "], clean: [wiu, "MinimumOSVersion = 7.0"]),
        FindingRow(.unusableMinimum, .warning, "8 to 26", [wiu, "MinimumOSVersion = 19.0"], clean: [wiu]),
        FindingRow(.unusableMinimum, .information, "8 to 26", [wiu, "MinimumOSVersion = $(IPHONEOS_DEPLOYMENT_TARGET)"], clean: [wiu, "MinimumOSVersion = 12.0"]),
    ]

    @Test("is made where it holds, for the versions where it does", arguments: rows)
    func made(_ row: FindingRow) throws {
        let report = try report(
            plist(row.keys), lua: row.lua, ios: row.ios, services: row.services)
        let found = report.findings.filter { $0.code == row.code }
        let all = report.findings.map(\.code.rawValue)
        #expect(found.count == 1, "\(all)")
        #expect(found.first?.severity == row.severity)
        #expect(found.first.map { VersionChoice.phrase($0.versions) } == row.holds)
        #expect(found.first?.mend.isEmpty == false)
    }

    @Test("is not made where it does not hold", arguments: rows)
    func notMade(_ row: FindingRow) throws {
        // Without the service where that alone is the matter.
        let services = row.code == .absentService ? [] : row.services
        let report = try report(
            plist(row.cleanKeys), lua: row.cleanLua, ios: row.ios, services: services)
        let found = report.findings.filter { $0.code == row.code }
        #expect(found.isEmpty, "\(found)")
    }

    @Test("of every code has a row")
    func everyCode() {
        let missing = Set(Finding.Code.allCases).subtracting(Self.rows.map(\.code))
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test("names the line of its key in XML, and of its call in Lua")
    func lines() throws {
        let list = try report(
            plist(["CFBundleName = A", "x = <!--\n--><string>y</string>", "wiu ="]))
        #expect(list.findings.first { $0.code == .emptyText }?.line == 9)
        let called = try report(plist([]), lua: "\n\n" + Self.askWIU)
        #expect(called.findings.first { $0.code == .missingWhenInUseText }?.line == 5)
        let within = try report(
            plist([Self.wiu, "temporary = <dict>\n<key>A</key>\n<string></string>\n</dict>"]))
        #expect(within.findings.first { $0.code == .emptyText }?.line == 8)
    }

    @Test("stands the higher the worse it is")
    func order() throws {
        let report = try report(plist(["wiu = x goes here", "old = x"]), lua: Self.askAlways)
        let severities = report.findings.map(\.severity)
        let sorted = Finding.Severity.allCases.flatMap { one in severities.filter { $0 == one } }
        #expect(severities == sorted)
        #expect(Set(severities).count == 3)
    }
}
