import CLuaShim
import Simulation

/// Something that a script declares: a member, an option, or a field of an option.
struct Declaration {
    /// One to three names, from the outside in.
    let path: [String]
    /// Lua's word for the type.
    let type: String
    /// Nil where the type is none that an option can have.
    let value: ScriptOption.Value?

    init(_ declaration: clua_declaration) {
        let names = [declaration.member, declaration.option, declaration.field]
        path = names.compactMap { $0.map { String(cString: $0) } }
        type = String(cString: declaration.type)
        switch type {
        case "number": value = .number(declaration.number)
        case "boolean": value = .boolean(declaration.boolean)
        case "string":
            let bytes = UnsafeRawBufferPointer(start: declaration.text, count: declaration.length)
            value = .string(String(decoding: bytes, as: UTF8.self))
        default: value = nil
        }
    }
}

extension ScriptSource {
    /// The line on which `path` seems to be declared, from 1: Lua itself does not keep it.
    ///
    /// Looks for each name in turn, as a word before `=` or `(`.
    public func line(of path: [String]) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var found: Int?
        for name in path {
            let from = found ?? 0
            let next = lines[from...].firstIndex { Self.declares(name, in: $0.utf8) }
            guard next != nil || name == "options" else { return nil }
            found = next ?? found
        }
        return found.map { $0 + 1 }
    }

    private static func declares(_ name: String, in line: Substring.UTF8View) -> Bool {
        let (line, name) = (Array(line), Array(name.utf8))
        guard line.count > name.count, !name.isEmpty else { return false }
        for start in 0..<(line.count - name.count) {
            let stop = start + name.count
            guard line[start..<stop].elementsEqual(name) else { continue }
            if start > 0, isWordByte(line[start - 1]) { continue }
            let mark = line[stop...].first { $0 != UInt8(ascii: " ") }
            if mark == UInt8(ascii: "=") || mark == UInt8(ascii: "(") { return true }
        }
        return false
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 95, 97...122: true
        default: false
        }
    }
}

/// ": did you mean 'x'?" for the nearest of `names`, or nothing.
func suggestion(for name: String, among names: [String]) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CLUA_SUGGESTION_BYTES)) { buffer in
        clua_suggest(name, names.joined(separator: "\n"), buffer.baseAddress)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}
