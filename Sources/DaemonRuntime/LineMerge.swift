import Simulation
import Telemetry

/// Why records could not be written.
public struct LogError: Error, Equatable, Sendable {
    public let message: String

    public init(_ message: String) { self.message = message }
}

/// The lines of one epoch, written block by block in parallel and put in record order here.
struct LineMerge {
    /// One block's lines.
    struct Part {
        var bytes: [UInt8] = []
        /// Where each line ends in `bytes`, and which record it is.
        var lines: [(key: RecordKey, type: RecordType, end: Int)] = []
        /// Also of records that were not kept, and are no lines.
        var counts = RecordCounts()

        mutating func fill(_ block: Block, _ writer: RecordWriter) {
            var writer = writer
            counts = block.takeRecordCounts()
            for record in block.takeRecords() {
                writer.append(record, names: block.names, to: &bytes)
                lines.append((record.key, record.content.type, bytes.count))
            }
        }
    }

    /// Written at one go at most: what a reader of a pipe waits for.
    private static let chunkBytes = 1 << 20

    var parts: [Part]

    init(count: Int) { parts = [Part](repeating: Part(), count: count) }

    init(parts: [Part]) { self.parts = parts }

    var lineCount: UInt64 { UInt64(parts.reduce(0) { $0 + $1.lines.count }) }

    mutating func removeAll() {
        for index in parts.indices {
            parts[index].bytes.removeAll(keepingCapacity: true)
            parts[index].lines.removeAll(keepingCapacity: true)
        }
    }

    /// Writes all lines in record order.
    ///
    /// - Complexity: O(*n* log *k*) for *n* lines of *k* blocks.
    func write(to log: RecordLog) throws(LogError) {
        var chunk: [UInt8] = []
        chunk.reserveCapacity(Self.chunkBytes + 4_096)
        try forEach { (line) throws(LogError) in
            chunk.append(contentsOf: line.bytes)
            if chunk.count >= Self.chunkBytes {
                try log.write(chunk)
                chunk.removeAll(keepingCapacity: true)
            }
            return true
        }
        if !chunk.isEmpty { try log.write(chunk) }
    }

    /// One line with what it says.
    struct Line {
        /// With its newline.
        let bytes: ArraySlice<UInt8>
        let part: Int
        let device: UInt32
        let type: RecordType
    }

    /// All lines in record order, until one call says that it is enough.
    func forEach<Failure>(_ body: (Line) throws(Failure) -> Bool) throws(Failure) {
        var heap = PartHeap(parts)
        while let (part, line) = heap.next(parts) {
            let lines = parts[part].lines
            let start = line == 0 ? 0 : lines[line - 1].end
            let isGoingOn = try body(
                Line(
                    bytes: parts[part].bytes[start..<lines[line].end], part: part,
                    device: lines[line].key.device.number, type: lines[line].type))
            guard isGoingOn else { return }
        }
    }
}

/// The parts by the key of the line that each has next: a binary heap.
private struct PartHeap {
    private var entries: [(key: RecordKey, part: Int, line: Int)] = []

    init(_ parts: [LineMerge.Part]) {
        for (part, content) in parts.enumerated() where !content.lines.isEmpty {
            entries.append((content.lines[0].key, part, 0))
        }
        for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    /// The part and the number of the least line left.
    mutating func next(_ parts: [LineMerge.Part]) -> (part: Int, line: Int)? {
        guard let least = entries.first else { return nil }
        let following = least.line + 1
        if following < parts[least.part].lines.count {
            entries[0] = (parts[least.part].lines[following].key, least.part, following)
        } else {
            entries[0] = entries[entries.count - 1]
            entries.removeLast()
        }
        sink(0)
        return (least.part, least.line)
    }

    /// Arms have records of equal keys: there the earlier arm is first, with the earlier parts.
    private func comes(
        _ left: (key: RecordKey, part: Int, line: Int),
        before right: (key: RecordKey, part: Int, line: Int)
    ) -> Bool {
        left.key == right.key ? left.part < right.part : left.key < right.key
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
                if comes(entries[child], before: entries[least]) { least = child }
            }
            guard least != index else { return }
            entries.swapAt(index, least)
            index = least
        }
    }
}
