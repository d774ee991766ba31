import AuthorizationCore
import Bundles
import Lint
import Testing

/// What versions make of a list: asked of the rules, so here it is held against section 3, 7 and
/// 10 of the specification.
@Suite("The outlook of a version")
struct OutlookTests {
    private static let whole = [
        "wiu = Shows the stores.", "always = Tells the store.", "legacy = Tells the store.",
        "temporary = Near", "modes = location",
    ]

    private static let reduced = ["reduced = <true/>"]

    private func outlook(_ ios: String, _ keys: [String] = whole) throws -> Outlook {
        try #require(try report(plist(keys), ios: ios).outlooks.first)
    }

    // swift-format-ignore
    static let always: [(String, PromptKind, TrueStatus, RequestOutlook)] = [
        ("8.0", .always, .always, .prompts(.alwaysUpgrade, choices: [.allow, .cancel], best: .always)),
        ("12.0", .always, .always, .prompts(.alwaysUpgrade, choices: [.onlyWhileUsing, .alwaysAllow], best: .always)),
        ("13.0", .whenInUse, .provisionalAlways, .grants(.provisionalAlways)),
        ("13.4", .whenInUse, .provisionalAlways, .prompts(.alwaysUpgrade, choices: [.keepOnlyWhileUsing, .changeToAlwaysAllow], best: .always)),
    ]

    @Test("has the prompts of Always: A1 to A8", arguments: always)
    func requests(_ ios: String, _ kind: PromptKind, _ best: TrueStatus, _ up: RequestOutlook)
        throws
    {
        let outlook = try outlook(ios)
        guard case .prompts(let found, _, let most) = outlook.always else {
            Issue.record("\(outlook.always)")
            return
        }
        #expect(found == kind)
        #expect(most == best)
        #expect(outlook.upgrade == up)
    }

    // swift-format-ignore
    static let rows: [(String, [String], [SettingsRow])] = [
        ("10.0", ["legacy = x"], [.never, .always]),  // S1
        ("10.0", ["wiu = x", "always = x"], [.never, .whileUsing]),
        ("11.0", ["always = x"], [.never, .whileUsing, .always]),  // S2
        ("13.0", ["wiu = x"], [.never, .askNextTime, .whileUsing]),  // S3
        ("26.0", ["wiu = x", "always = x"], [.never, .askNextTime, .whileUsing, .always]),
    ]

    @Test("has the rows of Settings: S1 to S3", arguments: rows)
    func settings(_ ios: String, _ keys: [String], _ due: [SettingsRow]) throws {
        #expect(try outlook(ios, keys).rows == due)
    }

    // swift-format-ignore
    static let reaches: [(String, LocationService, [String], ServiceReach, ServiceReach)] = [
        ("12.0", .regions, whole, .never, .wakes),  // F5, RG9
        ("12.0", .significantChange, whole, .never, .wakes),  // F3
        ("12.0", .visits, whole, .never, .wakes),  // F4
        ("13.0", .regions, whole, .inUse, .wakes),
        ("18.0", .visits, ["wiu = x"], .inUse, .ungranted),
        ("18.0", .updates, whole, .background, .background),  // F1, B2
        ("18.0", .updates, ["wiu = x", "always = x"], .inUse, .inUse),  // I7, B7
        ("8.0", .updates, ["wiu = x", "legacy = x", "modes = location"], .background, .background),  // B1
        ("18.0", .ranging, whole, .inUse, .executing),  // F6
        ("16.0", .liveUpdates, whole, .absent, .absent),
        ("18.0", .liveUpdates, whole, .wakes, .wakes),  // F8, K3
        ("18.0", .liveUpdates, ["wiu = x", "always = x"], .inUse, .inUse),  // K1
        ("16.0", .monitors, whole, .absent, .absent),
        ("17.0", .monitors, whole, .inUse, .wakes),  // F7
        ("18.0", .regions, whole + reduced, .never, .never),  // RG10
        ("18.0", .monitors, whole + reduced, .never, .never),  // M7
        ("18.0", .ranging, whole + reduced, .never, .never),  // AC7
        ("17.0", .liveUpdates, whole + reduced, .never, .never),  // L2
        ("18.0", .visits, whole + reduced, .inUse, .wakes),  // AC8
        ("13.0", .regions, whole + reduced, .inUse, .wakes),  // I6
        ("18.0", .updates, ["wiu = x", "modes = <array><integer>3</integer><string>location</string></array>"], .background, .ungranted),  // I7
        ("18.0", .backgroundFetch, ["wiu = x", "modes = fetch"], .runTime, .runTime),  // I11
        ("18.0", .backgroundFetch, whole, .noMode, .noMode),
        ("10.0", .visits, ["wiu = x", "always = x"], .never, .ungranted),
    ]

