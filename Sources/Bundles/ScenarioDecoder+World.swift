import JSONText
import SimPrimitives
import Simulation

/// People's rhythm and whereabouts, and what comes at random.
extension ScenarioDecoder {
    func rhythm(_ field: Field?) -> Rhythm {
        var rhythm = Rhythm()
        guard let fields = field?.fields() else { return rhythm }
        let (least, most) = (SimDuration.seconds(1), SimDuration.days(3_650))
        if let mean = fields.take("opening_interval_mean")?
            .duration("a mean interval", from: least, to: most)
        {
            rhythm.openingInterval = mean
        }
        if let word = fields.take("opening_interval_from")?
            .word(among: Rhythm.Origin.allCases.map(\.rawValue)),
            let origin = Rhythm.Origin(rawValue: word)
        {
            rhythm.origin = origin
        }
        rhythm.sessionLength = fields.take("session_length_mean")?
            .duration("a mean length", from: least, to: .days(1))
        fields.finish()
        return rhythm
    }

    // MARK: - Hazards

    func hazards(_ field: Field?, _ vocabulary: ConditionVocabulary) -> [Hazard] {
        let entries = field?.list("hazards", max: ScenarioLimits.hazardsMax) ?? []
        return entries.compactMap { hazard($0, vocabulary) }
    }

    private func hazard(_ entry: Field, _ vocabulary: ConditionVocabulary) -> Hazard? {
        guard let fields = entry.fields() else { return nil }
        let mean = fields.require(
            "interval_mean", "how often it comes to a device, such as \"30d\"")?
            .duration("a mean interval", from: .seconds(1), to: .days(36_500))
        let (condition, text) = deviceCondition(fields.take("where"), vocabulary)
        let value = fields.take("value")
        let action = self.action(
            fields.require("do", "what happens, such as \"settings\""), value, isHazard: true)
        fields.finish()
        guard let mean, let action else { return nil }
        var hazard = Hazard(meanInterval: mean, condition: condition, where: text, action)
        if case .updateApp = action { hazard.file = value?.text("a file") ?? "" }
        return hazard
    }

    // MARK: - Movement

    func movement(_ field: Field?) -> Movement? {
        guard let field, !field.isNull, let fields = field.fields() else { return nil }
        let origin = fields.require("origin", "the center, such as [52.52, 13.405]")
            .flatMap(coordinate)
        var movement = Movement(origin: origin ?? Coordinate(latitude: 0, longitude: 0))
        if let half = fields.take("half_width_meters")?
            .integer("half the width of the square", in: Int32(1)...32_767)
        {
            movement.halfWidthMeters = half
        }
        if let noise = fields.take("noise_meters")?.number(in: 0...10_000) {
            movement.noiseMeters = noise
        }
        schedule(fields, &movement)
        movement.regions = regions(fields.take("regions"))
        fields.finish()
        return origin == nil ? nil : movement
    }

    /// The four times of the day, in their order.
    private func schedule(_ fields: Fields, _ movement: inout Movement) {
        let times: [(String, WritableKeyPath<Movement, SimDuration>)] = [
            ("leaves_home", \.leavesHome), ("arrives_at_work", \.arrivesAtWork),
            ("leaves_work", \.leavesWork), ("arrives_home", \.arrivesHome),
        ]
        var before: (name: String, time: SimDuration)?
        for (name, path) in times {
            let field = fields.take(name)
            if let given = field.flatMap(timeOfDay) { movement[keyPath: path] = given }
            if let before, movement[keyPath: path] <= before.time {
                field?.complain("\(name) comes after \(before.name) on the same day")
            }
            before = (name, movement[keyPath: path])
        }
    }

    private func timeOfDay(_ field: Field) -> SimDuration? {
        let claim = "a time of day is text such as \"08:30\", from \"00:00\" to \"24:00\""
        guard case .string(let text) = field.setting.value else {
            field.refuse(claim)
            return nil
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && !$0.hasPrefix("+") }),
            let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours >= 0,
            0...59 ~= minutes, hours * 60 + minutes <= 1_440
        else {
            field.refuse(claim)
            return nil
        }
        return .minutes(hours * 60 + minutes)
    }

    private func coordinate(_ field: Field) -> Coordinate? {
        let claim = "a latitude of -90 to 90 and a longitude of -180 to 180 are due here"
        guard case .list(let parts) = field.setting.value, parts.count == 2 else {
            field.refuse(claim)
            return nil
        }
        let pair = parts.map { Field(setting: $0, path: field.path, complaints: complaints) }
        guard let latitude = pair[0].number(claim, { abs($0) <= 90 }),
            let longitude = pair[1].number(claim, { abs($0) <= 180 })
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private func regions(_ field: Field?) -> [CheckedRegion] {
        let entries = field?.list("regions", max: ScenarioLimits.checkedRegionsMax) ?? []
        var regions: [CheckedRegion] = []
        for entry in entries {
            guard let fields = entry.fields() else { continue }
            let idField = fields.require("id", "what reports call this region")
            let id = idField?.name("a region's id")
            let center = fields.require("center", "\"home\", \"work\", \"midpoint\" or \"origin\"")
                .flatMap { $0.word(among: ["home", "work", "midpoint", "origin"]) }
            let radius = fields.require("radius_meters", "such as 150")?
                .number("a radius is above 0 and at most 100,000 meters") { $0 > 0 && $0 <= 1e5 }
            fields.finish()
            if let id, regions.contains(where: { $0.id == id }) {
                idField?.complain("region \(quoted(id)) stands here twice", .duplicateName)
            }
            guard let id, let center, let radius else { continue }
            let place: CheckedRegion.Center =
                switch center {
                case "home": .home
                case "work": .work
                case "midpoint": .midpoint
                default: .point(PlanePoint(east: 0, north: 0))
                }
            regions.append(CheckedRegion(id, place, radiusMeters: radius))
        }
        return regions
    }
}
