import AuthorizationCore
import DeviceCore
import SimPrimitives

/// What a device has of `CastTable`.
struct DeviceCasts {
    var behavior: UInt16
    var strategy: UInt16
}

/// Which script and options a device has now: the scenario's, until an intervention changes them.
extension DeviceRunner {
    /// The number of what the person plays.
    func behavior(of device: borrowing Device, index: Int) -> Int {
        deviceCasts.isEmpty ? Int(device.persona) : Int(deviceCasts[index].behavior)
    }

    /// What the device in hand plays.
    @inline(never)
    mutating func takeCastInHand() {
        let casting = deviceCasts[indexInBlock]
        behaviorInHand = Int(casting.behavior)
        let number = Int(casting.strategy)
        guard number != strategyInHand else { return }
        strategyInHand = number
        strategy = strategies[number]
        strategyHooks = strategy.hooks
        areFixesSilent = !strategyHooks.contains(.didUpdateLocations)
    }

    /// Gives the device in hand another script, or other options.
    ///
    /// - Returns: false where its script takes no such options, or there is no app to be updated.
    mutating func recast(
        _ action: InterventionAction, _ moves: CastMoves, _ device: inout Device, at time: SimTime
    ) throws(RunFailure) -> Bool {
        let recast: Recast
        switch action {
        case .behavior: recast = .behavior
        case .options: recast = .options
        case .strategy: recast = .strategy
        case .appOptions: recast = .appOptions
        case .act, .terminate, .updateApp: return false
        }
        switch recast {
        case .behavior, .options:
            guard let next = moves.nextBehaviors[behaviorInHand] else { return false }
            deviceCasts[indexInBlock].behavior = UInt16(next)
        case .strategy, .appOptions:
            guard let next = moves.nextStrategies[strategyInHand],
                recast == .appOptions || device.isInstalled
            else { return false }
            // As any update: the process ends, and what it held with it.
            if recast == .strategy { try apply(.processEnded(.terminated), to: &device, at: time) }
            deviceCasts[indexInBlock].strategy = UInt16(next)
        }
        takeCastInHand()
        if recast == .behavior { planDayAnew(of: &device, at: time) }
        let isOfPerson = recast == .behavior || recast == .options
        let script =
            isOfPerson
            ? casts.behaviors[behaviorInHand].script : casts.strategies[strategyInHand].script
        emit(.recast(recast, script: UInt16(script)), &device, at: time)
        if recast == .strategy { try apply(.appUpdated, to: &device, at: time) }  // G11
        return true
    }
}

extension Block {
    /// Makes the players that `table` has and the block does not. Changes no device, so what it
    /// was taught in vain, for an intervention that was not taken, gives way to the next.
    ///
    /// - Parameter scripts: those of the arm, with all that the table names.
    public func learn(_ table: CastTable, scripts: [ScriptSource]) throws(CastFailure) {
        let people = Self.agreement(runner.casts.behaviors, table.behaviors, from: castsUsed.people)
        let apps = Self.agreement(runner.casts.strategies, table.strategies, from: castsUsed.apps)
        var (behaviors, strategies): ([any Behavior], [any Strategy]) = ([], [])
        let (newPeople, newApps) = (
            table.behaviors.dropFirst(people), table.strategies.dropFirst(apps)
        )
        if !newPeople.isEmpty || !newApps.isEmpty {
            guard let casting else { throw CastFailure("nothing that plays here is a script") }
            for cast in newPeople {
                behaviors.append(try casting.behavior(cast, scripts[cast.script]))
            }
            for cast in newApps {
                strategies.append(try casting.strategy(cast, scripts[cast.script]))
            }
        }
        let witness = runner.witness
        runner.behaviors.replaceSubrange(
            people...,
            with: zip(newPeople, behaviors).map {
                DeviceRunner.witnessed($1, script: $0.script, witness)
            })
        runner.behaviorHooks.replaceSubrange(people..., with: behaviors.map(\.hooks))
        runner.strategies.replaceSubrange(
            apps...,
            with: zip(newApps, strategies).map {
                DeviceRunner.witnessed($1, script: $0.script, witness)
            })
        runner.casts = table
    }

    /// How many of the first are the same; those below `known` are.
    private static func agreement(_ left: [Cast], _ right: [Cast], from known: Int) -> Int {
        (known..<max(known, min(left.count, right.count))).first { left[$0] != right[$0] }
            ?? min(left.count, right.count)
    }

    /// Ends the run: what an intervention brings cannot be played here.
    public func fail(_ failure: CastFailure) {
        guard let first = devices.first else { return }
        self.failure =
            self.failure
            ?? RunFailure(
                .scriptMemoryExhausted, device: first.id.number, detail: failure.detail)
    }
}
