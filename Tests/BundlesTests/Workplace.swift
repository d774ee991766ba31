import Bundles
import Foundation
import Simulation

/// A folder of its own for a test, and a reader that looks into the tests' library.
struct Workplace {
    let folder: URL

    static let data = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Data")

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("locfleet-bundles-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file, in folders that are made, and returns its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    static let reader = BundleReader(
        library: [data.appendingPathComponent("library")], outline: fakeOutline)

    /// Reads a scenario of this text.
    func read(_ text: String, _ overrides: Overrides = Overrides()) throws -> Bundles.Bundle {
        let path = try write("x.json5", text)
        return try Self.reader.read(scenarioPath: path, overrides: overrides)
    }

    /// What is said of a scenario of this text, without the paths of this machine.
    func complaints(_ text: String, _ overrides: Overrides = Overrides()) throws -> [String] {
        let path = try write("x.json5", text)
        return Self.reader.problems(scenarioPath: path, overrides: overrides).map {
            anonymous($0.description)
        }
    }

    func anonymous(_ text: String) -> String {
        text.replacingOccurrences(of: folder.path + "/", with: "")
            .replacingOccurrences(of: folder.path, with: ".")
            .replacingOccurrences(of: Self.data.path + "/", with: "")
    }
}

/// The least scenario that can be read.
func plain(_ more: String = "") -> String {
    """
    {
      devices: 10,
      personas: [{ name: "all" }],
      app: { info_plist: "apps/store-finder/Info.plist", strategy: "progressive.lua" },
      \(more)
    }
    """
}

struct FakeRefusal: Error, CustomStringConvertible { let description: String }

/// Reads options that stand one a line, as in the tests' library; refuses `@`, which no Lua has.
@Sendable
func fakeOutline(_ source: String, _ name: String, _ role: ScriptRole) throws -> [DeclaredOption] {
    var options: [DeclaredOption] = []
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
    {
        if line.contains("@") {
            throw FakeRefusal(description: "\(name):\(index + 1): unexpected symbol near '@'")
        }
        guard let middle = line.range(of: " = { default = "),
            let end = line.range(of: " }", options: .backwards)
        else { continue }
        let optionName = line[..<middle.lowerBound].trimmingCharacters(in: .whitespaces)
        var parts: [String: String] = [:]
        for part in ("default = " + line[middle.upperBound..<end.lowerBound]).components(
            separatedBy: ", ")
        {
            let sides = part.components(separatedBy: " = ")
            parts[sides[0]] = sides[1]
        }
        let text = parts["default"] ?? ""
        let value: ScriptOption.Value =
            if let number = Double(text) { .number(number) } else if let bool = Bool(text) {
                .boolean(bool)
            } else { .string(text.trimmingCharacters(in: ["\""])) }
        let source = (parts["source"] ?? "").trimmingCharacters(in: ["\""])
        options.append(
            DeclaredOption(
                name: optionName, value: value, min: parts["min"].flatMap(Double.init),
                max: parts["max"].flatMap(Double.init),
                unit: (parts["unit"] ?? "").trimmingCharacters(in: ["\""]), source: source,
                isAssumed: source.isEmpty || source == "assumed"))
    }
    return options
}
