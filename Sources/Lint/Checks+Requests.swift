import AuthorizationCore

/// Requests and the texts that they need: LI1, LI2, LI15.
extension Checks {
    mutating func checkRequests() {
        checkRequest(.whenInUse)
        checkRequest(.always)
        checkStore()
        checkPair()
    }

    private var meansAlways: Bool { facts.has(.always) || facts.has(.legacyAlways) }

    /// LI1: what the rules ignore for want of a text, by the keys that are wanting.
    private mutating func checkRequest(_ access: Access) {
        if let strategy, strategy.line(of: access) == nil { return }
        var wanting: [(keys: [LocationKey], versions: [IOSVersion])] = []
        for outlook in outlooks {
            let request = access == .always ? outlook.always : outlook.whenInUse
            guard case .ignored(.missingUsageDescription, _) = request else { continue }
            let keys = missingKeys(for: access, on: outlook.ios)
            if let place = wanting.firstIndex(where: { $0.keys == keys }) {
                wanting[place].versions.append(outlook.ios)
            } else {
                wanting.append((keys, [outlook.ios]))
            }
        }
        for (keys, versions) in wanting { noteMissing(access, keys, versions) }
    }

    private mutating func noteMissing(
        _ access: Access, _ keys: [LocationKey], _ versions: [IOSVersion]
    ) {
        let isAlways = access == .always
        let call = isAlways ? "requestAlwaysAuthorization" : "requestWhenInUseAuthorization"
        let names = keys.map(\.rawValue).joined(separator: " and ")
        let (noun, verb) = keys.count == 1 ? ("the key", "is") : ("the keys", "are")
        let rule = isAlways ? RuleID.a13 : .w3
        let mend = adding(keys) + "."
        let code = isAlways ? Finding.Code.missingAlwaysText : .missingWhenInUseText
        let effect = "no prompt, no callback and no error (\(rule.rawValue))"
        guard let line = strategy?.line(of: access) else {
            note(
                code, isAlways && meansAlways ? .warning : .information, versions,
                path: [keys.first?.rawValue ?? ""],
                "\(call) would be ignored: \(noun) \(names) \(verb) missing. There is \(effect).",
                mend: "If the app asks for this there: \(mend.prefix(1).lowercased())"
                    + mend.dropFirst())
            return
        }
        note(
            code, .error, versions, key: keys.first, inStrategyAt: line,
            "\(call) is called and ignored: \(noun) \(names) \(verb) missing. There is \(effect).",
            mend: mend)
    }

    private func adding(_ keys: [LocationKey]) -> String {
        "Add "
            + keys.map { "<key>\($0.rawValue)</key><string>Why …</string>" }
            .joined(separator: " and ")
    }

    /// Found by asking the rules what each key would change.
    private func missingKeys(for access: Access, on ios: IOSVersion) -> [LocationKey] {
        let candidates: [LocationKey] = [.whenInUse, .always, .legacyAlways]
        let absent = candidates.filter { !isThere($0, facts.capabilities) }
        // The fewest that make the request heard.
        let sets =
            absent.map { [$0] }
            + absent.indices.flatMap { first in
                absent.indices.dropFirst(first + 1).map { [absent[first], absent[$0]] }
            } + [absent]
        return sets.first { set in
            var capabilities = facts.capabilities
            for key in set { add(key, to: &capabilities) }
            let context = AuthorizationContext(ios: ios, capabilities: capabilities)
            let answer = Authorization.reduce(
                Authorization(), .requested(access, isInUse: true), in: context)
            return answer.effect != .ignore(.missingUsageDescription)
        } ?? absent
    }

    private func isThere(_ key: LocationKey, _ capabilities: AppCapabilities) -> Bool {
        switch key {
        case .whenInUse: capabilities.hasWhenInUseText
        case .always: capabilities.hasAlwaysText
        case .legacyAlways: capabilities.hasLegacyAlwaysText
        default: false
        }
    }

    private func add(_ key: LocationKey, to capabilities: inout AppCapabilities) {
        switch key {
        case .whenInUse: capabilities.hasWhenInUseText = true
        case .always: capabilities.hasAlwaysText = true
        case .legacyAlways: capabilities.hasLegacyAlwaysText = true
        default: break
        }
    }

    /// LI2
    private mutating func checkStore() {
        let has = facts.capabilities
        guard let strategy, let line = strategy.alwaysLine,
            !has.hasAlwaysText, !has.hasLegacyAlwaysText
        else { return }
        // The store asks for this one; the others are for the request to be heard.
        let wanted = outlooks.reduce(into: Set([LocationKey.always])) { keys, outlook in
            keys.formUnion(missingKeys(for: .always, on: outlook.ios))
        }
        let keys = LocationKey.allCases.filter(wanted.contains)
        note(
            .storeWantsAlwaysText, .error, outlooks.map(\.ios), key: .always, inStrategyAt: line,
            "The code mentions requestAlwaysAuthorization and there is no text for Always: the App "
                + "Store complains of a missing purpose string (ITMS-90683), even if the call is "
                + "never made.",
            mend: adding(keys) + ", or take the call out.")
    }

    /// LI15: A13 from 11 on.
    private mutating func checkPair() {
        let has = facts.capabilities
        guard !has.hasWhenInUseText, has.hasAlwaysText || has.hasLegacyAlwaysText else { return }
        let silent = versions { outlook in
            if outlook.ios < .v11 { return false }
            if case .ignored(.missingUsageDescription, _) = outlook.always { return true }
            return false
        }
        guard let first = silent.first else { return }
        let key: LocationKey = has.hasAlwaysText ? .always : .legacyAlways
        let reason =
            has.hasAlwaysText
            ? "There is a text for Always and none for When In Use: from iOS 11 on a request for "
                + "Always needs both and is ignored without (A13)."
            : "The only text for Always is the one of iOS 8 to 10. From iOS 11 on a request for "
                + "Always needs \(LocationKey.whenInUse.rawValue) and "
                + "\(LocationKey.always.rawValue), and is ignored without (A13)."
        note(
            .alwaysWithoutWhenInUse, .error, silent, path: [key.rawValue], reason,
            mend: adding(missingKeys(for: .always, on: first)) + ".")
    }
}
