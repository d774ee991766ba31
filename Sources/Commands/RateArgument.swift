import ControlProtocol

/// `--rate` of `run` and `fleet create`, and the rate that `fleet rate` takes.
extension FleetRate {
    static let option = OptionSpec.value(
        "--rate", "RATE", "max (the default), or a ratio to the wall clock such as 60x")

    init(_ arguments: Arguments) throws(CommandError) {
        try self.init(word: arguments.value("--rate") ?? "max", named: "--rate")
    }

    init(word: String, named name: String) throws(CommandError) {
        guard let rate = FleetRate(word) else {
            let near = FleetRate(word + "x").map { "; did you mean \($0)?" } ?? ""
            let least = FleetRate.ratio(Self.ratios.lowerBound)
            throw CommandError(
                "\(name) is max or a ratio in \(least) ... \(Int(Self.ratios.upperBound))x, "
                    + "such as 60x, not '\(word)'\(near)")
        }
        self = rate
    }
}
