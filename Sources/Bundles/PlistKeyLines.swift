/// Where the keys of an XML property list stand, and which of them stand twice.
///
/// Foundation's reader tells neither, and of two equal keys it takes the last. This one only looks
/// for keys; what is malformed it leaves to Foundation.
public struct PlistKeyLines: Hashable, Sendable {
    /// A key that stood in its dictionary before.
    public struct Repeat: Hashable, Sendable {
        public var path: [String]
        public var line: Int
        public var firstLine: Int
    }

    public private(set) var repeats: [Repeat] = []
    /// By path; of a key that stands twice, the last.
    private var lines: [[String]: Int] = [:]

    init() {}

    init(_ bytes: [UInt8]) {
        var scan = Scan(bytes: bytes[...])
        while scan.advance() {
            guard let key = scan.foundKey, let path = scan.path(to: key.text) else { continue }
            if let first = lines[path] {
                repeats.append(Repeat(path: path, line: key.line, firstLine: first))
            }
            lines[path] = key.line
        }
    }

    /// From 1; nil where it is not known.
    public func line(of path: [String]) -> Int? { lines[path] }
}

/// One pass over the tags.
private struct Scan {
    var bytes: ArraySlice<UInt8>
    var line = 1
    /// The key that the last step has read.
    var foundKey: (text: String, line: Int)?
    /// Open dictionaries with the key whose value is being read, and open arrays.
    private var open: [(isDictionary: Bool, key: String)] = []

    /// Paths are kept this deep: what a checker looks at.
    private static let depthMax = 2

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The keys that lead to `key` in the innermost dictionary; nil within an array.
    func path(to key: String) -> [String]? {
        guard open.count <= Self.depthMax, open.allSatisfy(\.isDictionary) else { return nil }
        return open.dropLast().map(\.key) + [key]
    }

    /// Goes past the next tag. False at the end.
    mutating func advance() -> Bool {
        foundKey = nil
        skip(to: "<")
        guard !bytes.isEmpty else { return false }
        if take("<!--") {
            skip(past: "-->")
        } else if take("<![CDATA[") {
            skip(past: "]]>")
        } else if take("<?") {
            skip(past: "?>")
        } else if take("<!") {
            skipDeclaration()
        } else if take("</") {
            let name = takeTag().name
            if name == "dict" || name == "array" { _ = open.popLast() }
        } else {
            let place = line
            bytes = bytes.dropFirst()
            let (name, isClosed) = takeTag()
            if isClosed { return true }
            if name == "dict" || name == "array" {
                open.append((name == "dict", ""))
            } else if name == "key" {
                let text = takeText()
                foundKey = (text, place)
                if let last = open.indices.last { open[last].key = text }
            }
        }
        return true
    }

    /// A declaration may hold others in square brackets.
    private mutating func skipDeclaration() {
        var depth = 0
        while let byte = bytes.first {
            step()
            switch byte {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return
            default: break
            }
        }
    }

    /// The rest of a tag, through its `>`.
    private mutating func takeTag() -> (name: String, isClosed: Bool) {
        var name: [UInt8] = []
        var last: UInt8 = 0
        var isNameOver = false
        while let byte = bytes.first {
            step()
            if byte == UInt8(ascii: ">") { break }
            isNameOver = isNameOver || byte <= 0x20 || byte == UInt8(ascii: "/")
            if !isNameOver { name.append(byte) }
            last = byte
        }
        return (String(decoding: name, as: UTF8.self), last == UInt8(ascii: "/"))
    }

    /// The text up to the next tag that is no comment and no CDATA.
    private mutating func takeText() -> String {
        var text: [UInt8] = []
        while let byte = bytes.first {
            if take("<![CDATA[") {
                text += skip(past: "]]>")
            } else if take("<!--") {
                skip(past: "-->")
            } else if byte == UInt8(ascii: "<") {
                break
            } else {
                text.append(byte)
                step()
            }
        }
        var plain = String(decoding: text, as: UTF8.self)
        for (name, character) in [("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'")] {
            plain = plain.split(separator: "&\(name);", omittingEmptySubsequences: false)
                .joined(separator: character)
        }
        return plain.split(separator: "&amp;", omittingEmptySubsequences: false)
            .joined(separator: "&")
    }

    private mutating func step() {
        if bytes.first == UInt8(ascii: "\n") { line += 1 }
        bytes = bytes.dropFirst()
    }

    private mutating func skip(to mark: Character) {
        while let byte = bytes.first, byte != mark.asciiValue { step() }
    }

    /// - Returns: what stood before `mark`.
    @discardableResult
    private mutating func skip(past mark: String) -> [UInt8] {
        var skipped: [UInt8] = []
        while let byte = bytes.first {
            if take(mark) { break }
            skipped.append(byte)
            step()
        }
        return skipped
    }

    /// Goes past `text` where it comes next.
    private mutating func take(_ text: String) -> Bool {
        guard bytes.starts(with: text.utf8) else { return false }
        bytes = bytes.dropFirst(text.utf8.count)
        return true
    }
}
