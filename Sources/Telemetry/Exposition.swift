/// Metrics as text for a collector: families of samples, in the order in which they were added.
///
/// Source: "OpenMetrics 1.0" (Prometheus/OpenMetrics, 2020): a family's lines stand together, TYPE,
/// UNIT and HELP before its samples, samples of one set of labels together, `# EOF` at the end; and
/// "Prometheus text exposition format" 0.0.4 for those who do not read it.
public struct Exposition: Sendable {
    public enum Format: Sendable {
        case openMetrics, prometheus

        /// What a client reads that sends this `Accept`: OpenMetrics, unless it names plain text
        /// and not that.
        public init(accept: String?) {
            let accept = accept?.lowercased() ?? ""
            let isOld =
                accept.contains("text/plain") && !accept.contains("application/openmetrics-text")
            self = isOld ? .prometheus : .openMetrics
        }

        public var contentType: String {
            switch self {
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            }
        }
    }

    public enum Kind: String, Sendable {
        case counter, gauge, histogram, info, stateset, summary
    }

    public typealias Label = (name: String, value: String)

    /// One line of a family.
    struct Sample: Sendable {
        var suffix: String
        var labels: String
        var value: String
    }

    /// Everything under one name.
    public struct Family: Sendable {
        let name: String
        let kind: Kind
        let unit: String?
        let help: String
        var samples: [Sample] = []
    }

    private var families: [Family] = []
    private var places: [String: Int] = [:]

    public init() {}

    /// - Parameters:
    ///   - name: without the ending `_total` of a counter's samples; it ends in `_UNIT` if there is
    ///     one.
    ///   - samples: adds what there is to say; a family without samples is left out.
    public mutating func family(
        _ name: String, _ kind: Kind, unit: String? = nil, _ help: String,
        _ samples: (inout Family) -> Void
    ) {
        precondition(unit.map { name.hasSuffix("_" + $0) } ?? true, "\(name) ends in its unit")
        precondition(!name.hasSuffix("_total"), "\(name): the ending is the samples' own")
        if places[name] == nil {
            places[name] = families.count
            families.append(Family(name: name, kind: kind, unit: unit, help: help))
        }
        guard let place = places[name] else { return }
        precondition(families[place].kind == kind, "\(name) is of one kind")
        samples(&families[place])
    }

    /// The whole text.
    public func text(_ format: Format) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty {
            family.append(to: &text, format)
        }
        return format == .openMetrics ? text + "# EOF\n" : text
    }
}

extension Exposition.Family {
    public mutating func sample(_ value: UInt64, _ labels: [Exposition.Label]) {
        add("", labels, String(value))
    }

    /// One that is no number is left out: nothing can be said.
    public mutating func sample(_ value: Double, _ labels: [Exposition.Label]) {
        guard value.isFinite else { return }
        add("", labels, Self.plain(value))
    }

    /// Which of `states` it is in.
    public mutating func states(
        _ states: some Sequence<String>, now: String, _ labels: [Exposition.Label]
    ) {
        for state in states {
            add("", labels + [(name, state)], state == now ? "1" : "0")
        }
    }

    /// - Parameters:
    ///   - buckets: how many values are at most so much, in order, without the last, which is all.
    ///   - sum: of the values, as text, where it is known exactly. Without it the count stands in
    ///     the last bucket alone, as the format wants it.
    public mutating func histogram(
        _ buckets: [(atMost: Double, count: UInt64)], count: UInt64, sum: String? = nil,
        _ labels: [Exposition.Label]
    ) {
        for bucket in buckets {
            add("_bucket", labels + [("le", Self.plain(bucket.atMost))], String(bucket.count))
        }
        add("_bucket", labels + [("le", "+Inf")], String(count))
        guard let sum else { return }
        add("_sum", labels, sum)
        add("_count", labels, String(count))
    }

    /// - Parameter sum: as text; nil where values may be negative, of which the format takes none.
    public mutating func summary(
        _ quantiles: [(share: String, value: Double?)], count: UInt64, sum: String?,
        _ labels: [Exposition.Label]
    ) {
        for quantile in quantiles {
            guard let value = quantile.value else { continue }
            add("", labels + [("quantile", quantile.share)], Self.plain(value))
        }
        add("_count", labels, String(count))
        if let sum { add("_sum", labels, sum) }
    }

    private mutating func add(_ suffix: String, _ labels: [Exposition.Label], _ value: String) {
        let text = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
            .joined(separator: ",")
        samples.append(Exposition.Sample(suffix: suffix, labels: text, value: value))
    }

    func append(to text: inout String, _ format: Exposition.Format) {
        let ending: String
        var (shown, type) = (name, kind.rawValue)
        switch (kind, format) {
        case (.counter, .openMetrics): ending = "_total"
        case (.counter, .prometheus): (ending, shown) = ("", name + "_total")
        case (.info, .openMetrics): ending = "_info"
        case (.info, .prometheus): (ending, shown, type) = ("", name + "_info", "gauge")
        case (.stateset, .prometheus): (ending, type) = ("", "gauge")
        default: ending = ""
        }
        text += "# TYPE \(shown) \(type)\n"
        if let unit, format == .openMetrics { text += "# UNIT \(shown) \(unit)\n" }
        text += "# HELP \(shown) \(Self.escaped(help, quotes: format == .openMetrics))\n"
        for sample in samples {
            text += shown + ending + sample.suffix
            if !sample.labels.isEmpty { text += "{\(sample.labels)}" }
            text += " \(sample.value)\n"
        }
    }

    /// Whole numbers with a decimal point too: buckets must have one, and others may.
    static func plain(_ value: Double) -> String { value.description }

    static func escaped(_ text: String, quotes: Bool = true) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
