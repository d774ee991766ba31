import JSONText

extension ShardPart {
    /// Puts the parts of one run in the order of their shards.
    ///
    /// - Parameter parts: in any order, each with the name of its file.
    /// - Throws: what does not go together, and the files that are to blame.
    public static func ordered(
        _ parts: [(file: String, part: ShardPart)]
    ) throws(ShardError) -> [ShardPart] {
        guard let first = parts.first else { throw ShardError("there are no parts to merge") }
        for other in parts.dropFirst() {
            guard let difference = other.part.difference(from: first.part) else { continue }
            throw ShardError(
                "\(other.file) and \(first.file) are parts of different runs: "
                    + "\(difference.what) \(difference.mine) and \(difference.theirs)")
        }
        var places: [UInt32: (file: String, part: ShardPart)] = [:]
        for one in parts {
            if let other = places.updateValue(one, forKey: one.part.shard.index) {
                throw ShardError(
                    "\(other.file) and \(one.file) are both shard \(one.part.shard.text)")
            }
        }
        let count = first.part.shard.count
        let missing = (1...count).filter { places[$0] == nil }
        guard missing.isEmpty else {
            let shown = missing.prefix(10).map { "\($0)/\(count)" }
            let rest = missing.count - shown.count
            throw ShardError(
                "of \(count) shards \(missing.count) \(missing.count == 1 ? "is" : "are") missing: "
                    + listed(rest > 0 ? shown + ["\(rest) more"] : shown))
        }
        return (1...count).compactMap { places[$0]?.part }
    }

    private func difference(
        from other: ShardPart
    ) -> (what: String, mine: String, theirs: String)? {
        let (a, b) = (origin, other.origin)
        let rows = [
            ("locfleet", a.locfleet, b.locfleet),
            ("digest version", "\(a.digestVersion)", "\(b.digestVersion)"),
            ("seed", "\(a.seed)", "\(b.seed)"),
            ("devices", "\(a.deviceCount)", "\(b.deviceCount)"),
            ("bundle", a.bundle, b.bundle),
            ("--by", Self.split(a.by), Self.split(b.by)),
            ("shards", "\(shard.count)", "\(other.shard.count)"),
        ]
        return rows.first { $0.1 != $0.2 }.map {
            ($0.0, printable($0.1), printable($0.2))
        }
    }

    private static func split(_ by: [String]) -> String {
        by.isEmpty ? "absent" : by.joined(separator: ",")
    }
}
