/// One variant of a scenario in a comparison. All arms have the same people.
public struct Arm: Sendable {
    /// The name of the scenario itself among its arms: the first, with which they are compared.
    public static let baseName = "base"

    public var name: String
    public var scenario: Scenario

    public init(name: String, scenario: Scenario) {
        (self.name, self.scenario) = (name, scenario)
    }
}
