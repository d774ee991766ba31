import AuthorizationCore
import DeviceCore

/// Why a step cannot happen on this phone now, or happens and changes nothing.
enum Obstacle {
    /// The case fails here.
    case impossible(expected: String, seen: String)
    /// The person may not have meant it: a note.
    case idle(String)
}

extension Stage {
    /// nil: the step can be played.
    func obstacle(to step: ConformanceCase.Step) -> Obstacle? {
        switch step {
        case .act(let act): obstacle(to: act)
        case .settings(let row): obstacle(toRow: row)
        case .precise: missing(Vocabulary.preciseNeed) ?? missingRow
        case .answer(_, let isPrecise): isPrecise == nil ? nil : missingSwitch
        case .expect: nil
        }
    }

    /// The app is an App Clip, on a version that has none: the case as a whole cannot be played.
    var clipObstacle: Obstacle? {
        context.capabilities.isAppClip ? missing(Vocabulary.clipNeed) : nil
    }

    private func missing(_ need: Vocabulary.Need?) -> Obstacle? {
        guard let need, context.ios < need.since else { return nil }
        return .impossible(
            expected: "iOS \(need.since) or later", seen: "an earlier one has no \(need.what)")
    }

    // MARK: - Acts

    private func obstacle(to act: ConformanceCase.Act) -> Obstacle? {
        if let missing = missing(act.need) { return missing }
        if Vocabulary.calls.contains(act.name) { return obstacle(toCall: act) }
        switch act.name {
        case "launch", "foreground":
            if isLocked {
                return .impossible(
                    expected: "a device that was unlocked",
                    seen: "locked since `reboot`: nobody opens an app before `unlock`")
            }
            if act.name == "foreground", phone.process == .notRunning {
                return .impossible(
                    expected: "a process to return to",
                    seen: "no process is running; `launch` begins one")
            }
            return idle(phone.process == .foreground, "the app is in the foreground already")
        case "background":
            return idle(
                phone.process == .notRunning || phone.process == .suspended,
                "the app is \(phone.process.rawValue)")
        case "terminate":
            if phone.process == .foreground {
                return .idle("it ends a process in the foreground, which the system does not do")
            }
            return idle(phone.process == .notRunning, "no process is running")
        case "wake":
            return idle(phone.process == .foreground, "the app is in the foreground already")
        case "unlock": return idle(!isLocked, "the device is unlocked already")
        case "remove_app_clip":
            return idle(
                !context.capabilities.isAppClip,
                #"this is no App Clip; "kind": "app_clip" makes it one"#)
        case "upgrade_os": return upgradeObstacle(to: act.texts["to"] ?? "")
        default: return nil
        }
    }

    private func idle(_ isIdle: Bool, _ why: String) -> Obstacle? {
        isIdle ? .idle("it does nothing: \(why)") : nil
    }

    private func upgradeObstacle(to text: String) -> Obstacle? {
        guard let target = IOSVersion(text) else { return nil }
        if target < context.ios {
            return .impossible(
                expected: "an iOS above \(context.ios) to upgrade to", seen: "\(text) is older")
        }
        return idle(target == context.ios, "the device has iOS \(target) already")
    }

    private func obstacle(toCall act: ConformanceCase.Act) -> Obstacle? {
        switch phone.process {
        case .notRunning:
            return .impossible(
                expected: "a process that makes this call",
                seen: "no process is running; `launch`, `wake` or an event begins one")
        case .suspended:
            return .idle(
                "the process is suspended and calls nothing by itself: `wake` lets it run first")
        case .foreground, .background: break
        }
        let isRelease = act.name == "release_manager"
        guard let manager = isRelease ? act.texts["id"] : act.texts["manager"], manager != "main"
        else { return nil }
        let known = managers.filter { !$0.isReleased }.map(\.name)
        if known.contains(manager) { return nil }
        return .impossible(
            expected: "the manager '\(manager)'",
            seen: "this process has \((["main"] + known).joined(separator: ", "))")
    }

    // MARK: - Settings and prompts

    private var missingRow: Obstacle? {
        // "Under a restriction that forbids the change it has no effect."
        if phone.authorization.isRestricted { return nil }
        guard phone.authorization.settingsLine(in: context) == nil else { return nil }
        return idle(true, "the app has no row yet: it neither asked for location nor used it (S7)")
    }

    private func obstacle(toRow row: SettingsRow) -> Obstacle? {
        if let missingRow { return missingRow }
        guard !phone.authorization.isRestricted,
            let line = phone.authorization.settingsLine(in: context),
            !line.choices.contains(row),
            !(row == .whileUsing && line.choices.contains(.whileUsingOrWidgets))
        else { return nil }
        let choices = line.choices.map(\.rawValue).joined(separator: ", ")
        // *Chosen*: cases show in this way that a row is missing.
        return idle(true, "for this app Settings lists \(choices)")
    }

    private var missingSwitch: Obstacle? {
        guard let prompt = phone.authorization.prompt, !hasPreciseSwitch else { return nil }
        return .idle("`precise` does nothing: \(prompt.kind.rawValue) has no such switch here")
    }
}
