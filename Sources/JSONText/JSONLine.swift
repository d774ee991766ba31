/// An object on one line, written member by member.
public enum JSONLine {
    public struct Members {
        fileprivate var writer: JSONWriter

        public mutating func member(_ name: String, _ value: String?) {
            writer.key(name)
            if let value { writer.string(value) } else { writer.null() }
        }

        public mutating func member(_ name: String, _ value: some BinaryInteger) {
            writer.key(name)
            writer.integer(value)
        }

        public mutating func member(_ name: String, _ value: Double) {
            writer.key(name)
            writer.double(value)
        }

        public mutating func member(_ name: String, _ value: Bool) {
            writer.key(name)
            writer.bool(value)
        }

        /// An object of counts.
        public mutating func member(
            _ name: String, _ counts: some Sequence<(String, UInt64)>
        ) {
            writer.key(name)
            writer.object { writer in
                for (name, count) in counts {
                    writer.key(name)
                    writer.integer(count)
                }
            }
        }

        /// An object within, as `JSONLine.object` makes one.
        public mutating func member(
            _ name: String, object body: (inout Members) -> Void
        ) {
            writer.key(name)
            writer.object { writer in
                var inner = Members(writer: writer)
                body(&inner)
                writer = inner.writer
            }
        }

        public mutating func member(_ name: String, _ values: [String]) {
            writer.key(name)
            writer.array { writer in
                for value in values { writer.string(value) }
            }
        }
    }

    public static func object(_ body: (inout Members) -> Void) -> String {
        var members = Members(writer: JSONWriter(.compact))
        members.writer.object { writer in
            var inner = Members(writer: writer)
            body(&inner)
            writer = inner.writer
        }
        return members.writer.text
    }
}
