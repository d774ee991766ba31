import Foundation
import Simulation
import Synchronization

/// Where the time of a run goes: what its workers are at, looked up a thousand times a second.
///
/// Looking changes nothing of the result. A worker that waits for another is at nothing, and is not
/// counted; one that the system has put aside counts as being where it stands.
public final class WorkProfile: Sendable {
    public static let intervalSeconds = 0.001

    /// What a block's worker is at, told by that worker and read by the thread that looks.
    final class Cell: WorkWitness {
        private let word = Atomic<UInt32>(idle)
        private static let idle = UInt32.max
        let arm: Int

        init(arm: Int) { self.arm = arm }

        func came(to place: WorkPlace) -> WorkPlace {
            let before = word.load(ordering: .relaxed)
            word.store(Self.word(place), ordering: .relaxed)
            return Self.place(before) ?? WorkPlace(.scheduling)
        }

        func rest() { word.store(Self.idle, ordering: .relaxed) }

        var place: WorkPlace? { Self.place(word.load(ordering: .relaxed)) }

        private static func word(_ place: WorkPlace) -> UInt32 {
            let part = UInt32(WorkPart.allCases.firstIndex(of: place.part) ?? 0)
            let hook = place.hook.map { UInt32($0.index) + 1 } ?? 0
            return part | hook << 8 | UInt32(place.script) << 16
        }

        private static func place(_ word: UInt32) -> WorkPlace? {
            guard word != idle else { return nil }
            let hook = Int(word >> 8 & 0xFF)
            return WorkPlace(
                WorkPart.allCases[Int(word & 0xFF)],
                hook: hook == 0 ? nil : HookName.allCases[hook - 1], script: UInt16(word >> 16))
        }
    }

    private let cells = Mutex<[Cell]>([])
    private let counts = Mutex<[Int: [WorkPlace: UInt64]]>([:])
    private let isStopped = Atomic(false)
    private let hasStopped = DispatchSemaphore(value: 0)

    /// Begins to look.
    public init() {
        let thread = Thread { [self] in
            while !isStopped.load(ordering: .relaxed) {
                Thread.sleep(forTimeInterval: Self.intervalSeconds)
                look()
            }
            hasStopped.signal()
        }
        thread.name = "locfleet.profile"
        thread.start()
    }

    /// A place to tell of, for one block or for what happens at borders.
    func makeCell(arm: Int) -> Cell {
        let cell = Cell(arm: arm)
        cells.withLock { $0.append(cell) }
        return cell
    }

    private func look() {
        let found = cells.withLock { $0.compactMap { cell in cell.place.map { (cell.arm, $0) } } }
        counts.withLock { counts in
            for (arm, place) in found { counts[arm, default: [:]][place, default: 0] += 1 }
        }
    }

    /// Ends the looking.
    ///
    /// - Returns: by arm, how often a worker was found at each place.
    public func stop() -> [Int: [WorkPlace: UInt64]] {
        if !isStopped.exchange(true, ordering: .relaxed) { hasStopped.wait() }
        return counts.withLock { $0 }
    }
}
