import AuthorizationCore
import DeviceCore

/// What a failure says beside the values: which rules acted last, and how things stand.
extension Stage {
    /// More than this follows from a drive or a long wait alone.
    private static var storyLengthMax: Int { 8 }

    mutating func tell(_ effect: PhoneEffect) {
        guard let line = Self.line(of: effect), story.last != line else { return }
        guard story.count < Self.storyLengthMax else { return story[story.count - 1] = "…" }
        story.append(line)
    }

    private static func line(of effect: PhoneEffect) -> String? {
        switch effect {
        case .status(let rule): "status or accuracy changed (\(rule.rawValue))"
        case .promptShown(let prompt, let rule):
            "prompt \(prompt.kind.rawValue) shown (\(rule.rawValue))"
        case .promptClosed(let kind, let rule):
            "prompt \(kind.rawValue) closed unanswered (\(rule.rawValue))"
        case .requestIgnored(let request, let reason, let rule):
            "\(request.rawValue) ignored: \(reason.rawValue) (\(rule.rawValue))"
        case .failed(let error, let rule): "error \(error.rawValue) (\(rule.rawValue))"
        case .processStarted(let isBySystem):
            "process started by the \(isBySystem ? "system" : "person")"
        case .processSuspended: "process suspended"
        case .processEnded(let end, let rule):
            "process ended: \(end.rawValue)" + (rule.map { " (\($0.rawValue))" } ?? "")
        case .updatesPaused: "updates paused (B13)"
        case .updatesResumed: "updates resumed (B13)"
        case .callback, .delivered, .happened, .accuracyCompleted, .confirmDue, .usedInBackground:
            nil
        }
    }

    /// How things stand, in a line.
    var state: String {
        let authorization = phone.authorization
        var parts = ["status \(authorization.visibleStatus.rawValue)"]
        let trueStatus = authorization.trueStatus
        // These two look like others; a switch lies over the rest.
        if trueStatus == .allowOnce || trueStatus == .provisionalAlways
            || trueStatus.visible != authorization.visibleStatus
        {
            parts[0] += " (in truth \(trueStatus.rawValue))"
        }
        parts.append(authorization.accuracy(in: context).rawValue)
        parts.append("app \(phone.process.rawValue)")
        if let prompt = authorization.prompt {
            let choices = prompt.choices(on: context.ios).map(\.rawValue)
            parts.append(
                "prompt \(prompt.kind.rawValue) with \(choices.joined(separator: ", "))")
        } else {
            parts.append("no prompt")
        }
        if !authorization.isLocationServicesOn { parts.append("Location Services off") }
        if authorization.isRestricted { parts.append("location restricted") }
        if isLocked { parts.append("device locked") }
        if context.ios != firstIOS { parts.append("upgraded to iOS \(context.ios)") }
        return parts.joined(separator: "; ")
    }
}
