import AuthorizationCore
import Bundles
import Foundation
import Simulation
import Testing

@Suite("A condition")
struct ConditionTests {
    let workplace: Workplace

    init() throws { workplace = try Workplace() }

    struct Device: CustomTestStringConvertible, Sendable {
        let text: String
        let condition: DeviceCondition
        var testDescription: String { text }
    }

    private static func ios(_ text: String) -> IOSVersion { IOSVersion(text)! }

    // swift-format-ignore
    static let deviceRows = [
        Device(text: "status = denied", condition: .visible(1 << 2)),
        Device(text: "status == denied", condition: .visible(1 << 2)),
        Device(text: "status != denied", condition: .not(.visible(1 << 2))),
        Device(text: "true_status = provisional_always", condition: .trueStatus(1 << 5)),
        Device(text: "persona = all", condition: .persona([true])),
        Device(text: "persona != 'all'", condition: .persona([false])),
        Device(text: "arm = base", condition: .arm([true])),
        Device(text: "device < 100", condition: .device(.less, 100)),
        Device(text: "day >= 3", condition: .day(.greaterOrEqual, 3)),
        Device(text: "ios = 17.6", condition: .ios(.equal, ios("17.6"))),
        Device(text: "ios = 17", condition: .all([.ios(.greaterOrEqual, ios("17.0")), .ios(.lessOrEqual, ios("17.7"))])),
        Device(text: "ios > 17", condition: .ios(.greater, ios("17.7"))),
        Device(text: "ios <= 17", condition: .ios(.lessOrEqual, ios("17.7"))),
        Device(text: "ios < 17", condition: .ios(.less, ios("17.0"))),
        Device(text: "grant_share > 0.5", condition: .option(OptionTest("grant_share", .greater, .number(0.5)))),
        Device(text: "options.grant_share > 0.6", condition: .option(OptionTest("grant_share", .greater, .number(0.6)))),
        Device(text: "day > 1 and day < 3 or device = 0", condition: .any([.all([.day(.greater, 1), .day(.less, 3)]), .device(.equal, 0)])),
        Device(text: "day > 1 and (day < 3 or device = 0)", condition: .all([.day(.greater, 1), .any([.day(.less, 3), .device(.equal, 0)])])),
        Device(text: "not day > 1 and not (device = 0)", condition: .all([.not(.day(.greater, 1)), .not(.device(.equal, 0))])),
        Device(text: "not not day>1", condition: .not(.not(.day(.greater, 1)))),
    ]

    @Test("on devices means what it says, 'and' before 'or'", arguments: Self.deviceRows)
    func onDevices(_ row: Device) throws {
        defer { workplace.remove() }
        let bundle = try workplace.read(plain())
        #expect(try bundle.devices(where: row.text) == row.condition)
    }

    struct Fleet: CustomTestStringConvertible, Sendable {
        let text: String
        let quantity: FleetQuantity
        let bound: Double
        var testDescription: String { text }
    }

    // swift-format-ignore
    static let fleetRows = [
        Fleet(text: "count(authorizedAlways) >= 1000", quantity: .count(.visible(1 << 4)), bound: 1000),
        Fleet(text: "share(authorized) > 0.5", quantity: .share(.visible(1 << 3 | 1 << 4)), bound: 0.5),
        Fleet(text: "share(always) > 0.5", quantity: .share(.trueStatus(1 << 6)), bound: 0.5),
        Fleet(text: "count(persona = all and day < 3) < 7", quantity: .count(.all([.persona([true]), .day(.less, 3)])), bound: 7),
        Fleet(text: "share(granted) > 0.1", quantity: .reachedShare(funnel: 0, step: 3), bound: 0.1),
        Fleet(text: "share(funnel.always) > 0.1", quantity: .reachedShare(funnel: 0, step: 6), bound: 0.1),
        Fleet(text: "count(mine.asked) > 1", quantity: .reached(funnel: 1, step: 1), bound: 1),
        Fleet(text: "always > 10", quantity: .reached(funnel: 0, step: 6), bound: 10),
        Fleet(text: "mine.asked = 10", quantity: .reached(funnel: 1, step: 1), bound: 10),
        Fleet(text: "p90(granted) < 30s", quantity: .seconds(quantile: 0.9, funnel: 0, step: 3), bound: 30),
        Fleet(text: "p50(mine.asked) < 1h", quantity: .seconds(quantile: 0.5, funnel: 1, step: 1), bound: 3600),
        Fleet(text: "script_failures == 0", quantity: .scriptFailures, bound: 0),
        Fleet(text: "day >= 3", quantity: .day, bound: 3),
    ]

    @Test("on an arm has its figure and its bound", arguments: Self.fleetRows)
    func onFleets(_ row: Fleet) throws {
        defer { workplace.remove() }
        let bundle = try workplace.read(
            plain(),
            Overrides(sets: [
                (key: "thresholds", value: "[\"\(row.text)\"]"),
                (key: "funnels", value: "[{ name: 'mine', steps: ['opened', 'asked'] }]"),
            ]))
        guard case .comparison(let comparison)? = bundle.scenario.thresholds.first?.condition else {
            Issue.record("\(row.text) is one comparison")
            return
        }
        #expect(comparison.quantity == row.quantity)
        #expect(comparison.bound == row.bound)
    }

    @Test("on an option means the device's own value, in whatever arm and of whatever script")
    func optionsOfArms() throws {
        defer { workplace.remove() }
        let arms = "[{ name: 'hi', set: { 'personas.*.options.grant_share': 0.9 } }]"
        let bundle = try workplace.read(plain(), Overrides(sets: [(key: "arms", value: arms)]))
        #expect(
            try bundle.devices(where: "grant_share > 0.8")
                == .option(OptionTest("grant_share", .greater, .number(0.8))))
    }

    @Test("may name the arms that the command line chooses")
    func typedArms() throws {
        defer { workplace.remove() }
        let sets = [(key: "thresholds", value: "['arm = ask_on_launch or day > 0']")]
        let bundle = try workplace.read(
            plain(), Overrides(sets: sets, arms: ["ask_on_launch.lua"]))
        #expect(
            bundle.arms.map { $0.scenario.thresholds[0].condition.holds { _ in nil } }
                == [false, true])
    }

    @Test("tells how far a figure is from its bound, on which side")
    func margins() {
        func judged(_ comparison: Comparison, _ bound: Double, _ value: Double?) -> Judgement {
            Threshold(
                text: "", condition: .comparison(FleetComparison(.day, comparison, bound, text: ""))
            ).judged { _ in value }
        }
        #expect(judged(.greater, 0.25, 0.5).parts[0].margin == 0.25)
        #expect(judged(.greater, 0.5, 0.25).parts[0].margin == -0.25)
        #expect(judged(.less, 0.5, 0.25).parts[0].margin == 0.25)
        #expect(judged(.equal, 0, 3).parts[0].margin == -3)
        #expect(judged(.equal, 3, 3).isMet)
        #expect(!judged(.greaterOrEqual, 0, nil).isMet)
        #expect(judged(.less, 1, nil).parts[0].margin == nil)
        let refused = Threshold(
            text: "",
            condition: .not(.comparison(FleetComparison(.day, .greater, 3, text: "")))
        ).judged { _ in 5 }
        #expect(!refused.isMet)
        #expect(refused.parts[0].margin == -2)
    }
}
