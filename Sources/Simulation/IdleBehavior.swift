import SimPrimitives

/// A person who does nothing of their own: what a conforming type leaves out is this.
public protocol IdleBehavior: Behavior {}

extension IdleBehavior {
    public func born(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {}

    public func nextOpen(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration? { nil }

    public func sessionLength(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SimDuration { .max }

    public func nextTap(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Tap? { nil }

    public func answerPrompt(
        _ question: borrowing Question, _ person: borrowing PersonView,
        random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> Reply { Reply(.dontAllow) }

    public func answerPrimer(
        _ id: NameID, _ person: borrowing PersonView, random: inout RandomStream,
        acts: inout [PhoneAct]
    ) throws(HookError) -> PrimerAnswer { .notNow }

    public func answerSettingsAlert(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) -> SettingsAlertAnswer { .cancel }

    public func eachDay(
        _ person: borrowing PersonView, random: inout RandomStream, acts: inout [PhoneAct]
    ) throws(HookError) {}
}
