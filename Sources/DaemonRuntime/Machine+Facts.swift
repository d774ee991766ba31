import CGlibc
import Foundation

/// What may stand in the way of a run, as `locfleet doctor` asks for it.
extension Machine {
    /// Where files are kept.
    public struct Disk: Sendable {
        /// The folder that is there: the one that was asked for, or the nearest around it.
        public var folder: String
        /// Bytes that this user may still write.
        public var freeBytes: UInt64
        public var isWritable: Bool
        /// Its file system's type, where it is one to know of: "tmpfs", "nfs" …
        public var kind: String?

        public init(folder: String, freeBytes: UInt64, isWritable: Bool, kind: String?) {
            (self.folder, self.freeBytes) = (folder, freeBytes)
            (self.isWritable, self.kind) = (isWritable, kind)
        }
    }

    /// The file system types that matter here. Source: linux/magic.h, Linux 6.1, and statfs(2).
    private static let kinds: [Int: String] = [
        0x0102_1994: "tmpfs", 0x8584_58F6: "ramfs", 0x6969: "nfs", 0xFF53_4D42: "cifs",
        0xFE53_4D42: "smb2", 0x6573_5546: "fuse", 0x0102_1997: "9p",
    ]

    /// - Returns: nil where nothing is known of the path.
    public static func disk(of path: String) -> Disk? {
        var folder = path
        while !FileManager.default.fileExists(atPath: folder), folder.count > 1 {
            folder = (folder as NSString).deletingLastPathComponent
            if folder.isEmpty { folder = "." }
        }
        var status = statfs()
        guard statfs(folder, &status) == 0 else { return nil }
        return Disk(
            folder: folder, freeBytes: UInt64(status.f_bavail) * UInt64(status.f_bsize),
            isWritable: access(folder, W_OK | X_OK) == 0,
            kind: kinds[Int(status.f_type) & 0xFFFF_FFFF])
    }

    /// How many files and sockets this process may have open: now, and if it asks.
    public static var descriptors: (soft: UInt64, hard: UInt64)? {
        var limit = rlimit()
        guard getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return (UInt64(limit.rlim_cur), UInt64(limit.rlim_max))
    }

    /// How many more files and sockets this process may open; nil where that is not known.
    public static var descriptorsLeft: Int? {
        guard let soft = descriptors?.soft,
            let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        else { return nil }
        return max(0, Int(clamping: soft) - open.count)
    }

    /// Asks for as many files and sockets as this process may have: what a login shell gives is
    /// less than the connections that are served, and three files a fleet.
    public static func raiseDescriptorLimit() {
        var limit = rlimit()
        let number = Int32(RLIMIT_NOFILE.rawValue)
        guard getrlimit(number, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(number, &limit)
    }

    /// How many processors control groups let this process use; nil without a limit.
    ///
    /// Source: Linux, Documentation/admin-guide, cgroup-v2.rst, cpu.max.
    public static var processorQuota: Double? {
        controlGroups.compactMap { folder -> Double? in
            let words = text(folder + "/cpu.max")?.split(separator: " ").compactMap { Double($0) }
            guard let words, words.count == 2, words[1] > 0 else { return nil }
            return words[0] / words[1]
        }.min()
    }

    /// Bytes of memory that control groups let this process have; nil without a limit.
    public static var memoryLimitBytes: UInt64? {
        controlGroups.compactMap { text($0 + "/memory.max").flatMap { UInt64($0) } }.min()
    }

    /// The finest step of `CLOCK_MONOTONIC`, in seconds.
    public static var clockSeconds: Double? {
        var time = timespec()
        guard clock_getres(CLOCK_MONOTONIC, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    public static var libcVersion: String { String(cString: gnu_get_libc_version()) }

    /// A line of a file of the kernel's, such as `/proc/sys/net/core/somaxconn`.
    public static func text(_ path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
