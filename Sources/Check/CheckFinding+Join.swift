import Simulation

/// One mistake shows in many calls: on other versions, at other prompts, in other hooks and arms.
extension CheckFinding {
    /// What is the same in all findings of one mistake.
    var mistake: CheckFinding {
        var finding = self
        (finding.hook, finding.otherHooks, finding.arms) = (nil, [], [])
        (finding.input, finding.callCount) = (nil, 0)
        guard callCount > 0 else { return finding }
        finding.versions = []
        finding.reason = String(decoding: reason.utf8.filter { !Self.isFigure($0) }, as: UTF8.self)
        // What follows are the choices of the prompt in hand.
        if code == .absentChoice, let end = reason.firstRange(of: ", which is not among") {
            finding.reason = String(reason[..<end.lowerBound])
        }
        return finding
    }

    /// Other devices have other figures in the same message.
    private static func isFigure(_ byte: UInt8) -> Bool { 48...57 ~= byte || byte == 46 }

    /// Takes over where and how often `other` happens, which is of the same mistake.
    mutating func join(_ other: CheckFinding) {
        for hook in [other.hook].compactMap(\.self) + other.otherHooks
        where hook != self.hook && !otherHooks.contains(hook) {
            otherHooks.append(hook)
        }
        arms += other.arms.filter { !arms.contains($0) }
        versions = Set(versions + other.versions).sorted()
        callCount += other.callCount
    }
}
