import Bundles
import Foundation
import Testing

@Suite("A scenario that is damaged")
struct HostileScenarioTests {
    @Test("is read or refused when it is cut or has bytes changed")
    func fuzz() throws {
        let workplace = try Workplace()
        defer { workplace.remove() }
        let url = Workplace.data.appendingPathComponent("scenario.json5")
        let bytes = [UInt8](try Data(contentsOf: url))
        for place in stride(from: 0, to: bytes.count, by: 5) {
            var changed = bytes
            changed[place] = UInt8(truncatingIfNeeded: place &* 37)
            for text in [Array(bytes[..<place]), changed] {
                let path = try workplace.write("x.json5", text)
                let problems = Workplace.reader.problems(scenarioPath: path)
                #expect(problems.allSatisfy { !$0.message.isEmpty && $0.place == path }, "\(place)")
            }
        }
    }

    @Test("tells of all that is wrong in the order of the text")
    func everything() throws {
        let workplace = try Workplace()
        defer { workplace.remove() }
        let problems = try workplace.complaints(
            """
            {
              funnels: [{ name: "", steps: ["opened", "asd"] }],
              devices: 0,
              seeed: 4,
              personas: [{ name: "a", weight: 0, options: { x: 1 } }],
              app: { info_plist: "apps/store-finder/Info.plist", strategy: "none.lua" },
            }
            """)
        let starts = [
            "x.json5:2:21: funnels[0].name: ", "x.json5:2:43: funnels[0].steps[1]: ",
            "x.json5:3:12: devices: ", "x.json5:4:3: seeed: ", "x.json5:5:35: personas[0].weight: ",
            "x.json5:5:49: personas[0].options.x: ", "x.json5:6:64: app.strategy: ",
        ]
        #expect(problems.count == starts.count)
        for (problem, start) in zip(problems, starts) {
            #expect(problem.hasPrefix(start), "\(problem)")
        }
    }

    @Test(
        "with a hundred thousand mistakes is refused at once, with the first hundred and their number"
    )
    func mistakes() throws {
        let workplace = try Workplace()
        defer { workplace.remove() }
        let keys = (0..<100_000).map { "k\($0): 1," }.joined(separator: "\n")
        let started = ContinuousClock.now
        let complaints = try workplace.complaints("{\n\(keys)\n}")
        #expect(complaints.count == 101)
        #expect(complaints.last?.hasSuffix(": and 99,900 more that are not told") == true)
        #expect(ContinuousClock.now - started < .seconds(20))
    }
}
