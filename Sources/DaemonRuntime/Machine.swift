import CGlibc
import Foundation
import Simulation

/// What the kernel knows of this process and its machine.
public enum Machine {
    /// The most memory that was resident, in bytes: `VmHWM`.
    public static var residentBytesMax: UInt64 { bytes("VmHWM:", in: "/proc/self/status") ?? 0 }

    /// What is resident now, in bytes: `VmRSS`.
    public static var residentBytes: UInt64 { bytes("VmRSS:", in: "/proc/self/status") ?? 0 }

    /// What is allocated and not freed, in bytes, whatever the allocator keeps beside it.
    ///
    /// - Complexity: the allocator is halted while it looks at all that was freed: 0.1 s where a
    ///   million devices run.
    public static var allocatedBytes: UInt64 {
        let info = mallinfo2()
        return UInt64(info.uordblks + info.hblkhd)
    }

    /// Gives back to the system what was freed. Each of Dispatch's many threads may have had a heap
    /// of its own, and glibc keeps what lies between: without this a daemon grows with every fleet
    /// that was watched.
    public static func returnFreedMemory() { malloc_trim(0) }

    /// Why a fleet does not fit whose devices alone, without what scripts remember of them, take
    /// more than there is; nil where they fit.
    ///
    /// - Parameter devices: of each arm; nil: all of the scenario.
    public static func lackOfMemory(for arms: [Arm], devices: Int? = nil) -> String? {
        let (_, needed) = neededBytes(for: arms, devices: devices)
        guard let available = availableBytes, needed > available else { return nil }
        let each = grouped(devices ?? Int(arms[0].scenario.deviceCount))
        let who = arms.count == 1 ? "\(each) devices" : "\(each) devices x \(arms.count) arms"
        return "\(who) take about \(needed >> 20) MiB and this process can have "
            + "\(available >> 20) MiB more"
    }

    /// `90,000,000`
    private static func grouped(_ number: Int) -> String {
        var digits = Array(String(number))
        for place in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(",", at: place)
        }
        return String(digits)
    }

    /// How many devices there are in all arms, and about how much memory they take.
    public static func neededBytes(
        for arms: [Arm], devices: Int? = nil
    ) -> (devices: UInt64, bytes: UInt64) {
        let devices = devices ?? Int(arms[0].scenario.deviceCount)
        let count = UInt64(devices) * UInt64(arms.count)
        let each = Block.bytesPerDevice(in: arms[0].scenario) + bytesOfScripts
        return (count, count * UInt64(each))
    }

    /// What scripts keep of a device where person and app have a `self` of four fields: measured by
    /// `locfleet-bench --lua`. A script can keep less, or much more.
    private static let bytesOfScripts = 300

    /// How much more this process can have: what the machine has left, and what resource limits and
    /// a control group leave of it. An allocation beyond that ends the process, so whoever is about
    /// to make a large one asks before.
    public static var availableBytes: UInt64? {
        let addressSpace = left(of: RLIMIT_AS, used: "VmSize:")
        let data = left(of: RLIMIT_DATA, used: "VmData:")
        return [bytes("MemAvailable:", in: "/proc/meminfo"), addressSpace, data, ControlGroup.left]
            .compactMap { $0 }.min()
    }

    private static func left(of resource: __rlimit_resource, used key: String) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(Int32(resource.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max,
            let used = bytes(key, in: "/proc/self/status")
        else { return nil }
        let most = UInt64(limit.rlim_cur)
        return most > used ? most - used : 0
    }

    /// The memory of the process's control group. Source: Linux, Documentation/admin-guide,
    /// cgroup-v2.rst, memory.max, memory.current and inactive_file of memory.stat.
    private enum ControlGroup {
        /// Nil without a limit. Of the group and those around it, the one that leaves least.
        static var left: UInt64? { folders.compactMap { left(in: $0) }.min() }

        static var folders: [String] {
            let root = "/sys/fs/cgroup"
            let groups = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
            let line = groups.split(separator: "\n").first { $0.hasPrefix("0::/") } ?? "0::/"
            var folder = root + line.dropFirst(3)
            var folders: [String] = []
            while folder.hasPrefix(root) {
                folders.append(folder)
                folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
            }
            return folders
        }

        private static func left(in folder: String) -> UInt64? {
            func number(_ file: String) -> UInt64? {
                (try? String(contentsOfFile: folder + "/" + file, encoding: .utf8))
                    .flatMap { UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            }
            guard let most = number("memory.max"), let used = number("memory.current") else {
                return nil
            }
            // The kernel drops what it has read of files before it refuses.
            let statistics =
                (try? String(contentsOfFile: folder + "/memory.stat", encoding: .utf8)) ?? ""
            let files =
                statistics.split(separator: "\n")
                .first { $0.hasPrefix("inactive_file ") }
                .flatMap { UInt64($0.dropFirst(14)) } ?? 0
            let kept = used - min(files, used)
            return most > kept ? most - kept : 0
        }
    }

    /// The folders of the process's control group, and of those around it.
    static var controlGroups: [String] { ControlGroup.folders }

    private static func bytes(_ key: String, in file: String) -> UInt64? {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix(key) {
            return UInt64(line.filter(\.isNumber)).map { $0 * 1_024 }
        }
        return nil
    }
}
