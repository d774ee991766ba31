extension Authorization {
    public struct Transition: Hashable, Sendable {
        public var state: Authorization
        public var effect: AuthorizationEffect
        /// The rule that decided.
        public var rule: RuleID
    }

    /// The authorization rules: a state and an event give a state and an effect.
    ///
    /// Total: every pair has an answer, and a pair that iOS would not act on says
    /// `.ignore(reason)`. Pure: no clock, no randomness, no I/O.
    public static func reduce(
        _ state: Authorization, _ event: AuthorizationEvent, in context: borrowing AuthorizationContext
    ) -> Transition {
        Transition(state: state, effect: .ignore(.nothingToDo), rule: .c5)
    }
}
