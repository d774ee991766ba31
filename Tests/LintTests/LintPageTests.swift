import Bundles
import Foundation
import Lint
import Reports
import TestSupport
import Testing

@Suite("A lint page")
struct LintPageTests {
    @Test("of what ships has no errors", arguments: shippedApps.keys.sorted())
    func ships(_ app: String) throws {
        let report = try shipped(app, try #require(shippedApps[app]))
        let errors = report.findings.filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test("knows every app that ships")
    func everyApp() throws {
        let folder = projectRoot.appending(path: "config/apps").path
        let apps = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(apps.sorted() == shippedApps.keys.sorted())
    }

    private static let poor = [
        "CFBundleName = Gummy", "wiu = Gummy needs your location.", "always = $(WHY)",
        "reduced = YES", "modes = fetch", "NSLocationUsageDescription = x",
    ]

    private func pages() throws -> [(String, LintPage)] {
        let good = try shipped("store-finder", "progressive")
        let lua = """
            local m = app.manager
            m:requestWhenInUseAuthorization()
            m:requestAlwaysAuthorization()
            m.allowsBackgroundLocationUpdates = true
            m:requestTemporaryFullAccuracyAuthorization("Near")
            m:startMonitoringVisits()
            """
        let bad = try report(plist(Self.poor), lua: lua, ios: "12..26")
        return [("good", good), ("poor", bad)].map { name, report in
            (name, LintPage(report, plist: "Info.plist", isColored: false, width: 80))
        }
    }

    @Test("is what the golden files have")
    func goldenText() throws {
        for (name, page) in try pages() {
            #expect(try page.text == golden("\(name).txt", rewrittenFrom: page.text))
            #expect(try page.json == golden("\(name).json", rewrittenFrom: page.json))
        }
    }

    @Test("fits into 80 columns, and has no space at the end of a line")
    func width() throws {
        for (_, page) in try pages() {
            for line in page.text.split(separator: "\n") {
                #expect(line.count <= 80, "\(line)")
                #expect(line.last != " ", "\(line)")
            }
        }
    }

    @Test("has no mark in its tables that its legends do not explain")
    func legends() throws {
        let lists = [
            [], ["wiu = Shows"], ["always = Tells"], ["wiu = Shows", "modes = location"],
            ["wiu = Shows", "always = Tells", "legacy = Tells", "reduced = <true/>"],
        ]
        let words = ["absent", "nothing", "no mode", "no grant", "in use", "running", "goes on"]
        for keys in lists {
            let report = try report(plist(keys))
            let text = LintPage(report, plist: "x", isColored: false, width: 80).text
            let tables = text.split(separator: "Findings, worst")[0]
            #expect(!tables.contains("–"))
            let flat = tables.split { $0.isWhitespace }.joined(separator: " ")
            // A cell follows another; a word of a legend does not stand apart.
            for word in words where tables.contains(try Regex("\\S  \(word)")) {
                #expect(flat.contains("\(word): "), "\(keys): \(word)")
            }
            #expect(tables.contains(" ~ ") == flat.contains("~: for an area"), "\(keys)")
        }
    }

    @Test("tells when the app has its row in Settings at all")
    func row() throws {
        let page = { (keys: [String]) in
            LintPage(try report(plist(keys)), plist: "x", isColored: false, width: 100).text
        }
        #expect(try page([]).contains("no row until it first starts a service (S7)"))
        #expect(try page(["wiu = Shows"]).contains("no row before it first asks or starts"))
    }

    @Test("has a second table of services with Precise on where grants are reduced")
    func reduced() throws {
        let page = { (keys: [String]) in
            LintPage(
                try report(plist(["wiu = Shows"] + keys), services: [.regions]), plist: "x",
                isColored: false, width: 80
            ).text
        }
        let text = try page(["reduced = <true/>"])
        #expect(text.contains("Services, as they are granted"))
        #expect(text.contains("Services, once the person has turned Precise on"))
        #expect(try !page([]).contains("Precise on\n"))
    }

    @Test("has every code, service and reach in config/README.md")
    func documented() throws {
        let page = try String(
            contentsOf: projectRoot.appending(path: "config/README.md"), encoding: .utf8)
        let words =
            Finding.Code.allCases.map(\.rawValue) + LocationService.allCases.map(\.rawValue)
            + ServiceReach.allCases.map(\.rawValue)
        for word in words { #expect(page.contains("`\(word)`"), "\(word)") }
        for code in Finding.Code.allCases { #expect(page.contains("| \(code.number) |")) }
    }

    @Test("is JSON that others can read")
    func json() throws {
        for (_, page) in try pages() {
            let tree = try JSONSerialization.jsonObject(with: Data(page.json.utf8))
            #expect((tree as? [String: Any])?["findings"] is [Any])
        }
    }

    @Test("is alike for XML, binary and old-style lists, but for lines and Booleans")
    func formats() throws {
        let keys: [String: Any] = [
            "NSLocationWhenInUseUsageDescription": "", "UIBackgroundModes": ["fetch"],
            "NSLocationTemporaryUsageDescriptionDictionary": ["a": "b goes here"],
        ]
        let xml = try PropertyListSerialization.data(
            fromPropertyList: keys, format: .xml, options: 0)
        let binary = try PropertyListSerialization.data(
            fromPropertyList: keys, format: .binary, options: 0)
        let old = """
            { NSLocationWhenInUseUsageDescription = ""; UIBackgroundModes = (fetch);
              NSLocationTemporaryUsageDescriptionDictionary = { a = "b goes here"; }; }
            """
        let reports = try [xml, binary, Data(old.utf8)].map {
            LintReport(try PropertyList([UInt8]($0), path: "x"))
        }
        #expect(reports.map(\.format) == [.xml, .binary, .oldStyle])
        for report in reports {
            #expect(report.findings.map(\.code) == reports[0].findings.map(\.code))
            #expect(report.outlooks == reports[0].outlooks)
        }
        #expect(reports[0].findings.first?.line != nil)
        #expect(reports[1].findings.first?.line == nil)
    }
}
