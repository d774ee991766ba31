import Lint
import Testing

@Suite("A mend")
struct MendTests {
    private static let texts = ["wiu", "always", "legacy"]

    /// Every set of the three texts, alone and with a background mode that does not help.
    private static let lists: [[String]] = (0..<8).flatMap { bits -> [[String]] in
        let keys = texts.indices.filter { bits >> $0 & 1 == 1 }
            .map { "\(texts[$0]) = Shows the stores around you." }
        return [keys, keys + ["modes = fetch"], keys + ["modes = Location"]]
    }

    private static let strategies: [String?] = [
        nil, "app.manager:requestWhenInUseAuthorization()",
        "app.manager:requestAlwaysAuthorization()",
        "app.manager.allowsBackgroundLocationUpdates = true",
        "app.manager:requestTemporaryFullAccuracyAuthorization('Near')",
    ]

    /// The XML of `keys` with what a mend says to add, or with the mode that it names.
    private func apply(_ mend: String, to keys: [String]) -> [String]? {
        var keys = keys
        let named = mend.matches(of: #/<key>(\w+)</key>(<string>Why …</string>|<array>.*</array>)/#)
        for match in named {
            let value = match.2.hasPrefix("<string>") ? "<string>Finds shops.</string>" : match.2
            keys.append("\(match.1) = \(value)")
        }
        if !named.isEmpty { return keys }
        if mend.contains("UIBackgroundModes") || mend.hasPrefix("Write <string>"),
            let mode = mend.firstMatch(of: #/<string>(\w+)</string>/#)?.1,
            let place = keys.firstIndex(where: { $0.hasPrefix("modes =") })
        {
            keys[place] = mend.hasPrefix("Write") ? "modes = \(mode)" : keys[place] + " \(mode)"
            return keys
        }
        return nil
    }

    private static let adding: Set<Finding.Code> = [
        .missingWhenInUseText, .missingAlwaysText, .storeWantsAlwaysText, .alwaysWithoutWhenInUse,
        .backgroundUpdatesWithoutMode, .otherMode, .missingLocationMode, .missingFetchMode,
        .unknownMode,
    ]

    @Test("that adds a key makes its finding go, and the request be heard", arguments: lists)
    func applied(_ keys: [String]) throws {
        let services: [LocationService] = [.updates, .liveUpdates, .backgroundFetch]
        for lua in Self.strategies {
            for ios in ["8.0,10.0,12.0,13.0,13.4,18.0", "8.0,10.0", "12.0,17.0"] {
                let before = try report(plist(keys), lua: lua, ios: ios, services: services)
                for finding in before.findings where Self.adding.contains(finding.code) {
                    let mended = try #require(
                        apply(finding.mend, to: keys), "\(finding.code): \(finding.mend)")
                    let after = try report(plist(mended), lua: lua, ios: ios, services: services)
                    let isGone = !after.findings.contains {
                        $0.code == finding.code
                            && !$0.versions.filter(finding.versions.contains).isEmpty
                    }
                    #expect(isGone, "\(keys) \(lua ?? "") \(ios): \(finding)")
                    expectHeard(finding, in: after)
                }
            }
        }
    }

    /// The request that a finding is about prompts, on the versions that the finding is about.
    private func expectHeard(_ finding: Finding, in report: LintReport) {
        for outlook in report.outlooks where finding.versions.contains(outlook.ios) {
            let request: RequestOutlook
            switch finding.code {
            case .missingWhenInUseText: request = outlook.whenInUse
            case .missingAlwaysText, .storeWantsAlwaysText, .alwaysWithoutWhenInUse:
                request = outlook.always
            default: return
            }
            guard case .prompts = request else {
                Issue.record("\(outlook.ios) \(finding.code): \(request) after \(finding.mend)")
                return
            }
        }
    }

    // swift-format-ignore
    static let replaced: [([String], [String], Finding.Code)] = [
        (["wiu = test"], ["wiu = Shows the stores around you"], .placeholderText),
        (["wiu = We need your location"], ["wiu = Shows the stores around you"], .genericText),
        (["wiu ="], ["wiu = Shows the stores around you"], .emptyText),
        (["reduced = YES"], ["reduced = <true/>"], .ignoredType),
        (["modes = <string>location</string>"], ["modes = location"], .ignoredType),
        (["modes = <array><string>location</string><true/></array>"], ["modes = location"], .ignoredType),
        (["NSLocationWhenInUsageDescription = x"], ["NSLocationWhenInUseUsageDescription = x"], .unknownKey),
        (["old = Shows"], [], .obsoleteKey),
        (["wiu = Shows", "reduced = <true/>"], ["wiu = Shows"], .reducedByDefault),
        (["MinimumOSVersion = 27.0"], ["MinimumOSVersion = 15.0"], .unusableMinimum),
    ]

    @Test("that changes or takes out a value makes its finding go", arguments: replaced)
    func changed(_ before: [String], _ after: [String], _ code: Finding.Code) throws {
        let found = try report(plist(before)).findings.filter { $0.code == code }
        #expect(found.count == 1)
        #expect(try report(plist(after)).findings.allSatisfy { $0.code != code })
    }

    // swift-format-ignore
    static let once: [([String], [LocationService], Finding.Code)] = [
        (["modes = Location"], [.updates, .liveUpdates], .unknownMode),
        (["modes = <array><string>location updates</string></array>"], [.updates], .unknownMode),
        (["modes = fetch"], [.updates], .otherMode),
        ([], [.updates, .liveUpdates], .missingLocationMode),
        (["modes = <array/>"], [.updates], .missingLocationMode),
        (["modes = <string>location</string>"], [.updates], .ignoredType),
        (["modes = Fetch"], [.backgroundFetch], .unknownMode),
    ]

    @Test("of the background modes is proposed by one finding alone", arguments: once)
    func single(_ keys: [String], _ services: [LocationService], _ code: Finding.Code) throws {
        let report = try report(plist(["wiu = Shows shops"] + keys), services: services)
        let found = report.findings.filter { $0.key == "UIBackgroundModes" }
        #expect(found.map(\.code) == [code])
    }

    @Test("of an array names the element that is no mode, and the table has the others")
    func element() throws {
        let keys = "modes = <array><string>location</string><integer>3</integer><true/></array>"
        let report = try report(plist(["wiu = Shows shops", keys]), ios: "18.0")
        let found = report.findings.filter { $0.code == .ignoredType }
        #expect(found.map { $0.mend.contains("element 2 (a number)") } == [true, false])
        #expect(found.map { $0.mend.contains("element 3 (a Boolean)") } == [false, true])
        #expect(found.allSatisfy { $0.reason.contains("The others count: 'location'") })
        #expect(report.outlooks.first?[.updates]?.whenInUse == .background)
    }

    @Test("and a reason name the cause: the service's own")
    func causes() throws {
        let live = try report(plist(["wiu = Shows shops"]), services: [.liveUpdates])
        let mode = try #require(live.findings.first { $0.code == .missingLocationMode })
        #expect(!mode.reason.contains("allowsBackgroundLocationUpdates"))
        #expect(mode.reason.contains("CLBackgroundActivitySession"))
        for service in [LocationService.regions, .monitors, .ranging] {
            let reduced = try report(
                plist(["wiu = Shows", "always = Tells", "reduced = <true/>"]), ios: "17..",
                services: [service])
            #expect(
                reduced.findings.filter { $0.severity != .information }.map(\.code) == [
                    .reducedByDefault
                ])
        }
    }
}
