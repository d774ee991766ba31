import AuthorizationCore
import Bundles
import Foundation
import Simulation
import Testing

@Suite("An Info.plist")
struct InfoPlistTests {
    private let whenInUse = "NSLocationWhenInUseUsageDescription"
    private let always = "NSLocationAlwaysAndWhenInUseUsageDescription"
    private let legacy = "NSLocationAlwaysUsageDescription"
    private let reduced = "NSLocationDefaultAccuracyReduced"

    private func read(
        _ keys: [String: Any], _ format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws -> InfoPlist {
        let data = try PropertyListSerialization.data(
            fromPropertyList: keys, format: format, options: 0)
        return try InfoPlist([UInt8](data), path: "Info.plist")
    }

    @Test("is read alike as XML and in binary", arguments: [true, false])
    func formats(isXML: Bool) throws {
        let plist = try read(
            [
                whenInUse: "near", always: "far", reduced: true, "UIBackgroundModes": ["location"],
                "NSLocationTemporaryUsageDescriptionDictionary": ["b": "x", "a": "y"],
            ], isXML ? .xml : .binary)
        var due = AppCapabilities()
        due.hasWhenInUseText = true
        due.hasAlwaysText = true
        due.isReducedByDefault = true
        due.hasLocationBackgroundMode = true
        #expect(plist.capabilities == due)
        #expect(plist.temporaryPurposeKeys == ["a", "b"])
        #expect(plist.usageTexts == ["", "near", "far"])
    }

    @Test("in the old style has texts for values: a Boolean there is ignored, as on a phone")
    func oldStyle() throws {
        let text = """
            {
              \(whenInUse) = "Shows \\"stores\\"";
              \(reduced) = YES;
              UIBackgroundModes = (fetch, location);
            }
            """
        let plist = try InfoPlist(Array(text.utf8), path: "Info.plist")
        #expect(plist.capabilities.hasWhenInUseText)
        #expect(plist.usageTexts[1] == "Shows \"stores\"")
        #expect(!plist.capabilities.isReducedByDefault)
        #expect(plist.capabilities.hasLocationBackgroundMode)
    }

    @Test("gives the Always text of iOS 8 to 10 only where there is no newer one")
    func legacyText() throws {
        #expect(try read([legacy: "old", always: "new"]).usageTexts == ["", "", "new"])
        let old = try read([legacy: "old"])
        #expect(old.usageTexts == ["", "", "old"])
        #expect(old.capabilities.hasLegacyAlwaysText && !old.capabilities.hasAlwaysText)
    }

    @Test("counts an empty text as present (D34)")
    func emptyText() throws {
        #expect(try read([whenInUse: ""]).capabilities.hasWhenInUseText)
    }

    @Test("ignores a default accuracy that is not a Boolean (I6)")
    func reducedType() throws {
        #expect(try read([reduced: true]).capabilities.isReducedByDefault)
        for value: Any in [1, 1.0, "YES", ["x"], false] {
            #expect(try !read([reduced: value]).capabilities.isReducedByDefault)
        }
    }

    @Test("has the keys of explicit service sessions where they are Booleans (I9, D12)")
    func explicitSessions() throws {
        let article = "NSLocationRequireExplicitServiceSession"
        let header = "CLRequireExplicitServiceSession"
        #expect(try read([article: true]).capabilities.hasExplicitSessionKey)
        #expect(try !read([article: true]).capabilities.hasExplicitSessionHeaderKey)
        #expect(try read([header: true]).capabilities.hasExplicitSessionHeaderKey)
        for value: Any in [1, "YES", false] {
            #expect(try !read([article: value]).capabilities.hasExplicitSessionKey)
        }
    }

    @Test("of bytes that are cut or changed is read or refused")
    func fuzz() throws {
        let data = try PropertyListSerialization.data(
            fromPropertyList: [whenInUse: "near", "UIBackgroundModes": ["location"]],
            format: .binary, options: 0)
        let bytes = [UInt8](data)
        for place in bytes.indices {
            _ = try? InfoPlist(Array(bytes[..<place]), path: "Info.plist")
            var changed = bytes
            changed[place] ^= 0xFF
            _ = try? InfoPlist(changed, path: "Info.plist")
        }
    }

    /// Thirty arrays of twice the next: Foundation copies what is shared.
    @Test("in binary that unfolds without end is refused, before anything is copied")
    func sharing() throws {
        let levels: UInt8 = 30
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = [8, 11]
        bytes += [0xD1, 1, 2, 0x51, UInt8(ascii: "a")]
        for level in 0..<levels {
            offsets.append(UInt8(bytes.count))
            bytes += [0xA2, level + 3, level + 3]
        }
        offsets.append(UInt8(bytes.count))
        bytes.append(0xA0)
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for value in [UInt8(offsets.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, value] }
        #expect(throws: BundleError.self) { try InfoPlist(bytes, path: "Info.plist") }
    }

    @Test("in binary may have many values, and one in many places")
    func sharedTexts() throws {
        var keys: [String: Any] = [whenInUse: "near", always: "near"]
        for number in 0..<5_000 { keys["key\(number)"] = ["near", "near"] }
        #expect(try read(keys, .binary).usageTexts == ["", "near", "near"])
    }
}
