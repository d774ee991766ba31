import AuthorizationCore
import Bundles
import LuaScripting
import Simulation

/// What came of one test on one version of iOS.
public struct TestResult {
    public enum Outcome: Equatable {
        case passed
        /// An expectation was not met.
        case failed(message: String, line: Int?)
        /// The test itself went wrong, or a hook did.
        case broken(message: String, line: Int?)
        /// It is for other versions than those that were chosen.
        case skipped
    }

    /// As the person named the file.
    public let file: String
    public let name: String
    /// Where the test begins.
    public let line: Int
    /// Nil where it was skipped.
    public let ios: IOSVersion?
    public let outcome: Outcome
    /// The test has passed without a call of `expect` or `assert`.
    public let hasCheckedNothing: Bool
    /// What the test and its scripts have printed, a line each.
    public let printed: [String]
    /// Of a test that has not passed: what its device went through, where there was one.
    public let story: Story?

    public struct Story {
        public let scenario: Scenario
        public let records: [Record]
        public let names: NameTable
    }
}

/// Which tests run, and on what.
public struct TestChoice {
    /// A part of the names of tests that run; nil: all.
    public var filter: String?
    /// Nil: those that file and test name.
    public var ios: [IOSVersion]?
    /// Nil: those that file and test name.
    public var seed: UInt64?

    public init(filter: String? = nil, ios: [IOSVersion]? = nil, seed: UInt64? = nil) {
        (self.filter, self.ios, self.seed) = (filter, ios, seed)
    }
}

extension TestSuite {
    /// A line of what a test has printed has at most this many bytes, and a test as many lines.
    static let printedMax = 1_000

    /// Runs the tests that are chosen, each in a state of its own.
    ///
    /// - Parameter take: is told of each as it ends.
    public func run(_ choice: TestChoice, _ take: (TestResult) -> Void) {
        for test in chosen(choice) {
            let versions = versions(of: test, choice)
            if versions.isEmpty {
                take(
                    TestResult(
                        file: path, name: test.name, line: test.line, ios: nil, outcome: .skipped,
                        hasCheckedNothing: false, printed: [], story: nil))
            }
            for ios in versions {
                take(run(test, on: ios, seed: choice.seed))
            }
        }
    }

    /// Those whose name, or file and name, has the filter's text.
    public func chosen(_ choice: TestChoice) -> [Test] {
        guard let filter = choice.filter else { return tests }
        return tests.filter { "\(path): \($0.name)".contains(filter) }
    }

    private func versions(of test: Test, _ choice: TestChoice) -> [IOSVersion] {
        let named = test.settings.ios ?? settings.ios
        guard let chosen = choice.ios else {
            return named ?? IOSVersion(Self.defaultIOS).map { [$0] } ?? []
        }
        return named.map { named in chosen.filter(named.contains) } ?? chosen
    }

    private func run(_ test: Test, on ios: IOSVersion, seed: UInt64?) -> TestResult {
        let seed = seed ?? test.settings.seed ?? settings.seed ?? 1
        var printed: [String] = []
        let print = { (text: String) in
            if printed.count < Self.printedMax { printed.append(text) }
        }
        var bench: TestBench?
        var outcome = TestResult.Outcome.passed
        do {
            let made = try TestBench(self, scenario(of: test, on: ios, seed: seed), onPrint: print)
            bench = made
            let tests = try LuaTests(source, onPrint: print) { (name, values) throws(TestRefusal) in
                try made.answer(name, values)
            }
            try tests.run(test.name, seed: seed)
        } catch let error as ScriptError where error.script == source.name {
            outcome = TestResult.Outcome(error, hasPrompt: bench?.hasPrompt ?? false)
        } catch {
            outcome = .broken(message: "\(error)", line: nil)
        }
        return TestResult(
            file: path, name: test.name, line: test.line, ios: ios, outcome: outcome,
            hasCheckedNothing: outcome == .passed && bench?.hasChecked == false,
            printed: printed, story: outcome == .passed ? nil : bench?.story)
    }
}

extension TestResult.Outcome {
    /// Of a test that ended in an error: `expect` begins its messages so.
    fileprivate init(_ error: ScriptError, hasPrompt: Bool) {
        let limits = LuaTests.limits
        let noPrompt = "attempt to index a nil value (field 'prompt')"
        switch error.code {
        case .runtime where error.reason.hasPrefix("expected "):
            self = .failed(message: error.reason, line: error.line)
        case .runtime where error.reason == noPrompt && !hasPrompt:
            self = .broken(
                message: noPrompt + ": device.prompt is nil, for there is no prompt on screen",
                line: error.line)
        case .budgetExhausted:
            self = .broken(
                message: "the test ran past its \(limits.instructionsMax) instructions: does it "
                    + "loop for ever?", line: error.line)
        case .outOfMemory:
            self = .broken(
                message: "the test ran out of memory: it has \(limits.stateBytesMax >> 20) MiB",
                line: error.line)
        default: self = .broken(message: error.reason, line: error.line)
        }
    }
}
