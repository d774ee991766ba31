import AuthorizationCore

/// The versions of iOS that a configuration is judged for, as a person writes and reads them.
public enum VersionChoice {
    /// Every version that the rules know, oldest first.
    public static let all: [IOSVersion] = IOSVersion.released.flatMap { major, minorMax in
        (0...minorMax).compactMap { IOSVersion(major, $0) }
    }

    /// Why a choice cannot be read.
    public struct Failure: Error, Equatable {
        public let message: String
    }

    /// Reads a list such as `15,16..18`. A bare `18` is every 18.x; `13.4..` has no end.
    public static func read(_ text: String) throws(Failure) -> [IOSVersion] {
        var chosen: Set<IOSVersion> = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            var ends = [item]
            if let dots = item.firstRange(of: "..") {
                ends = [item[..<dots.lowerBound], item[dots.upperBound...]]
            }
            if ends.allSatisfy(\.isEmpty) { throw unreadable(item) }
            let low = try ends[0].isEmpty ? all[0] : bound(ends[0], of: item).first
            let last = ends[ends.count - 1]
            let high = try last.isEmpty ? all[all.count - 1] : bound(last, of: item).last
            guard low <= high else { throw Failure(message: "\(item) ends before it begins") }
            chosen.formUnion(all.filter { low <= $0 && $0 <= high })
        }
        return chosen.sorted()
    }

    private static func bound(
        _ word: Substring, of item: Substring
    ) throws(Failure) -> (first: IOSVersion, last: IOSVersion) {
        guard let first = IOSVersion(word) else { throw unreadable(item) }
        guard !word.contains("."), let last = all.last(where: { $0.major == first.major }) else {
            return (first, first)
        }
        return (first, last)
    }

    private static func unreadable(_ item: Substring) -> Failure {
        Failure(
            message: "a version or a range, such as 18, 13.4 or 15..26, is due, not '\(item)'; "
                + "there are 8.0 to 18.7 and 26.0 to 26.9")
    }

    /// Runs of versions that follow each other, oldest first.
    public static func runs(
        of versions: [IOSVersion]
    ) -> [(first: IOSVersion, last: IOSVersion)] {
        var runs: [(first: IOSVersion, last: IOSVersion)] = []
        var expected = -1
        for place in versions.compactMap({ all.firstIndex(of: $0) }).sorted() {
            if place == expected, let last = runs.indices.last {
                runs[last].last = all[place]
            } else {
                runs.append((all[place], all[place]))
            }
            expected = place + 1
        }
        return runs
    }

    /// `8 to 10`, `13.0 to 13.3`, `18`, `13.4 to 26`.
    public static func phrase(_ versions: [IOSVersion]) -> String {
        runs(of: versions).map { run in
            let isWholeEnd = all.last { $0.major == run.last.major } == run.last
            let isWholeStart = run.first.minor == 0
            if run.first.major == run.last.major {
                if isWholeStart, isWholeEnd { return "\(run.first.major)" }
                return run.first == run.last ? "\(run.first)" : "\(run.first) to \(run.last)"
            }
            let low = isWholeStart ? "\(run.first.major)" : "\(run.first)"
            return "\(low) to \(isWholeEnd ? "\(run.last.major)" : "\(run.last)")"
        }.joined(separator: ", ")
    }
}
