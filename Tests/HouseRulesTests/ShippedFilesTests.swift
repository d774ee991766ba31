import Foundation
import LuaScripting
import Simulation
import TestSupport
import Testing

/// What ships beside the code: scripts, scenarios, data.
@Suite("Shipped files")
struct ShippedFilesTests {
    private struct Source: Decodable { let id: String }

    private static func sourceIDs() throws -> [String] {
        let url = projectRoot.appending(path: "config/sources/behaviour-sources.json")
        return try JSONDecoder().decode([Source].self, from: Data(contentsOf: url)).map(\.id)
    }

    private static func outlines(
        _ folder: String, _ kind: ScriptKind
    ) throws -> [(path: String, outline: ScriptOutline)] {
        try SourceFiles.paths(under: folder, endings: ["lua"]).map { path in
            let text = try String(contentsOf: projectRoot.appending(path: path), encoding: .utf8)
            return (path, try ScriptOutline.read(source: text, name: path, kind: kind))
        }
    }

    @Test("the ids of sources are one of a kind")
    func uniqueSources() throws {
        let ids = try Self.sourceIDs()
        #expect(ids.count > 200)
        #expect(Set(ids).count == ids.count)
    }

    @Test("every default of a behavior says what it is, and names a known source or is assumed")
    func behaviorSources() throws {
        let ids = Set(try Self.sourceIDs())
        for (path, outline) in try Self.outlines("scripts/behaviors", .behavior) {
            #expect(outline.hooks.contains(.answerPrompt), "\(path) cannot answer a prompt")
            for option in outline.options {
                let place = "\(path): \(option.name)"
                #expect(option.about?.isEmpty == false, "\(place) does not say what it is")
                #expect(option.unit?.isEmpty == false, "\(place) has no unit")
                #expect(option.min != nil && option.max != nil, "\(place) has no range")
                if !option.isAssumed {
                    let source = option.source ?? "none"
                    #expect(ids.contains(source), "\(place): the source '\(source)' is unknown")
                }
            }
        }
    }

    @Test("every option of a strategy says what it is, and its range if it is a number")
    func strategyOptions() throws {
        for (path, outline) in try Self.outlines("scripts/strategies", .strategy) {
            for option in outline.options {
                let place = "\(path): \(option.name)"
                #expect(option.about?.isEmpty == false, "\(place) does not say what it is")
                guard case .number = option.defaultValue else { continue }
                #expect(option.unit?.isEmpty == false, "\(place) has no unit")
                #expect(option.min != nil && option.max != nil, "\(place) has no range")
            }
        }
    }

    @Test("every strategy has a scenario that plays it, and an Info.plist that no other has")
    func strategyScenarios() throws {
        let scenarios = try SourceFiles.paths(under: "config/scenarios", endings: ["json5"])
        // These play the app of another.
        let guests = ["strategies", "staged-rollout"].map { "/\($0).json5" }
        let texts = try scenarios.filter { path in !guests.contains { path.hasSuffix($0) } }.map {
            try String(contentsOf: projectRoot.appending(path: $0), encoding: .utf8)
        }
        for path in try SourceFiles.paths(under: "scripts/strategies", endings: ["lua"]) {
            let name = path.split(separator: "/").last ?? ""
            #expect(texts.contains { $0.contains("strategy: \"\(name)\"") }, "\(name) is unused")
        }
        for path in try SourceFiles.paths(under: "config/apps", endings: ["plist"]) {
            let name = path.dropFirst("config/".count)
            #expect(
                texts.count { $0.contains("info_plist: \"\(name)\"") } == 1,
                "\(path) belongs to one scenario")
        }
    }

    /// Copies of files that others keep. A clone has the copies alone.
    static let copies = [
        ("config/sources/behaviour-sources.json", "data/behaviour-sources.json"),
        ("config/conformance/cases.jsonl", "conformance/cases.jsonl"),
        ("config/reference-workload", "bench"),
    ]

    /// Where the originals are not there, there is nothing to compare.
    @Test("copies agree with their originals, where these are", arguments: copies)
    func agreement(_ copy: String, _ original: String) throws {
        let shared = projectRoot.deletingLastPathComponent().appending(path: "shared")
        let (ours, theirs) = (
            projectRoot.appending(path: copy), shared.appending(path: original)
        )
        #expect(FileManager.default.fileExists(atPath: ours.path(percentEncoded: false)))
        guard FileManager.default.fileExists(atPath: theirs.path(percentEncoded: false)) else {
            return
        }
        guard SourceFiles.isFolder(theirs) else {
            #expect(
                try Data(contentsOf: ours) == Data(contentsOf: theirs), "\(copy) is out of date")
            return
        }
        let files = try FileManager.default.subpathsOfDirectory(
            atPath: theirs.path(percentEncoded: false))
        for file in files.sorted() where !SourceFiles.isFolder(theirs.appending(path: file)) {
            let pair = (ours.appending(path: file), theirs.appending(path: file))
            #expect(
                try Data(contentsOf: pair.0) == Data(contentsOf: pair.1),
                "\(copy)/\(file) is out of date")
        }
    }
}
