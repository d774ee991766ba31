import AuthorizationCore

/// The rules' context of each entry of the iOS mix, where it can be read without copying: a copy
/// of the lists within would cost more than most rules.
///
/// A class, because it owns the memory; immutable, and alive as long as its block.
final class ContextTable {
    let start: UnsafePointer<AuthorizationContext>
    private let memory: UnsafeMutableBufferPointer<AuthorizationContext>

    init(_ scenario: Scenario) {
        memory = .allocate(capacity: scenario.iosMix.count)
        _ = memory.initialize(
            from: scenario.iosMix.map {
                AuthorizationContext(
                    ios: $0.value, capabilities: scenario.app.capabilities, rules: scenario.rules)
            })
        start = UnsafePointer(memory.baseAddress!)  // A mix has at least one version.
    }

    deinit {
        memory.deinitialize()
        memory.deallocate()
    }
}
