/// The location button, widgets and App Clips: section 12 of the specification.
extension Authorization {
    /// `isAuthorizedForWidgetUpdates` (X5): Always includes widgets, a lasting When In Use shares
    /// its grant where the person has allowed that (P14), and nothing else does.
    public func isAuthorizedForWidgets(on ios: IOSVersion) -> Bool {
        guard ios >= .v14 else { return false }
        switch visibleStatus {
        case .authorizedAlways: return true
        case .authorizedWhenInUse: return decision == .whenInUse && hasWidgetGrant
        case .notDetermined, .restricted, .denied: return false
        }
    }

    /// The row of When In Use: S5, replaced once widgets share the grant.
    var whileUsingRow: SettingsRow { hasWidgetGrant ? .whileUsingOrWidgets : .whileUsing }

    // MARK: - The location button

    func tappedLocationButton(isReadable: Bool, on ios: IOSVersion) -> Transition {
        guard ios >= .v15 else { return ignoring(.nothingToDo, .x7) }
        if prompt != nil { return ignoring(.promptOnScreen, .w8) }
        guard isReadable else { return ignoring(.nothingToDo, .x11) }  // location-button-05
        // A restriction freezes what was decided: no source speaks of buttons (D9).
        if isRestricted { return ignoring(.restricted, decision == .notDetermined ? .g7 : .g8) }
        // *Assumed*: like the requests, a tap grants nothing while the switch lies over it.
        guard isLocationServicesOn else { return ignoring(.servicesOff, .g1) }
        switch decision {
        case .notDetermined:
            return isButtonAgreed
                ? deciding(.allowOnce, .x7) : showing(Prompt(.locationButton), .x7)
        case .denied: return showing(Prompt(.locationButton), .x9)  // location-button-03
        case .whenInUse, .allowOnce, .provisionalAlways, .always:
            return ignoring(.alreadyDecided, .x8)  // location-button-02, -04
        case .restricted: return ignoring(.restricted, .g7)
        }
    }

    /// P13. A refusal decides nothing, and the next tap asks again.
    func answeredButton(_ choice: Choice, in context: AuthorizationContext) -> Transition {
        var next = self
        next.isButtonAgreed = choice == .allow
        guard choice == .allow else { return Transition(state: next, effect: .none, rule: .p13) }
        // I6: without a switch on the prompt the default decides.
        if context.capabilities.isReducedByDefault { next.isPreciseOn = false }
        return next.deciding(.allowOnce, decision == .denied ? .x9 : .x7)  // X10 follows by O5.
    }

    // MARK: - Widgets

    /// X4: the system asks by itself, and only where a lasting When In Use can be shared.
    func placedWidget(on ios: IOSVersion) -> Transition {
        guard ios >= .v14 else { return ignoring(.nothingToDo, .x4) }
        switch decision {
        case .notDetermined, .denied: return ignoring(.notAuthorized, .x5)  // widget-03
        case .restricted: return ignoring(.restricted, .g7)
        // *Assumed*: a grant that ends with use has nothing to share.
        case .allowOnce: return ignoring(.allowOnce, .x4)
        case .provisionalAlways, .always: return ignoring(.alreadyDecided, .x5)  // widget-01
        case .whenInUse:
            if hasWidgetGrant { return ignoring(.alreadyDecided, .p14) }
            if prompt != nil { return ignoring(.promptOnScreen, .w8) }
            if isRestricted { return ignoring(.restricted, .g8) }
            guard isLocationServicesOn else { return ignoring(.servicesOff, .x5) }
            return showing(Prompt(.widget), .x4)  // widget-02
        }
    }

    /// P14: the status stays, and so does a refusal's freedom to be asked at the next widget.
    func answeredWidget(_ choice: Choice) -> Transition {
        var next = self
        next.hasWidgetGrant = choice == .allow && decision == .whenInUse
        return Transition(state: next, effect: .none, rule: .p14)
    }

    // MARK: - App Clips

    /// X1: a lasting grant is withdrawn; Allow Once and the button end with use (O2).
    func appClipGrantEnded(in context: AuthorizationContext) -> Transition {
        guard context.capabilities.isAppClip, decision == .whenInUse else {
            return ignoring(.nothingToDo, .x1)
        }
        return withdrawn(by: .x1)  // app-clip-01
    }

    /// The person's decision is gone, and what widgets had of it too.
    func withdrawn(by rule: RuleID) -> Transition {
        var next = self
        next.hasWidgetGrant = false
        return next.deciding(.notDetermined, rule)
    }
}
