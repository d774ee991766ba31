import AuthorizationCore
import DeviceCore

/// Further location managers of the test app: rules C7, J1, J4 and J5.
extension Stage {
    struct Manager {
        var name: String
        /// J4: made on a thread without one, it hears nothing.
        var hasRunLoop: Bool
        var last: Callback?
        /// Let go of: its log can still be read, and nothing is added.
        var isReleased = false
        /// Since its log was last read.
        var callbacks: [Callback] = []

        var hears: Bool { hasRunLoop && !isReleased }

        mutating func hear(_ callback: Callback, statusOnly: Bool) {
            let isRepeat = statusOnly ? callback.status == last?.status : callback == last
            last = callback
            if !isRepeat { callbacks.append(callback) }
        }
    }

    /// J5: which thread asks makes no difference, unless D26 says so.
    mutating func ask(_ access: Access, _ act: ConformanceCase.Act) {
        let hadPrompt = phone.authorization.prompt != nil
        apply(act.texts["thread"] == nil ? .requested(access) : .requestedOffMain(access))
        if !hadPrompt { asker = act.texts["manager"] ?? "main" }
    }

    /// C1: it hears of the present values at once.
    mutating func createManager(_ act: ConformanceCase.Act) {
        guard phone.process != .notRunning else { return }
        var manager = Manager(
            name: act.texts["id"] ?? "", hasRunLoop: act.texts["thread"] == nil)
        if manager.hasRunLoop, delegate != .newOnly || context.ios >= .v14 {
            manager.hear(
                Callback(
                    status: phone.authorization.visibleStatus,
                    accuracy: phone.authorization.accuracy(in: context)),
                statusOnly: hearsStatusOnly)
        }
        managers.removeAll { $0.name == manager.name && $0.isReleased }
        managers.append(manager)
    }

    /// J1.
    mutating func releaseManager(_ name: String) {
        for index in managers.indices where managers[index].name == name {
            managers[index].isReleased = true
        }
        if asker == name { apply(.askingManagerReleased) }
    }

    mutating func takeManagerCallbacks(of names: [String]) -> [String: Value] {
        var logs: [String: Value] = [:]
        for name in names {
            var log: [Callback] = []
            for index in managers.indices where managers[index].name == name {
                log += managers[index].callbacks
                managers[index].callbacks = []
            }
            logs[name] = .list(log.map(value))
        }
        return logs
    }
}
