import SimPrimitives
import Simulation
import TestSupport
import Testing

@Suite("A hazard")
struct HazardTests {
    @Test("goes on coming to a device whose app is deleted and installed again")
    func reinstalled() {
        var scenario = scenario(devices: 50, days: 2)
        scenario.hazards = [Hazard(meanInterval: .hours(1), .act(.reinstall(after: .zero)))]
        let block = Block(
            devices: 0..<50, of: scenario, names: Block.startingNames(of: scenario),
            behaviors: [StoryBehavior(openings: [])], strategy: StoryStrategy())
        block.run(until: .start + .days(2))
        // 50 devices, 48 hours: 2,400 are due, with a standard deviation of 49.
        let came = block.metrics(isFinal: true)[0].hazards[0].came
        #expect((2_200...2_600).contains(came), "\(came)")
    }
}
