/// How figures are split: by persona, by iOS version, by both or not at all.
public struct Groups: Sendable {
    public let count: Int
    /// By persona, then by iOS version.
    private let indices: [[Int]]

    public static let one = Groups(count: 1, indices: [])

    private init(count: Int, indices: [[Int]]) { (self.count, self.indices) = (count, indices) }

    public init(of scenario: Scenario, byPersona: Bool, byIOS: Bool) {
        let (personas, versions) = (scenario.personas.count, scenario.iosMix.count)
        count = (byPersona ? personas : 1) * (byIOS ? versions : 1)
        indices = (0..<personas).map { persona in
            (0..<versions).map { version in
                byIOS
                    ? (byPersona ? persona * versions + version : version)
                    : (byPersona ? persona : 0)
            }
        }
    }

    public func index(persona: Int, ios: Int) -> Int {
        indices.isEmpty ? 0 : indices[persona][ios]
    }
}
