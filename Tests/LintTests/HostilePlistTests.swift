import Bundles
import Foundation
import Lint
import Reports
import TestSupport
import Testing

@Suite("A hostile Info.plist")
struct HostilePlistTests {
    private func check(_ bytes: [UInt8]) {
        guard let list = try? PropertyList(bytes, path: "Info.plist") else { return }
        let report = LintReport(list, versions: try? VersionChoice.read("12.0,18.0"))
        _ = LintPage(report, plist: "x", isColored: false, width: 80).text
    }

    @Test("is read or refused: bytes cut and flipped, in all three formats")
    func fuzz() throws {
        let xml = plist([
            "wiu = Shows &amp; tells",
            "always = <string><![CDATA[ x ]]></string>", "reduced = <true/>",
            "modes = location fetch", "temporary = A B", "n = <!-- c --><integer>1</integer>",
        ])
        let tree = try PropertyListSerialization.propertyList(from: Data(xml.utf8), format: nil)
        let binary = try PropertyListSerialization.data(
            fromPropertyList: tree, format: .binary, options: 0)
        let old =
            "{ NSLocationWhenInUseUsageDescription = \"a\\\"b\"; UIBackgroundModes = (a, b); }"
        for bytes in [Array(xml.utf8), [UInt8](binary), Array(old.utf8)] {
            for place in bytes.indices {
                check(Array(bytes[..<place]))
                var changed = bytes
                for mask: UInt8 in [0xFF, 0x01, 0x10, 0x60, 0x90] {
                    changed[place] = bytes[place] ^ mask
                    check(changed)
                }
            }
        }
    }

    @Test("that nests or shares without end is read or refused")
    func depth() {
        for count in [100, 600, 40_000] {
            let (open, close) = ("<key>a</key><dict>", "</dict>")
            let body =
                String(repeating: open, count: count) + String(repeating: close, count: count)
            check(Array("<plist><dict>\(body)</dict></plist>".utf8))
            check(Array(String(repeating: "{ a = (", count: count).utf8))
        }
        check(Self.doubling(levels: 30))
    }

    /// A dictionary whose value is an array of twice the same array, and so on.
    private static func doubling(levels: UInt8) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        offsets.append(UInt8(bytes.count))
        bytes += [0xD1, 1, 2]
        offsets.append(UInt8(bytes.count))
        bytes += [0x51, UInt8(ascii: "a")]
        for level in 0..<levels {
            offsets.append(UInt8(bytes.count))
            bytes += [0xA2, level + 3, level + 3]
        }
        offsets.append(UInt8(bytes.count))
        bytes.append(0xA0)
        let table = UInt8(bytes.count)
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        for value in [UInt8(offsets.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, value] }
        return bytes
    }

    private func locfleet(_ words: String...) throws -> Program {
        try Program.locfleet(["lint"] + words)
    }

    @Test("is refused in one line, with exit status 2")
    func refusals() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lint-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let write = { (name: String, bytes: Data) -> String in
            let url = folder.appending(path: name)
            try bytes.write(to: url)
            return url.path
        }
        let list = try write("list", Data("<plist><array/></plist>".utf8))
        let broken = try write("broken", Data("<plist>\n<dict>\n<key>a</key></plist>".utf8))
        let huge = try write("huge", Data(count: 1_048_577))
        let empty = try write("empty", Data())
        let fine = try write("fine", Data(plist(["wiu = Shows the stores."]).utf8))
        let blank = try write("blank", Data("\n  \n".utf8))
        let tail = try write("tail", Data((plist([]) + "\ngarbage<dict>").utf8))
        let control = try write(
            "control", Data(plist(["wiu = Shows \u{1B}[31mstores."]).utf8))
        let script = try write("x.lua", Data("return {".utf8))
        // swift-format-ignore
        let rows: [([String], String)] = [
            ([list], "an Info.plist is a dictionary, this is an array"),
            ([broken], "this is no property list"),
            ([empty], "this is no property list"),
            ([blank], "this is no property list: it is empty"),
            ([tail], "something follows the end of the property list, </plist>"),
            ([control], "XML has no control characters, and here stands the byte 27"),
            ([huge], "at most 1,048,576 bytes"),
            ([folder.path], "this is a folder"),
            ([folder.path + "/none"], "there is no such file"),
            (["/dev/null"], "this is a device or pipe"),
            ([fine, "--ios", "19"], "--ios: a version or a range"),
            ([fine, "--services", "region"], "did you mean 'regions'?"),
            ([fine, "--strategy", "none.lua"], "there is no such file"),
            ([fine, "--strategy", script], "x.lua:1: "),
            ([fine, fine], "one Info.plist is taken"),
            ([], "Info.plist is missing"),
        ]
        for (words, message) in rows {
            let program = try Program.locfleet(["lint"] + words)
            #expect(program.status == 2, "\(words)")
            #expect(program.error.contains(message), "\(program.error)")
            #expect(program.error.split(separator: "\n").count == 1)
            #expect(program.out.isEmpty)
        }
        let lint = try Program.locfleet(["lint", fine, "--ios", "18"])
        #expect(lint.status == 0)
        #expect(lint.out.hasPrefix("\(fine): "))
    }

    @Test("with an error exits with 3, without one with 0")
    func verdicts() throws {
        let app = "config/apps/foreground-only/Info.plist"
        #expect(try locfleet(app, "--strategy", "on_tap_foreground_only.lua").status == 0)
        let wrong = try locfleet(app, "--strategy", "progressive.lua", "--json")
        #expect(wrong.status == 3)
        #expect(wrong.out.contains("\"store_wants_always_text\""))
    }
}
