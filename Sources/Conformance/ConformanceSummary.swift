import AuthorizationCore
import JSONText

/// How all cases of a file went.
public struct ConformanceSummary: Sendable {
    public struct Count: Hashable, Sendable {
        public var passed = 0
        public var failed = 0
    }

    public private(set) var cases = 0
    public private(set) var total = Count()
    /// By family, the part of an id before its number.
    public private(set) var families: [String: Count] = [:]
    /// Cases in which something failed, in the order of the file.
    public private(set) var failures: [FailedCase] = []
    /// What fails nothing and may not have been meant.
    public private(set) var notes: [CaseNote] = []

    /// The same failure of one case on one version or several.
    public struct FailedCase: Sendable {
        public var test: ConformanceCase
        /// As the case writes them.
        public var versions: [String]
        /// Its first step that failed.
        public var failure: ConformanceFailure
        /// Steps after it that failed too.
        public var later: Int
    }

    /// A note on one case.
    public struct CaseNote: Sendable {
        public var test: ConformanceCase
        /// As the case writes them; those that it holds for.
        public var versions: [String]
        public var note: ConformanceNote
    }

    /// Runs every case on every version that it lists.
    ///
    /// - Parameters:
    ///   - rules: the settings that stand.
    ///   - keepsDelays: as for `ConformanceRunner.run`.
    public init(
        running cases: [ConformanceCase], under rules: SystemRules = SystemRules(),
        keepsDelays: Bool = false
    ) {
        self.cases = cases.count
        for test in cases {
            var outcomes: [(String, ConformanceOutcome)] = []
            for (version, text) in zip(test.versions, test.versionTexts) {
                let outcome = ConformanceRunner.run(
                    test, on: version, under: rules, keepsDelays: keepsDelays)
                outcomes.append((text, outcome))
            }
            add(outcomes, of: test)
        }
    }

    private mutating func add(
        _ outcomes: [(String, ConformanceOutcome)], of test: ConformanceCase
    ) {
        var failed: [FailedCase] = []
        var noted = test.notes.map {
            CaseNote(test: test, versions: test.versionTexts, note: $0)
        }
        let ownCount = noted.count
        for (text, outcome) in outcomes {
            for note in outcome.notes {
                if let same = noted[ownCount...].firstIndex(where: { $0.note == note }) {
                    noted[same].versions.append(text)
                } else {
                    noted.append(CaseNote(test: test, versions: [text], note: note))
                }
            }
            guard let failure = outcome.failures.first else {
                total.passed += 1
                families[outcome.family, default: Count()].passed += 1
                continue
            }
            total.failed += 1
            families[outcome.family, default: Count()].failed += 1
            let later = outcome.failures.count - 1
            if let same = failed.firstIndex(where: {
                $0.failure.isSame(as: failure) && $0.later == later
            }) {
                failed[same].versions.append(text)
            } else {
                failed.append(
                    FailedCase(test: test, versions: [text], failure: failure, later: later))
            }
        }
        failures += failed
        notes += noted
    }

    public var isPassed: Bool { failures.isEmpty }
}

extension ConformanceFailure {
    /// But for the version.
    fileprivate func isSame(as other: ConformanceFailure) -> Bool {
        step == other.step && differences == other.differences && story == other.story
            && state == other.state
    }
}
