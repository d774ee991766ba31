import AuthorizationCore
import SimPrimitives
import Simulation

/// A failure of a hook in a dry run, with the first input that led to it.
public struct TrialFailure: Hashable, Sendable {
    public let hook: HookName
    public let code: ScriptFailureCode
    /// In the script, from 1; 0 where it is not known.
    public let line: Int
    /// As the script bridge puts it.
    public let message: String
    /// What the hook was called with, for people.
    public let input: String
    /// On which versions it happened, in the order in which they were tried.
    public internal(set) var versions: [IOSVersion]
    /// Calls that failed in this way.
    public internal(set) var count = 1
}

/// What a dry run of one script has seen.
public struct TrialResult: Sendable {
    /// In the order in which they were met.
    public internal(set) var failures: [TrialFailure] = []
    /// The script cannot be run at all: its memory or its names have run out.
    public internal(set) var ending: RunFailure?
    public internal(set) var callCount = 0
    /// Hooks that were called no more on some version: they ran past their budget too often.
    public internal(set) var abandoned: [HookName] = []
    /// Hooks that the sample had no occasion for.
    public internal(set) var untried: [HookName] = []
    /// Milestones that the app has named.
    public internal(set) var milestones: [String] = []
    /// Own screens that the app has shown, by their ids.
    public internal(set) var primers: [String] = []
    /// What `next_open` and `session_length` have returned.
    public internal(set) var opens = TrialSpans()
    public internal(set) var sessions = TrialSpans()
}

/// What a hook that returns a span has returned in a dry run.
public struct TrialSpans: Sendable {
    public private(set) var count = 0
    /// Nil while there was none but nil.
    public private(set) var least: SimDuration?
    public private(set) var greatest: SimDuration?

    mutating func note(_ span: SimDuration?) {
        count += 1
        guard let span else { return }
        least = min(least ?? span, span)
        greatest = max(greatest ?? span, span)
    }
}

/// How much a dry run tries. What it finds depends on these alone, never on time.
public struct TrialLimits: Sendable {
    /// Draws of every input.
    public var draws = 6
    /// Calls past their budget of instructions on the first version, and on each later one, after
    /// which a hook is not called again there: they take long.
    public var endlessMax = 8
    public var endlessLaterMax = 1
    /// Different failures of a hook that are told apart.
    public var kindsOfHookMax = 12
    /// Calls of one script.
    public var callsMax = 200_000
    /// Calls that timers and tasks have beside those.
    public var timerCallsMax = 100_000
    /// Timers that set each other, and waits of a task, that are followed in the first draw of each
    /// version, and in the later ones.
    public var timerChainMax = 64
    public var timerChainLaterMax = 8

    public init() {}
}

/// Keeps the accounts of a dry run.
struct TrialLog {
    let limits: TrialLimits
    private(set) var result = TrialResult()
    private var endlessCalls = [Int](repeating: 0, count: HookName.allCases.count)
    private var triedBits: UInt64 = 0
    private var timerCallCount = 0
    private var firstVersion: IOSVersion?
    private var version: IOSVersion?

    init(_ limits: TrialLimits) { self.limits = limits }

    /// Calls a hook, unless it has taken too long too often or all is over.
    ///
    /// - Parameter input: what it is called with: asked where the call fails.
    mutating func attempt(
        _ hook: HookName, on ios: IOSVersion, _ input: () -> String,
        _ call: () throws(HookError) -> Void
    ) {
        if version != ios {
            (version, firstVersion) = (ios, firstVersion ?? ios)
            for index in endlessCalls.indices { endlessCalls[index] = 0 }
        }
        let endlessMax =
            ios == firstVersion ? limits.endlessMax : limits.endlessLaterMax
        let hasCalls =
            hook == .timer ? canFireTimers : result.callCount - timerCallCount < limits.callsMax
        guard result.ending == nil, hasCalls, !isAbandoned(hook, endlessMax) else { return }
        triedBits |= hook.bit
        result.callCount += 1
        if hook == .timer { timerCallCount += 1 }
        do throws(HookError) { try call() } catch {
            switch error {
            case .run(let failure): result.ending = failure
            case .script(let failure): note(failure, hook, ios, input)
            }
        }
    }

    private mutating func isAbandoned(_ hook: HookName, _ endlessMax: Int) -> Bool {
        guard endlessCalls[hook.index] >= endlessMax else { return false }
        if !result.abandoned.contains(hook) { result.abandoned.append(hook) }
        return true
    }

    private mutating func note(
        _ failure: ScriptFailure, _ hook: HookName, _ ios: IOSVersion, _ input: () -> String
    ) {
        if failure.place.code == .budgetExhausted { endlessCalls[hook.index] += 1 }
        let line = Int(failure.place.line)
        let words = Self.withoutDigits(failure.message)
        let known = result.failures.firstIndex {
            $0.hook == hook && $0.line == line && $0.code == failure.place.code
                && Self.withoutDigits($0.message) == words
        }
        if let known {
            result.failures[known].count += 1
            if !result.failures[known].versions.contains(ios) {
                result.failures[known].versions.append(ios)
            }
            return
        }
        let kinds = result.failures.count { $0.hook == hook }
        guard kinds < limits.kindsOfHookMax else { return }
        result.failures.append(
            TrialFailure(
                hook: hook, code: failure.place.code, line: line, message: failure.message,
                input: input(), versions: [ios]))
    }

    /// What tells failures apart: the same one has other figures on another device.
    private static func withoutDigits(_ text: String) -> [UInt8] {
        text.utf8.filter { !(48...57 ~= $0 || $0 == 46) }
    }

    var canFireTimers: Bool { timerCallCount < limits.timerCallsMax }

    mutating func noteOpen(_ span: SimDuration?) { result.opens.note(span) }
    mutating func noteSession(_ span: SimDuration) { result.sessions.note(span) }

    mutating func noteMilestone(_ name: String) {
        let isKnown = result.milestones.contains { NameText($0) == NameText(name) }
        if !isKnown { result.milestones.append(name) }
    }

    mutating func notePrimer(_ id: String) {
        if !result.primers.contains(id) { result.primers.append(id) }
    }

    /// The result, with the hooks of `hooks` that were never called.
    func finished(_ hooks: HookSet, of kind: [HookName]) -> TrialResult {
        var result = result
        result.untried = kind.filter { hooks.contains($0) && triedBits & $0.bit == 0 }
        return result
    }
}