    @Test("has what works in the background: F1 to F8", arguments: reaches)
    func services(
        _ ios: String, _ service: LocationService, _ keys: [String], _ inUse: ServiceReach,
        _ always: ServiceReach
    ) throws {
        let outlook = try #require(try outlook(ios, keys)[service])
        #expect(outlook.whenInUse == inUse)
        #expect(outlook.always == always)
    }

    @Test("has with Precise on what comes to an app that is not reduced by default")
    func precise() throws {
        let reduced = try report(plist(Self.whole + Self.reduced)).outlooks
        let plain = try report(plist(Self.whole)).outlooks
        for (one, other) in zip(reduced, plain) {
            #expect(one.services.map(\.precise) == other.services.map(\.precise), "\(one.ios)")
            #expect(other.services.allSatisfy { $0.precise == $0.atFirst })
            #expect((one == other) == (one.ios < .v14), "\(one.ios)")
        }
    }

    @Test("of a request tells a call that is not there from a grant that is not")
    func nothing() throws {
        #expect(try outlook("10.0", ["always = x"]).upgrade == .ungranted)
        #expect(try outlook("10.0", ["always = x"]).fullAccuracy == .absent)
    }

    @Test("has updates end in the foreground where the strategy never sets the property")
    func property() throws {
        let set = "app.manager.allowsBackgroundLocationUpdates = true"
        for (lua, due) in [("", ServiceReach.inUse), (set, .background)] {
            let report = try report(plist(Self.whole), lua: lua, ios: "18.0")
            #expect(report.outlooks.first?[.updates]?.whenInUse == due)
        }
    }

    @Test("of full accuracy needs a purpose, and iOS 14")
    func accuracy() throws {
        #expect(try outlook("13.0").fullAccuracy == .absent)
        #expect(try outlook("14.0", ["wiu = x"]).fullAccuracy == .ignored(.purposeUnknown, .t3))
        #expect(try outlook("14.0").hasPreciseSwitch)
        #expect(try !outlook("13.7").hasPreciseSwitch)
        #expect(try outlook("14.0", ["wiu = x", "reduced = <true/>"]).isReducedAtFirst)
    }

    // swift-format-ignore
    static let choices: [(String, String)] = [
        ("18", "18"), ("18.3", "18.3"), ("13.4..26", "13.4 to 26"), ("15,16..18", "15 to 18"),
        ("13.0..13.3", "13.0 to 13.3"), ("..12", "8 to 12"), ("17.2..", "17.2 to 26"),
        ("12,14", "12, 14"), ("18..26", "18 to 26"), ("8.1..9.2", "8.1 to 9.2"), ("13..13.4", "13.0 to 13.4"),
    ]

    @Test("is of versions that a person chooses", arguments: choices)
    func versions(_ text: String, _ due: String) throws {
        #expect(VersionChoice.phrase(try VersionChoice.read(text)) == due)
    }

    @Test(
        "is of no others",
        arguments: [
            "", "..", "19", "7", "18.9", "26..18", "x", "15,", "15...16", "15-16", "1e1",
            "15..16..17",
        ])
    func noVersions(_ text: String) {
        #expect(throws: VersionChoice.Failure.self) { try VersionChoice.read(text) }
    }

    @Test("begins at the MinimumOSVersion of a built app")
    func minimum() throws {
        let built = try report(plist(["MinimumOSVersion = 15.2"]))
        #expect(built.versions.first?.description == "15.2")
        let given = try report(plist(["MinimumOSVersion = 15.2"]), ios: "12")
        #expect(given.versions.first?.description == "12.0")
        for odd in ["$(IPHONEOS_DEPLOYMENT_TARGET)", "7.0", "99", "", "+15.0", "15.", "15.0.0.0"] {
            #expect(try report(plist(["MinimumOSVersion = \(odd)"])).origin == .all)
        }
    }
}
