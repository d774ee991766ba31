import CGlibc
import Foundation
import Simulation

/// What the kernel knows of this process and its machine.
public enum Machine {
    /// The most memory that was resident, in bytes: `VmHWM`.
    public static var residentBytesMax: UInt64 { bytes("VmHWM:", in: "/proc/self/status") ?? 0 }

    /// What is resident now, in bytes: `VmRSS`.
    public static var residentBytes: UInt64 { bytes("VmRSS:", in: "/proc/self/status") ?? 0 }

    /// Gives back to the system what was freed. Each of Dispatch's many threads may have had a heap
    /// of its own, and glibc keeps what lies between: without this a daemon grows with every fleet
    /// that was watched.
    public static func returnFreedMemory() { malloc_trim(0) }

    /// Why a fleet does not fit whose devices alone, without what scripts remember of them, take
    /// more than there is; nil where they fit.
    public static func lackOfMemory(for arms: [Arm]) -> String? {
        let count = UInt64(arms[0].scenario.deviceCount) * UInt64(arms.count)
        let each = Block.bytesPerDevice(funnels: arms[0].scenario.funnels.count)
        let needed = count * UInt64(each)
        guard let available = bytes("MemAvailable:", in: "/proc/meminfo"), needed > available
        else { return nil }
        return "\(count) devices take at least \(needed >> 20) MiB and this machine has "
            + "\(available >> 20) MiB left"
    }

    private static func bytes(_ key: String, in file: String) -> UInt64? {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix(key) {
            return UInt64(line.filter(\.isNumber)).map { $0 * 1_024 }
        }
        return nil
    }
}
