import Foundation
import SimPrimitives
import Simulation
import TestSupport
import Testing

/// Notes what it is told, in order.
private final class Diary: WorkWitness, @unchecked Sendable {
    private(set) var places: [WorkPlace?] = []
    private var now: WorkPlace?

    func came(to place: WorkPlace) -> WorkPlace {
        defer { now = place }
        places.append(place)
        return now ?? WorkPlace(.scheduling)
    }

    func rest() {
        now = nil
        places.append(nil)
    }
}

@Suite("A witness of the engine's work")
struct WorkWitnessTests {
    @Test("hears of each hook by name, of what comes before and after it, and of the end")
    func hooks() throws {
        let world = scenario(days: 1)
        let diary = Diary()
        let block = Block(
            devices: 0..<1, of: world, names: Block.startingNames(of: world),
            behaviors: [StoryBehavior(openings: [60])], strategy: StoryStrategy(),
            witness: diary)
        block.run(until: .start + .seconds(3_600))
        let places = diary.places
        #expect(places.last == .some(nil), "it rests at the end")
        let hook = try #require(places.firstIndex { $0?.hook == .enteredForeground })
        #expect(places[hook] == WorkPlace(.scripts, hook: .enteredForeground, script: 1))
        #expect(places[hook - 1]?.part == .core || places[hook - 1]?.part == .records)
        #expect(places[hook + 1]?.part == .core)
        #expect(places.contains { $0?.part == .records })
        // What is entered is left again: scripts and records are never the last of an instant.
        for (place, next) in zip(places, places.dropFirst()) where next == nil {
            #expect(place?.part == .scheduling, "\(places)")
        }
    }
}
