/// A text in OpenMetrics 1.0, read strictly by its rules of order.
///
/// Source: "OpenMetrics 1.0", sections "ABNF" and "Overall Structure", "Metric Types".
public struct OpenMetricsText {
    public struct Sample {
        public let name: String
        public let labels: [(name: String, value: String)]
        public let value: String

        public func label(_ name: String) -> String? { labels.first { $0.name == name }?.value }
    }

    public struct Family {
        public let name: String
        public let type: String
        public let unit: String?
        public let help: String
        public var samples: [Sample] = []
    }

    public private(set) var families: [Family] = []
    /// What breaks a rule, with the line.
    public private(set) var complaints: [String] = []

    private static let endings: [String: [String]] = [
        "counter": ["_total"], "gauge": [""], "stateset": [""], "info": ["_info"],
        "histogram": ["_bucket", "_count", "_sum"], "summary": ["", "_count", "_sum"],
    ]

    public init(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.popLast() != "" { complaints.append("the last line has no end") }
        if lines.popLast() != "# EOF" { complaints.append("the last line is not # EOF") }
        var head: (name: String, type: String, unit: String?) = ("", "", nil)
        for (number, line) in lines.enumerated() {
            guard line.hasPrefix("#") else {
                if let what = take(line) { complain(what, number, line) }
                continue
            }
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            guard words.count == 4 else {
                complain("no description", number, line)
                continue
            }
            switch words[1] {
            case "TYPE":
                head = (words[2], words[3], nil)
                if Self.endings[words[3]] == nil { complain("an unknown type", number, line) }
                if families.contains(where: { $0.name == words[2] }) {
                    complain("told twice", number, line)
                }
            case "UNIT":
                head.unit = words[3]
                if words[2] != head.name { complain("of another family", number, line) }
                if !words[2].hasSuffix("_" + words[3]) {
                    complain("the name lacks the unit", number, line)
                }
            case "HELP":
                if words[2] != head.name { complain("of another family", number, line) }
                families.append(
                    Family(name: head.name, type: head.type, unit: head.unit, help: words[3]))
            default: complain("an unknown line", number, line)
            }
        }
        families.forEach { check($0) }
    }

    public func family(_ name: String) -> Family? { families.first { $0.name == name } }

    private mutating func complain(_ what: String, _ number: Int, _ line: String) {
        complaints.append("line \(number + 1): \(what): \(line)")
    }

    /// - Returns: what is wrong with the sample.
    private mutating func take(_ line: String) -> String? {
        let form =
            /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]?Inf|-?[0-9.]+(?:e[+-]?[0-9]+)?)/
        guard let family = families.last, let match = line.wholeMatch(of: form) else {
            return "no sample"
        }
        let name = String(match.1)
        var labels: [(name: String, value: String)] = []
        var rest = match.2 ?? ""
        while let label = rest.prefixMatch(
            of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[n"\\])*)"(,|$)/)
        {
            labels.append((String(label.1), String(label.2)))
            rest = rest[label.range.upperBound...]
        }
        let sample = Sample(name: name, labels: labels, value: String(match.3))
        families[families.count - 1].samples.append(sample)
        let known = (Self.endings[family.type] ?? []).map { family.name + $0 }
        if !known.contains(name) { return "not of \(family.name)" }
        if Set(labels.map(\.name)).count != labels.count { return "a label stands twice" }
        return rest.isEmpty ? nil : "no labels"
    }

    /// Samples of one set of labels stand together and once; buckets grow; states are one.
    private mutating func check(_ family: Family) {
        let inner = ["histogram": "le", "summary": "quantile", "stateset": family.name][family.type]
        var (seen, last): (Set<String>, String?) = ([], nil)
        var groups: [[Sample]] = []
        for sample in family.samples {
            let key = sample.labels.filter { $0.name != inner }.map { "\($0.name)=\($0.value)" }
                .joined(separator: ",")
            if key != last {
                if !seen.insert(key).inserted { complaints.append("\(family.name){\(key)}: apart") }
                groups.append([])
                last = key
            }
            groups[groups.count - 1].append(sample)
        }
        for group in groups {
            let all = group.map { "\($0.name) \($0.label(inner ?? "") ?? "")" }
            if Set(all).count != all.count { complaints.append("\(family.name): twice: \(all)") }
            switch family.type {
            case "histogram": checkBuckets(of: family.name, group)
            case "stateset":
                if group.count(where: { $0.value == "1" }) != 1 {
                    complaints.append("\(family.name): not in one state")
                }
            case "counter", "info":
                if group.contains(where: { $0.value.hasPrefix("-") }) {
                    complaints.append("\(family.name): below 0")
                }
            default: break
            }
        }
    }

    private mutating func checkBuckets(of name: String, _ group: [Sample]) {
        let buckets = group.filter { $0.name == name + "_bucket" }
        let bounds = buckets.compactMap {
            $0.label("le").map { $0 == "+Inf" ? .infinity : Double($0) ?? .nan }
        }
        let counts = buckets.compactMap { UInt64($0.value) }
        let isGrowing =
            zip(bounds, bounds.dropFirst()).allSatisfy(<)
            && zip(counts, counts.dropFirst()).allSatisfy(<=)
        if bounds.count != buckets.count || counts.count != buckets.count || !isGrowing
            || bounds.last != .infinity
        {
            complaints.append("\(name): buckets are not cumulative up to +Inf")
        }
        let count = group.first { $0.name == name + "_count" }
        let sum = group.first { $0.name == name + "_sum" }
        if (count == nil) != (sum == nil) {
            complaints.append("\(name): _count and _sum go together")
        }
        if let count, count.value != buckets.last?.value {
            complaints.append("\(name): _count is another than +Inf")
        }
    }
}
