import AuthorizationCore
import Metrics
import SimPrimitives

/// Which steps of one funnel each kind of occurrence is: looked up, not searched.
struct FunnelMasks {
    let window: SimDuration?
    /// By `plainIndex`.
    private(set) var plain = [UInt32](repeating: 0, count: FunnelStep.plain.count)
    /// By the place in `allCases`.
    private(set) var visible = [UInt32](repeating: 0, count: VisibleStatus.allCases.count)
    private(set) var trueStatus = [UInt32](repeating: 0, count: TrueStatus.allCases.count)
    /// By `NameID.index`, as far as the funnel names any.
    private var milestones: [UInt32] = []
    private var features: [UInt32] = []

    init(_ definition: FunnelDefinition, names: NameTable) {
        window = definition.window
        for (index, step) in definition.steps.enumerated() {
            let bit: UInt32 = 1 << UInt32(index)
            switch step {
            case .milestone(let name): Self.mark(name, bit, in: &milestones, names)
            case .feature(let name): Self.mark(name, bit, in: &features, names)
            case .status(let name):
                for (place, status) in VisibleStatus.allCases.enumerated()
                where status.rawValue == name { visible[place] |= bit }
                for (place, status) in TrueStatus.allCases.enumerated()
                where status.rawValue == name { trueStatus[place] |= bit }
            case .installed, .opened, .asked, .granted, .kept, .askedAlways, .always, .alwaysWeek:
                for (place, known) in FunnelStep.plain.enumerated() where known == step {
                    plain[place] |= bit
                }
            }
        }
    }

    func milestone(_ id: NameID) -> UInt32 {
        Int(id.index) < milestones.count ? milestones[Int(id.index)] : 0
    }

    func feature(_ id: NameID) -> UInt32 {
        Int(id.index) < features.count ? features[Int(id.index)] : 0
    }

    private static func mark(
        _ name: String, _ bit: UInt32, in masks: inout [UInt32], _ names: NameTable
    ) {
        guard let id = names.id(of: name) else { return }  // The scenario's own names fit.
        let missing = Int(id.index) + 1 - masks.count
        if missing > 0 { masks.append(contentsOf: repeatElement(0, count: missing)) }
        masks[Int(id.index)] |= bit
    }
}

/// The steps without a parameter, as indices into `FunnelMasks.plain`.
enum PlainStep: Int {
    case installed, opened, asked, granted, kept, askedAlways, always, alwaysWeek
}
