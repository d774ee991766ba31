import Foundation
import Simulation

/// What the kernel knows of this process and its machine.
enum Machine {
    /// The most memory that was resident, in bytes: `VmHWM`.
    static var residentBytesMax: UInt64 { bytes("VmHWM:", in: "/proc/self/status") ?? 0 }

    /// Refuses a fleet whose devices alone, without what scripts remember of them, do not fit.
    static func requireMemory(for arms: [Arm]) throws(CommandError) {
        let count = UInt64(arms[0].scenario.deviceCount) * UInt64(arms.count)
        let needed = count * UInt64(Block.bytesPerDevice)
        guard let available = bytes("MemAvailable:", in: "/proc/meminfo"), needed > available
        else { return }
        throw CommandError(
            "\(count) devices take at least \(needed >> 20) MiB and this machine "
                + "has \(available >> 20) MiB left; run fewer with --devices",
            status: .failed)
    }

    private static func bytes(_ key: String, in file: String) -> UInt64? {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix(key) {
            return UInt64(line.filter(\.isNumber)).map { $0 * 1_024 }
        }
        return nil
    }
}
