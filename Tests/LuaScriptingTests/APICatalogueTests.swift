import CLuaShim
import Foundation
import LuaScripting
import ScriptAPI
import Simulation
import TestSupport
import Testing

/// `config/scripting/api.jsonl` against the script bridge, in both directions.
@Suite("The catalogue of the script API")
struct APICatalogueTests {
    private let catalogue: APICatalogue

    init() throws {
        let path = projectRoot.appending(path: "config/scripting/api.jsonl")
        catalogue = try APICatalogue.read(Array(try Data(contentsOf: path)))
    }

    private func names(_ owner: String) -> Set<String> { Set(catalogue[owner].map(\.name)) }

    @Test("has every name once")
    func once() {
        var seen: Set<String> = []
        for entry in catalogue.entries {
            #expect(seen.insert("\(entry.owner).\(entry.name)").inserted, "\(entry.signature)")
            #expect(entry.about.hasSuffix(".") || entry.about.hasSuffix("…"), "\(entry.about)")
        }
    }

    @Test("has the hooks of the bridge")
    func hooks() {
        #expect(names("behavior") == Set(HookName.behavior.map(\.rawValue)))
        #expect(names("strategy") == Set(HookName.strategy.map(\.rawValue)))
    }

    /// What C calls the types of host objects, and editors.
    private static let classes = [
        "person": "Person", "prompt": "Prompt", "primer": "Primer",
        "settings alert": "SettingsAlert", "app": "App", "manager": "CLLocationManager",
        "location": "CLLocation", "region": "CLCircularRegion", "timer": "Timer",
        "visit": "CLVisit", "heading": "CLHeading", "service session": "CLServiceSession",
        "diagnostics": "Diagnostic", "monitor": "CLMonitor", "monitor event": "MonitorEvent",
        "background activity session": "CLBackgroundActivitySession",
        "sequence of live updates": "LiveUpdates", "live update": "CLLocationUpdate",
    ]
    /// Apple's, of which the bridge says by name that they are not there yet.
    private static let coming: Set = [
        "CLLocationManager.distanceFilter", "CLLocationManager.location", "CLLocation.coordinate",
        "CLLocation.altitude", "CLLocation.course", "CLLocation.speed",
        "CLVisit.horizontalAccuracy", "CLVisit.coordinate", "CLVisit.arrivalDate",
        "CLVisit.departureDate", "CLHeading.trueHeading", "CLHeading.magneticHeading",
        "CLHeading.headingAccuracy",
    ]

    @Test("has the fields of the bridge's objects, with the iOS that brought them")
    func fields() throws {
        var found: [String: Set<String>] = [:]
        var (number, types, since) = (UInt32(0), UInt32(0), UInt8(0))
        while let text = clua_field(number, &types, &since) {
            number += 1
            let name = String(cString: text)
            for type in UInt32(0)..<32 where types >> type & 1 == 1 {
                let title = String(cString: try #require(clua_type_name(type)))
                let owner = try #require(Self.classes[title], "\(title)")
                if Self.coming.contains("\(owner).\(name)") { continue }
                found[owner, default: []].insert(name)
                let entry = catalogue[owner].first { $0.name == name }
                #expect(entry?.since == (since == 0 ? nil : "\(since).0"), "\(owner).\(name)")
            }
        }
        for owner in Self.classes.values {
            #expect(names(owner) == found[owner, default: []], "\(owner)")
        }
    }

    static let libraries = [
        "rng", "phone", "metric", "funnel", "math", "string", "table", "coroutine",
    ]

    @Test("has names of libraries that scripts do find", arguments: libraries)
    func library(_ owner: String) throws {
        for entry in catalogue[owner] {
            try Fixture(.eachDay, "assert(\(owner).\(entry.name) ~= nil)").run(.eachDay)
        }
    }

    @Test("has globals that scripts do find")
    func globals() throws {
        for entry in catalogue["globals"] + catalogue["behavior globals"] {
            try Fixture(.eachDay, "assert(\(entry.name) ~= nil)").run(.eachDay)
        }
        for entry in catalogue["strategy globals"] {
            _ = try Fixture(.launched, "assert(\(entry.name) ~= nil)").send(.launched)
        }
    }

    @Test(
        "has all that the sandbox gives", arguments: ["_G", "math", "string", "table", "coroutine"])
    func sandbox(_ library: String) throws {
        let path = projectRoot.appending(path: "Sources/LuaScripting/Prelude/sandbox.lua")
        let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        let start = try #require(text.range(of: "only(\(library), "))
        let list = text[start.upperBound...].prefix { $0 != ")" }
        let chosen = Set(list.split { !($0.isLetter || $0 == "_") }.map(String.init))
        let known = names(library == "_G" ? "globals" : library)
        #expect(chosen.subtracting(known) == [])
        if library != "_G" { #expect(known.subtracting(chosen).isSubset(of: ["resume", "wrap"])) }
    }

    @Test("is what editors are given, and a list of names whose change is seen")
    func goldens() throws {
        let annotations = catalogue.annotations()
        let file = projectRoot.appending(path: "scripts/locfleet.d.lua")
        if ProcessInfo.processInfo.environment["LOCFLEET_GOLDEN"] == "rewrite" {
            try Data(annotations.utf8).write(to: file)
        }
        #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == annotations)
        let list = catalogue.owners.map { owner in
            "\(owner)\n" + catalogue[owner].map { "  \($0.signature)\n" }.joined()
        }.joined()
        #expect(try golden("api-names.txt", rewrittenFrom: list) == list)
    }
}
