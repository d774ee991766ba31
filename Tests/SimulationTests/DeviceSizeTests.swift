import SimPrimitives
import TestSupport
import Testing

@testable import Simulation

@Suite("A device as a value")
struct DeviceSizeTests {
    /// A fleet of a million devices holds a million of them.
    @Test("takes at most 280 bytes with its next instant, the built-in funnel and another")
    func flat() {
        let bytes = Block.bytesPerDevice(funnels: 2)
        #expect(bytes <= 280, "\(bytes): of these the device \(MemoryLayout<Device>.size)")
    }

    @Test("has nothing beside that, but what is on screen and more timers than a row has lanes")
    func boxes() {
        let scenario = scenario(devices: 50)
        let behavior = StoryBehavior(
            openings: [60, 60], sessionSeconds: 30, taps: [5], always: .allowWhileUsing)
        let strategy = StoryStrategy { event, _ in
            event == .enteredForeground ? [.requestWhenInUseAuthorization] : []
        }
        let block = Block(
            devices: 0..<50, of: scenario, names: Block.startingNames(of: scenario),
            behaviors: [behavior], strategy: strategy, keepsRecords: false)
        let flat = UInt64(50 * Block.bytesPerDevice(funnels: 1))
        block.run(until: .start + .seconds(61))
        #expect(block.stateBytes > flat)
        block.run(until: .start + .minutes(60))
        #expect(block.stateBytes == flat)
    }
}
